"""A batch on its way: its units, and what came of them so far."""

from collections.abc import Callable
from dataclasses import replace

from arena.league.run.batch_sums import batch_sums
from arena.league.run.note_budget import NoteBudget
from arena.league.store.league_rows import BatchResult, BatchRow, Lease
from arena.plan.schedule import Plan
from arena.results.openings import find_openings
from arena.run.backlog import Backlog
from arena.run.dispatcher import ResultBatch, StageWork
from arena.run.hosting import Hosting
from arena.run.work_units import WorkUnit, units
from arena.values.definition import Definition
from arena.values.errors import ArenaError

SHIFT = 32
"""Units and matches have numbers of their own in each batch; in a run, that of the batch stands above these bits."""

MASK = (1 << SHIFT) - 1


class BatchPlay:
    """A leased batch. Nothing of it is stored before it is complete.

    slot: its number in this run.
    lease: the attempt.
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
    ) -> None:
        self.slot = slot
        self.row = row
        self.lease = Lease(row.league, row.number, row.attempt)
        self.is_slow = is_slow
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
        self._began[unit] = now

    def end(self, unit: int, now: float, *, is_played: bool = True) -> None:
        """Note when a referee has ended with a unit, or is gone."""
        self._seconds += now - self._began.pop(unit, now)
        self._out.discard(unit)
        self._left -= is_played

    @property
    def is_out(self) -> bool:
        """Whether referees have units of it, or will."""
        return bool(self._out)

    @property
    def units_out(self) -> int:
        """How many of its units referees have, or will."""
        return len(self._out)

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

    def _withdraw(self, failures: dict[int, int], unit: WorkUnit) -> dict[int, str]:
        rotation = (unit.number & MASK) + 1
        return {
            entrant: f"its processes failed {count} times in rotation {rotation} of a batch"
            for entrant, count in failures.items()
        }
