"""The matches of batches under way, for those who watch.

Referees report them only while somebody watches, and only matches that take a while. Nothing of it is stored: it is
shown by the program that plays, and by no other one.

A deal is played again in the other rotations of its batch, so its hidden cards are a secret until the last one. Whoever
may see only what is no secret any more gets the matches whose deal nobody plays later. Bots with a grant could read the
pages, and bots that are not confined too: their batches are never shown before they are stored.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from time import monotonic

from arena.league.run.batch_play import MASK, BatchPlay
from arena.plan.schedule import MatchPlan
from arena.plan.secret import match_seed
from arena.run.record_rows import row_under_way
from arena.run.work_units import WorkUnit
from arena.values.rows import MatchRow
from referee.engine.record import unpack_answers
from referee.v1.work_pb2 import UnderWay, WorkResponse

SHOWN_SECONDS = 15.0
"""For which a match is shown after its end."""

KEPT_SECONDS = 10.0
"""For which all is kept when nobody watches any more: longer than referees report without being told again."""

MOST = 64
"""Matches of a batch that are kept; those that are reported no more are dropped first."""


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A match of a batch under way, or one that was over just now."""

    league: int
    batch: int
    attempt: int
    row: MatchRow
    """Its record so far; results count only once it is over."""
    is_over: bool
    is_last: bool
    """Whether its deal is played by nobody later in this attempt."""

    @property
    def key(self) -> tuple[int, int, int]:
        """What tells it from other matches of its league."""
        return self.batch, self.attempt, self.row.number


@dataclass(slots=True)
class _Watched:
    """A match, and how far it was when."""

    row: MatchRow
    reports: deque[tuple[float, int]] = field(default_factory=deque)
    """When it was reported, and with how many bytes of answers."""
    over: float | None = None
    """When it was over."""
    is_last: bool = False

    def is_over(self, row: MatchRow) -> bool:
        """Return whether a state of the match is its end."""
        return self.over is not None and row is self.row


class LiveMatches:
    """What is known of matches under way; safe to be used from several threads.

    delay: how many seconds later it is shown.
    """

    def __init__(self, delay: float = 0.0, clock: Callable[[], float] = monotonic) -> None:
        self.delay = delay
        self._clock = clock
        self._wanted_until = -KEPT_SECONDS
        self._batches: dict[tuple[int, int, int], dict[int, _Watched]] = {}
        self._lock = Lock()

    def want(self, seconds: float) -> None:
        """Note that somebody watches for so long."""
        self._wanted_until = max(self._wanted_until, self._clock() + seconds)

    @property
    def is_wanted(self) -> bool:
        """Whether somebody watches."""
        return self._clock() < self._wanted_until

    @property
    def _is_forgotten(self) -> bool:
        """Whether nobody has watched for so long that referees report everything anew to whoever does."""
        return self._clock() >= self._wanted_until + KEPT_SECONDS

    def of(self, league: int) -> list[LiveMatch]:
        """Return what may be shown of a league now, the oldest matches first."""
        before = self._clock() - self.delay
        with self._lock:
            return [
                LiveMatch(league, number, attempt, row, watched.is_over(row), watched.is_last)
                for (of_league, number, attempt), matches in self._batches.items()
                if of_league == league
                for watched in matches.values()
                if (row := _row_at(watched, before)) is not None
            ]

    def note(self, play: BatchPlay, response: WorkResponse, assigned: Mapping[int, WorkUnit]) -> None:
        """Take from what a referee says of a batch how far its matches are.

        response: with the numbers that matches have in the batch, before they are taken off the units.
        assigned: the units of the batch that the referee has.
        """
        if self._is_forgotten or not is_shown(play):
            return
        plans = {number: (match, unit) for unit in assigned.values() for number, match in unit.left.items()}
        now = self._clock()
        with self._lock:
            matches = self._batches.setdefault(_key(play), {})
            for report in response.under_way:
                if report.match in plans:
                    self._note_report(play, matches, report, *plans[report.match], now)
            recorded = {record.match for record in response.records}
            for end in response.ends:  # what is left of a unit was void, and is played anew
                for number in assigned[end.phase].left.keys() - recorded:
                    matches.pop(number, None)
            while len(matches) > MOST:
                del matches[next(iter(matches))]

    def _note_report(
        self,
        play: BatchPlay,
        matches: dict[int, _Watched],
        report: UnderWay,
        match: MatchPlan,
        unit: WorkUnit,
        now: float,
    ) -> None:
        row = _row(play, report, match, unit)
        watched = matches.setdefault(report.match, _Watched(row))
        watched.row = row
        watched.is_last = play.plays_last(match.deal.number)
        watched.reports.append((now, len(row.answers)))
        while len(watched.reports) > 1 and watched.reports[1][0] <= now - self.delay:
            watched.reports.popleft()

    def end(self, play: BatchPlay, rows: Sequence[MatchRow]) -> None:
        """Note that matches of a batch are over."""
        matches = self._batches.get(_key(play))
        if not matches:
            return
        now = self._clock()
        with self._lock:
            for row in rows:
                if (watched := matches.get(row.number)) is not None:
                    watched.row, watched.over = replace(row, notes=()), now
                    watched.reports.append((now, len(row.answers)))

    def drop(self, play: BatchPlay) -> None:
        """Forget a batch that came to no result."""
        with self._lock:
            self._batches.pop(_key(play), None)

    def tidy(self) -> None:
        """Forget the matches whose end was shown; and everything if nobody watches."""
        before = self._clock() - self.delay - SHOWN_SECONDS
        with self._lock:
            if self._is_forgotten:
                self._batches.clear()
            for key, matches in list(self._batches.items()):
                for number in [one for one, watched in matches.items() if (watched.over or before) < before]:
                    del matches[number]
                if not matches:
                    del self._batches[key]


def is_shown(play: BatchPlay) -> bool:
    """Return whether a batch may be shown before it is stored: no bot of it can read a page."""
    return not play.work.hosting.trusted and not any(bot.grants for bot in play.work.definition.field)


def _key(play: BatchPlay) -> tuple[int, int, int]:
    return play.row.league, play.row.number, play.row.attempt


def _row_at(watched: _Watched, before: float) -> MatchRow | None:
    """Return how far a match was at a time; None if nothing was known of it."""
    lengths = [length for when, length in watched.reports if when <= before]
    if not lengths:
        return None
    if lengths[-1] == len(watched.row.answers):
        return watched.row
    answers = watched.row.answers[: lengths[-1]]
    count = len(unpack_answers(answers))
    says = tuple(say for say in watched.row.says if say.ply < count)
    faults = tuple(fault for fault in watched.row.faults if fault.ply < count)
    return replace(watched.row, answers=answers, says=says, faults=faults)


def _row(play: BatchPlay, report: UnderWay, match: MatchPlan, unit: WorkUnit) -> MatchRow:
    """Return the record of a match so far, without a result."""
    work = play.work
    seed = match_seed(work.secret, match.deal.number, work.definition.game)
    return replace(row_under_way(report, match, unit, seed, work.definition.game), phase=unit.number & MASK)
