"""The what-ifs that were played here: a bounded cache, and limits on who has how many played."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from http import HTTPStatus
from threading import Lock
from time import monotonic
from typing import NamedTuple

import trio
from starlette.exceptions import HTTPException

from arena.language.languages import ENGLISH, speaking
from arena.packs.roster import Roster
from arena.replay.owner_view import owns
from arena.replay.replay import Replay
from arena.run.hosting import Hosting
from arena.server.access import Access
from arena.server.limits.open_counter import ALL, OpenCounter
from arena.server.limits.rate_limit import RateLimit
from arena.store import Store
from arena.values.rows import MatchVersion, StoredMatch
from arena_insight.match_branch import branch
from arena_insight.what_if import WhatIf, play_what_if, table_of
from arena_insight.what_if_remark import what_if_remark

KEPT = 32
"""The number of what-ifs that stay available."""

AT_ONCE, ACCOUNT_AT_ONCE = 2, 1
"""The largest number that are played at the same time, in all and for one account."""

SECONDS = 60.0
"""The longest time that one may take."""

MOST, PERIOD = 20, 600.0
"""How many an account may have played within so many seconds."""


class Change(NamedTuple):
    """A move that was not played."""

    match: int
    """The id of the match."""
    answer: int
    """The number of the answer in the match."""
    choice: int
    """The index of the move among the legal moves."""


class PlayedWhatIf(NamedTuple):
    """A cached what-if with its replay."""

    what_if: WhatIf
    replay: Replay
    version: MatchVersion
    """The version of the match from which it branches."""


class WhatIfMatches:
    """The what-ifs by visitor and change; thread-safe.

    store: the open database.
    hosting: how bots are run.
    """

    def __init__(self, store: Store, hosting: Hosting, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._hosting = hosting
        self._kept: OrderedDict[tuple[Access, Change], PlayedWhatIf] = OrderedDict()
        self._running = OpenCounter()
        self._limit = RateLimit(MOST, PERIOD, clock)
        self._lock = Lock()

    def match(self, access: Access, id: int) -> StoredMatch:
        """Return the match from which to branch, without what the visitor may not see."""
        return access.match(self._store, id)

    def find(self, access: Access, change: Change) -> PlayedWhatIf | None:
        """Return a what-if that this visitor has had played; None if it is not kept or the match has changed.

        Raises MatchWithheld or NoSuchRow if the visitor may no longer see the match.
        """
        self.match(access, change.match)
        version = self._store.match_version(change.match)
        with self._lock:
            kept = self._kept.get((access, change))
            if kept is None or kept.version != version:
                return None
            self._kept.move_to_end((access, change))
            return kept

    def play(self, access: Access, change: Change) -> PlayedWhatIf:
        """Have a what-if played, unless it is kept, and return it.

        Its bots are those of the visitor, for organisers those of the match, and sample bots for all others: no bot of
        somebody else answers questions of strangers.

        Raises HTTPException if the visitor may not, or too often; PlanError if there is no such move; MatchWithheld.
        """
        if not may_play(access):
            raise HTTPException(HTTPStatus.FORBIDDEN, "sign in to try other moves: it runs bots here")
        if (kept := self.find(access, change)) is not None:
            return kept
        match, version = self.match(access, change.match), self._store.match_version(change.match)
        branched = branch(match, change.answer, change.choice)
        account = access.account.owner if access.account else ""
        own: dict[Hashable, int] = {("account", account): ACCOUNT_AT_ONCE} if account else {}
        with (
            self._running.admit(own, _refusal("you are trying another move")),
            self._running.admit({ALL: AT_ONCE}, _refusal("others are trying moves")),
        ):
            if not self._limit.allows(account):
                wait = self._limit.seconds_left(account)
                raise HTTPException(
                    HTTPStatus.TOO_MANY_REQUESTS,
                    f"that is {MOST} tries in {PERIOD / 60:.0f} minutes: wait {wait:.0f} s",
                )
            roster = Roster(self._store.where, self._store.submissions.all())
            table = table_of(
                match,
                self._store.decisions_of(match),
                roster,
                lambda name: access.organiser or (bool(account) and owns(account, name)),
            )
            what_if = play_what_if(match, branched, table, self._hosting, SECONDS, _is_cancelled)
        with speaking(ENGLISH):  # it is shown to whoever asks
            remark = what_if_remark(what_if.match, what_if.branch)
        played = PlayedWhatIf(what_if, Replay(what_if.match, remark), version)
        with self._lock:
            self._kept[access, change] = played
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return played


def _refusal(who: str) -> HTTPException:
    return HTTPException(HTTPStatus.TOO_MANY_REQUESTS, f"{who} at the moment: try again soon")


def _is_cancelled() -> bool:
    """Return whether the request that this thread answers was cancelled, as the server stops."""
    try:
        trio.from_thread.check_cancelled()
    except trio.Cancelled:
        return True
    return False


def may_play(access: Access) -> bool:
    """Return whether a visitor may have other moves tried: whoever is signed in, and organisers."""
    return access.organiser or access.account is not None


def stand_ins(access: Access) -> str | None:
    """Return who plays on after another move, in words; None if the visitor may not try any."""
    if not may_play(access):
        return None
    own = "those of the match" if access.organiser else "your own where they sat there"
    return f"{own}, and sample bots in the place of others"
