"""A batch on its way: its units, and what came of them so far."""

from collections.abc import Callable, Collection
from dataclasses import replace

from arena.league.run.batch_pace import UNKNOWN_PACE, BatchPace
from arena.league.run.batch_sums import batch_sums
from arena.league.run.note_budget import NoteBudget
from arena.league.store.league_rows import BatchResult, BatchRow, Lease
from arena.plan.schedule import Plan
from arena.results.openings import find_openings
from arena.run.backlog import Backlog
from arena.run.dispatcher import ResultBatch, StageWork
from arena.run.hosting import Hosting
from arena.run.record_rows import withdrawals
from arena.run.work_units import WorkUnit, units
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.rows import MatchRow
from referee.v1.work_pb2 import PhaseEnd

SHIFT = 32
"""Units and matches have numbers of their own in each batch; in a run, that of the batch stands above these bits."""

MASK = (1 << SHIFT) - 1

KNOWN_PART = 20
"""Once one of so many matches has ended, those that are left take as long each."""


class BatchPlay:
    """A leased batch. Nothing of it is stored before it is complete.

    slot: its number in this run.
    lease: the attempt.
    slow_entries: those entries.
    pace: what is known of the time that it takes.
    began_at: when a referee began with it, on trio's clock; None before.
    is_busy: whether its bots compute rather than wait, as far as has been seen.
    row: the batch as stored.
    is_closing, is_closed: whether it is being stored or given back, and whether that is done.
    is_unfit: whether it could not be played, maybe for want of something here.
    is_slow: whether it has an entry that takes much longer than others.
    """

    def __init__(
        self,
        slot: int,
        row: BatchRow,
        definition: Definition,
        secret: bytes,
        hosting: Hosting,
        backlog: Backlog,
        say: Callable[[str], None],
        *,
        is_slow: bool = False,
        slow_entries: Collection[int] = (),
        pace: BatchPace = UNKNOWN_PACE,
    ) -> None:
        self.slot = slot
        self.row = row
        self.lease = Lease(row.league, row.number, row.attempt)
        self.is_slow = is_slow
        self.slow_entries = slow_entries
        self.pace = pace
        self.began_at: float | None = None
        self.is_busy = False
        self.is_closing = self.is_closed = self.is_unfit = False
        self._results = _Results()
        self.work = _BatchWork(definition, secret, hosting, backlog, self._results.keep, set(), say, self._results.fail)
        self._plan = Plan.of(definition, secret)
        self._units = units(self._plan, (), 1, slot << SHIFT)
        self._left = self._plan.phases
        self._seconds = 0.0
        self._began: dict[int, float] = {}
        self._out = set[int]()

    def next_unit(self) -> WorkUnit | None:
        """Return a unit that was not handed out yet; None if there is none, or the batch has failed."""
        return None if self.failed else next(self._units, None)

    def hand_out(self, unit: int) -> None:
        """Note that a unit is on its way to a referee."""
        self._out.add(unit)

    def begin(self, unit: int, now: float) -> None:
        """Note when a referee begins with a unit."""
        if self.began_at is None:
            self.began_at = now
        self._began[unit] = now

    def end(self, unit: int, now: float, *, is_played: bool = True) -> None:
        """Note when a referee has ended with a unit, or is gone."""
        self._seconds += now - self._began.pop(unit, now)
        self._out.discard(unit)
        self._left -= is_played

    @property
    def seconds(self) -> float:
        """The seconds of a core that referees have spent on it so far."""
        return self._seconds

    @property
    def is_out(self) -> bool:
        """Whether referees have units of it, or will."""
        return bool(self._out)

    @property
    def units_out(self) -> int:
        """How many of its units referees have, or will."""
        return len(self._out)

    @property
    def shares_core(self) -> bool:
        """Whether its bots may share a core with those of others: not in mode clock, where it is theirs."""
        return self.work.definition.time.mode == "fast"

    @property
    def memory_bytes(self) -> int:
        """How much memory each of its bots may take."""
        return self.work.definition.time.memory_bytes

    @property
    def has_lane(self) -> bool:
        """Whether it is slow and leaves referees to others: parts of a final share them instead."""
        return self.is_slow and not (self.row.kind == "final" and self.shares_core)

    @property
    def played(self) -> int:
        """How many of its matches have ended."""
        return len(self._results.kept.rows)

    def seconds_left(self, now: float) -> float | None:
        """Return how long it takes from a moment on, in seconds by the clock, as far as is known.

        By the matches that have ended or, as long as these are few, by what its slowest bot took before.
        """
        if self.began_at is None:
            return None
        passed, played, matches = now - self.began_at, self.played, self._plan.matches
        if played * KNOWN_PART >= matches:
            return passed * (matches - played) / played
        turns = -(-self._plan.phases // max(self.units_out, 1))
        left = self.pace.slowest_seconds * turns - passed
        return left if left > 0 else None

    def is_late(self, now: float) -> bool:
        """Return whether it should be over by a moment, on trio's clock."""
        return self.began_at is not None and now - self.began_at > self.pace.late_seconds

    def overruns(self, now: float) -> bool:
        """Return whether it takes so long by a moment, on trio's clock, that it counts as slow whatever its bots do."""
        return self.began_at is not None and now - self.began_at > self.pace.overrun_seconds

    @property
    def unheard_of(self) -> set[int]:
        """The entries of which no match has ended so far."""
        heard = {seat.entrant for row in self._results.kept.rows for seat in row.seats}
        return {entry for place, entry in enumerate(self.row.entries) if place not in heard}

    @property
    def is_complete(self) -> bool:
        """Whether all units were played."""
        return not self._left

    @property
    def failed(self) -> str:
        """Why it came to no result; empty until then."""
        return self._results.failed

    def fail(self, error: ArenaError, *, is_unfit: bool = False) -> None:
        """Give the batch up; its units that are still played are not stored.

        is_unfit: whether this machine may be the reason.
        """
        self.is_unfit |= is_unfit
        self._results.fail(error)

    def plays_last(self, deal: int) -> bool:
        """Return whether all matches of a deal but one are played."""
        played = sum(row.deal == deal for row in self._results.kept.rows)
        return played >= self._plan.matches // self._plan.deal_count - 1

    def played_after(self, count: int) -> list[MatchRow]:
        """Return the matches that were played after the first `count` of them."""
        return self._results.kept.rows[count:]

    def result(self) -> BatchResult:
        """Return what is stored once it is complete."""
        collected = self._results.kept
        rows = [replace(row, phase=row.phase & MASK) for row in collected.rows]
        definition = self.work.definition
        opening_of = find_openings(definition.game, definition.options)
        sums = batch_sums(rows, self.row.entries, definition.team_of, collected.ready_us, opening_of=opening_of)
        return BatchResult(
            rows=rows,
            sums=sums.to_bytes(),
            seconds=self._seconds,
            outputs=[replace(row, phase=row.phase & MASK) for row in collected.outputs],
            failures=[replace(row, phase=row.phase & MASK) for row in collected.failures],
            withdrawn=dict(collected.withdrawn),
        )


class _Results:
    """What came of a batch. It holds no reference to it: its matches must not wait for the garbage collector."""

    def __init__(self) -> None:
        self.kept = ResultBatch()
        self.failed = ""
        self._notes = NoteBudget()

    async def keep(self, batch: ResultBatch) -> None:
        self.kept.rows += map(self._notes.limited, batch.rows)
        self.kept.outputs += batch.outputs
        self.kept.failures += batch.failures
        self.kept.withdrawn |= batch.withdrawn
        self.kept.ready_us.update(batch.ready_us)

    def fail(self, error: ArenaError) -> None:
        self.failed = self.failed or str(error)


class _BatchWork(StageWork):
    """The work of one batch. An entry that is withdrawn plays the other rotations: they all begin alike."""

    def _withdraw(self, end: PhaseEnd, unit: WorkUnit) -> dict[int, str]:
        rotation = f"in rotation {(unit.number & MASK) + 1} of a batch"
        slow = {player.entrant for player, left in zip(unit.players, end.players, strict=True) if left.too_slow}
        return {
            entrant: f"it took longer than a bot may for all its answers {rotation}"
            if entrant in slow
            else f"its processes failed {count} times {rotation}"
            for entrant, count in withdrawals(end, unit).items()
        }
