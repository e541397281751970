"""Access control: who a visitor is, and what they may see."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Literal, cast

from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.practice_leagues import PracticeLeagues
from arena.replay.owner_view import as_owner, owns, without_output
from arena.store import Store
from arena.store.matches.practice_ids import is_of_practice, league_of
from arena.store.people.accounts import ORGANISER, AccountRow
from arena.values.display_names import NO_NAMES
from arena.values.errors import ResultsHidden
from arena.values.failure_rows import ListedProcessFailure
from arena.values.rows import StoredMatch
from arena.values.visitors import visitor_key

PRIVATE = {"cache-control": "no-store"}
"""Headers of a response that is one visitor's: nobody keeps it."""


NameAudience = Literal["organisers", "signed-in", "everyone"]
"""Who sees the display names of accounts."""


class MatchWithheld(ResultsHidden):
    """The match is hidden until its tournament is over."""


@dataclass(frozen=True, slots=True)
class Access:
    """What a visitor may see.

    Only organisers see the matches of a running tournament: hidden cards could be passed to bots that play the same
    deal in another rotation.
    """

    organiser: bool = True
    """Whether they see everything."""
    owner: str | None = None
    """The owner whose bots' notes and output they may read; None: nobody's."""
    account: AccountRow | None = None
    """Their account, if they are signed in."""
    names: NameAudience = "signed-in"
    """Who sees display names here."""

    @property
    def sees_names(self) -> bool:
        """Whether they see display names."""
        is_signed_in = self.names == "signed-in" and self.account is not None
        return self.organiser or self.names == "everyone" or is_signed_in

    def display_names(self, store: Store) -> Mapping[str, str]:
        """Return the display names that they see, by the names of the accounts; without them, none."""
        return store.accounts.display_names() if self.sees_names else NO_NAMES

    def match(self, store: Store, id: int) -> StoredMatch:
        """Return a match without what the visitor may not see. Raises MatchWithheld or NoSuchRow."""
        self.check_practice(store, id)
        match = store.match(id)
        if self.organiser:
            return match
        if match.tournament_id is not None and match.event.finished is None:
            raise MatchWithheld(
                f"match {id} is shown once tournament {match.tournament_id} is over: its deals are still in play"
            )
        if self.owner is not None:
            return as_owner(match, self.owner)
        failures = tuple(map(without_output, match.failures))
        return replace(
            match, row=replace(match.row, notes=()), truncated_notes=frozenset(), outputs={}, failures=failures
        )

    def league(self, store: Store, name: str) -> LeagueRow:
        """Return a league that the visitor may see. Raises NoSuchRow, for those of others as if there were none."""
        row = Leagues(store).named(name, practice=True)
        return row if self.sees_practice(row.owner) else Leagues(store).named(name)

    def check_practice(self, store: Store, match: int) -> None:
        """Raise NoSuchRow for a match of a practice league that they may not see, or that was removed."""
        if is_of_practice(match):
            owner = PracticeLeagues(store).owner_of(league_of(match))
            if owner is None or not self.sees_practice(owner):
                raise store.no_match(match)

    def sees_versions(self, bot: str) -> bool:
        """Return whether they see the versions of a bot that are for practice alone."""
        return self.organiser or (self.owner is not None and owns(self.owner, bot))

    def sees_practice(self, owner: str | None) -> bool:
        """Return whether they see a league of an owner; None: everybody does."""
        return owner is None or self.organiser or (self.account is not None and owner == self.owner)

    def failure(self, listed: ListedProcessFailure) -> ListedProcessFailure:
        """Return a process failure without what the visitor may not see.

        Its matches and its output could reveal hidden cards too.
        """
        if self.organiser:
            return listed
        row = listed.row
        if not listed.finished:
            row = replace(row, matches=(), guilty=None)
        if not listed.finished or self.owner is None or not owns(self.owner, listed.bot):
            row = without_output(row)
        return replace(listed, row=row)


VISITOR = Access(organiser=False)
"""The access of visitors who are not signed in."""


def account_access(account: AccountRow, names: NameAudience = "signed-in") -> Access:
    """Return the access of an account.

    names: who sees display names here.
    """
    if account.role == ORGANISER:
        return Access(account=account, names=names)
    return Access(organiser=False, owner=account.owner, account=account, names=names)


def visitor_of(request: Request) -> str:
    """Return the key under which the visitor who sends a request is counted (`visitor_key`)."""
    return visitor_key(request.client.host) if request.client else ""


def access_of(request: Request) -> Access:
    """Return the access of a request, as set by `arena.server.requests.middleware.Authentication`."""
    return cast(Access, request.scope["access"])


def signed_in(request: Request) -> AccountRow:
    """Return the account of who is signed in. Raises HTTPException if nobody is."""
    account = access_of(request).account
    if account is None:
        raise HTTPException(HTTPStatus.FORBIDDEN, "you are not signed in: sign in at /sign-in")
    return account
