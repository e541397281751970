"""Which practice leagues a run plays, and when: in the time in which its other leagues leave referees idle.

A few of them at a time, first those whose owners have used least on that day, with what is under way, so that nobody
gains by beginning more leagues. Between the batches of other leagues they cost no more than one query.
"""

from collections import Counter
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from arena.league.run.batch_play import BatchPlay
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.leagues import Leagues
from arena.league.store.practice_leagues import PracticeLeagues, PracticeRow
from arena.store import NoSuchRow, Store
from arena.values.rows import PROGRAM

MOST_MATCHES = 10_000
"""Matches after which a practice league is closed."""

AT_ONCE = 2
"""Leagues that play at the same time."""

MOST_KNOWN = 8
"""Leagues that a run remembers, though it is not their turn."""

TIDY_EVERY = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class PracticeTerms:
    """What practice may take of a server."""

    cpu_per_day: float = 0.0
    """Seconds of a core on each day (UTC); 0: there is no practice."""
    every: int = 0
    """After so many batches of other leagues one of practice may be played before them; 0: in idle time alone."""


NO_PRACTICE = PracticeTerms()


class PracticeTurns:
    """The practice leagues of a run.

    is_idle: whether other leagues have nothing under way and nothing to draw; the run says so.
    """

    def __init__(
        self,
        store: Store,
        terms: PracticeTerms,
        schedule: Callable[[str], LeagueScheduler],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Prepare the turns.

        schedule: returns the scheduler of the practice league of a name. Raises NoSuchRow where it was removed.
        clock: returns the time, in UTC.
        """
        self.is_idle = False
        self._store = store
        self._terms = terms
        self._schedule = schedule
        self._clock = clock
        self._others = 0
        self._ended = set[int]()
        self._turn: list[int] = []
        self._owners: dict[int, str] = {}
        self._tidied: datetime | None = None

    def look(
        self, schedulers: MutableMapping[int, LeagueScheduler], under_way: Iterable[BatchPlay]
    ) -> list[LeagueScheduler]:
        """Return the practice leagues that are to be updated now.

        schedulers: of all leagues of the run, by id; those of practice leagues are added and dropped.
        under_way: the batches that the run plays.
        """
        now = self._clock()
        if self._tidied is None or now - self._tidied >= TIDY_EVERY:
            PracticeLeagues(self._store).tidy(now)
            self._tidied = now
        plays = list(under_way)
        playing = {play.row.league for play in plays}
        known = {league for league, scheduler in schedulers.items() if scheduler.is_practice}
        rows = {row.id: row for row in PracticeLeagues(self._store).all()} if self._terms.cpu_per_day or known else {}
        self._turn = self._next(list(rows.values()), schedulers, plays, now)
        looked = [league for league in rows if league in (playing & known) | self._ended | set(self._turn)]
        self._ended.clear()
        for league in known - playing - set(looked):
            if league not in rows or not rows[league].is_open or len(known) > MOST_KNOWN:
                del schedulers[league]
        return [schedulers[league] for league in looked if self._add(schedulers, rows[league])]

    def _next(
        self,
        rows: list[PracticeRow],
        schedulers: MutableMapping[int, LeagueScheduler],
        plays: Iterable[BatchPlay],
        now: datetime,
    ) -> list[int]:
        """Return the leagues whose turn it is; none where others have more to play, or the day is used up."""
        if not rows or not (self.is_idle or self._is_due):
            return []
        used = Counter(PracticeLeagues(self._store).used_ms(now))
        self._owners = {row.id: row.owner for row in rows}
        for play in plays:
            if play.row.league in self._owners and not play.is_closing:  # else it is counted already
                seconds = max(play.pace.usual_seconds, play.seconds)
                used[self._owners[play.row.league]] += round(1000 * seconds)
        if used.total() / 1000 >= self._terms.cpu_per_day:
            return []
        for row in rows:
            if row.is_open and row.matches >= MOST_MATCHES:
                reason = f"it has had its {MOST_MATCHES:,} matches"
                Leagues(self._store).set_state(row.id, "closed", PROGRAM, reason)
        able = [row for row in rows if row.is_open and row.matches < MOST_MATCHES and not self._rests(row, schedulers)]
        able.sort(key=attrgetter("matches"))
        able.sort(key=lambda row: used[row.owner])
        return [row.id for row in able][:AT_ONCE]

    @staticmethod
    def _rests(row: PracticeRow, schedulers: MutableMapping[int, LeagueScheduler]) -> bool:
        """Return whether a league cannot be drawn or played for now, so that others have its turn."""
        scheduler = schedulers.get(row.id)
        return scheduler is not None and scheduler.problems.oldest is not None

    def _add(self, schedulers: MutableMapping[int, LeagueScheduler], row: PracticeRow) -> bool:
        """Have a scheduler of a league among the others; return whether there is one."""
        if row.id not in schedulers:
            try:
                schedulers[row.id] = self._schedule(row.name)
            except NoSuchRow:
                return False
        return True

    @property
    def _is_due(self) -> bool:
        return bool(self._terms.every) and self._others >= self._terms.every

    def in_turn(self, schedulers: MutableMapping[int, LeagueScheduler]) -> list[LeagueScheduler]:
        """Return the leagues of which a batch may be leased, in this order."""
        others = [scheduler for scheduler in schedulers.values() if not scheduler.is_practice]
        others.sort(key=attrgetter("seconds"))
        turn = [schedulers[league] for league in self._turn if league in schedulers]
        if self._is_due:
            return [*turn, *others]
        return [*others, *turn] if self.is_idle else others

    def note_lease(self, scheduler: LeagueScheduler) -> None:
        """Note that a batch of a league begins."""
        if scheduler.is_practice:
            self._others = 0
            owner = self._owners.get(scheduler.id)
            self._turn.sort(key=lambda league: self._owners[league] == owner)  # until the next look
        else:
            self._others += 1
            self.is_idle = False  # until a look has found that it was the last

    def note_end(self, scheduler: LeagueScheduler, play: BatchPlay) -> None:
        """Note what a batch has used, whatever came of it."""
        if not scheduler.is_practice:
            self.is_idle = False
            return
        self._ended.add(scheduler.id)
        owner = PracticeLeagues(self._store).owner_of(scheduler.id)
        if owner:
            PracticeLeagues(self._store).add_use(owner, self._clock(), round(play.seconds * 1000))
