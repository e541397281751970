"""Whether there are results: leagues draw and play, hand-ins are checked. What is wrong is a sentence."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, func, select

from arena.bots.hand_in_rows import RECEIVED, UNDER_WAY
from arena.bots.hand_in_workers import checking_jobs
from arena.league.results.health import FAILING, LeagueHealth, in_words, league_health
from arena.store import Store
from arena.store.engine.schema import hand_ins

RECENT = 50
"""The number of hand-ins, the newest, among which the one that was finished last is looked for."""

COMMAND = "arena hand-ins check"
"""The command that checks hand-ins where a server does not."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What goes on, and what stands still."""

    now: datetime
    """The moment of all this."""
    leagues: tuple[LeagueHealth, ...]
    """Of the open leagues."""
    queue_since: datetime | None
    """Since when hand-ins wait and none is checked; None where none waits, or one is."""
    oldest: datetime | None
    """When the oldest hand-in that waits came, or was to be tried again; None if none waits."""
    checking: int = 1
    """How many hand-ins all programs together check side by side."""

    @property
    def is_queue_failing(self) -> bool:
        """Whether the queue of hand-ins has stood still for too long."""
        return self.queue_since is not None and self.now - self.queue_since >= FAILING

    @property
    def are_leagues_failing(self) -> bool:
        """Whether a league has stood still for too long."""
        return any(league.is_failing for league in self.leagues)

    def problems(self, *, reasons: bool = True) -> list[str]:
        """Return what has stood still for too long, in sentences.

        reasons: whether they say why, which may name folders and bots.
        """
        failing = [league.sentence(self.now, reason=reasons) for league in self.leagues if league.is_failing]
        if self.is_queue_failing and self.queue_since is not None:
            lasted = in_words(self.now - self.queue_since)
            nobody = f": no program checks any, neither `arena serve` nor `{COMMAND}`" if not self.checking else ""
            failing.append(f"hand-ins wait, and none has been checked for {lasted}{nobody}")
        return failing


def read_progress(store: Store, began: datetime | None = None) -> Progress:
    """Read what goes on.

    began: since when the server is up, where what was before is to count as no standstill.
    """
    now = datetime.now(UTC)
    (queue,) = store.query(lambda connection: _queue(connection, now))
    since, oldest, checking = queue
    if since is not None and began is not None:
        since = max(since, began)
    return Progress(now, tuple(league_health(store, now, began)), since, oldest, checking)


def _queue(connection: Connection, now: datetime) -> Iterator[tuple[datetime | None, datetime | None, int]]:
    """Yield since when the queue stands still, when the oldest that waits came, and how many are checked at a time."""
    checking = sum(checking_jobs(connection))
    due = func.coalesce(hand_ins.c.not_before, hand_ins.c.created)
    is_due = due <= now.isoformat(timespec="seconds")
    oldest = connection.scalar(select(func.min(due)).where(hand_ins.c.state == RECEIVED, is_due))
    if oldest is None:
        yield None, None, checking
        return
    lease = connection.scalar(select(func.max(hand_ins.c.lease)).where(hand_ins.c.state.in_(UNDER_WAY)))
    newest = select(hand_ins.c.ended).order_by(hand_ins.c.id.desc()).limit(RECENT)
    ended = [moment for moment in connection.scalars(newest) if moment is not None]
    came = datetime.fromisoformat(oldest)
    since = max(map(datetime.fromisoformat, [oldest, *ended, *([lease] if lease else [])]))
    yield (None if lease and datetime.fromisoformat(lease) > now else since), came, checking
