"""Dispatches the work of one stage: units go out, records come back, lost units go out again."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

import trio

from arena.plan.secret import match_seed
from arena.record.printed import python_cause
from arena.run.backlog import Backlog
from arena.run.busy_machine import BusyMachine
from arena.run.core_load import CoreLoad
from arena.run.hosting import Hosting
from arena.run.record_rows import (
    contention_row,
    failure_row,
    match_row,
    output_rows,
    ready_times,
    row_under_way,
    withdrawals,
)
from arena.run.referees import RefereeGone
from arena.run.work_units import WorkUnit
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import ContentionRow, MatchRow, OutputRow
from arena.values.texts import shell_line
from arena.values.tournament_errors import RefereeError
from referee.process.awake_clock import stood_too
from referee.v1.work_pb2 import Phase, PhaseEnd, UnderWay, WorkResponse

REPEATS = 3
"""How many referees may die over a unit in a row, without a single record, before the tournament gives up."""

Live = Callable[[Sequence[MatchRow]], None]
"""Called with the rows of matches under way."""

Assigned = dict[int, WorkUnit]
"""The units that a referee has been given, by number, in the order in which it plays them."""


@dataclass(slots=True)
class ResultBatch:
    """What one message of a referee brought to be stored."""

    rows: list[MatchRow] = field(default_factory=list)
    outputs: list[OutputRow] = field(default_factory=list)
    contention: list[ContentionRow] = field(default_factory=list)
    failures: list[ProcessFailureRow] = field(default_factory=list)
    withdrawn: dict[int, str] = field(default_factory=dict)
    ready_us: Counter[int] = field(default_factory=Counter)
    """How long the bots took to get ready for matches, in µs, by place in the field."""
    size: int = 0
    """The size of the message, in bytes."""


@dataclass(slots=True)
class StageWork:
    """The work of one stage of a tournament, as an executor takes it (`arena.run.executor.Work`)."""

    definition: Definition
    secret: bytes
    hosting: Hosting
    """How the bots are run."""
    backlog: Backlog
    """The units that are to be played."""
    keep: Callable[[ResultBatch], Awaitable[None]]
    """Stores a batch of results, and returns once there is room for another."""
    withdrawn: set[int]
    """The bots that no longer play, by place in the field."""
    say: Callable[[str], None]
    """Prints a line for people."""
    fail: Callable[[ArenaError], None]
    """Ends the work with an error that is raised once everything has ended."""
    busy: BusyMachine = field(default_factory=BusyMachine)
    """What happens where the machine is too busy for fair clocks."""
    overlap: bool = True
    """Whether a referee may have its next unit before it has ended one."""
    live: Live | None = None
    """Is told of matches under way; None: nobody watches."""
    _failing: set[int] = field(default_factory=set)
    """The bots of which it was said that their processes fail."""

    def definition_of(self, unit: WorkUnit) -> Definition:
        """Return the definition by which a unit is played."""
        return self.definition

    def overlaps(self, unit: WorkUnit, assigned: Assigned) -> bool:
        """Return whether a referee may have its next unit before it has ended this one."""
        return self.overlap

    @property
    def shares_cores(self) -> bool:
        """Whether referees play units beside each other: not those of a tournament."""
        return False

    async def beside(
        self, assigned: Assigned, load: CoreLoad, room: Callable[[], Awaitable[int]]
    ) -> Sequence[WorkUnit]:
        """Return nothing more."""
        return ()

    def message(self, unit: WorkUnit, assigned: Assigned) -> Phase:
        """Return the message that makes a referee play what is left of a unit."""
        return unit.message(self.definition, self.secret, self.withdrawn, self.hosting)

    async def take(self, response: WorkResponse, assigned: Assigned) -> None:
        """Take the matches of a response off the units assigned, and store them."""
        if self.live is not None and response.under_way:
            rows = [row for report in response.under_way for row in self._under_way(report, assigned)]
            await trio.to_thread.run_sync(self.live, rows)
        if response.records and self.busy.is_waiting:
            self.say(f"clocks are fair again after {self.busy.end():.0f} s; the tournament goes on")
        batch = ResultBatch(size=response.ByteSize())
        for failure in response.process_failures:
            row = failure_row(failure, assigned[failure.phase])
            batch.failures.append(row)
            name = self.definition.field[row.entrant].name
            if row.entrant not in self._failing:
                self._failing.add(row.entrant)
                cause = python_cause(row.output.splitlines())
                first = f"; the first: {cause}" if cause else ""
                self.say(
                    f"processes of {name} fail: `arena failures --bot {shell_line(name)}` lists when and how{first}"
                )
        for record in response.records:
            if not stood_too(record.standstill_ms / 1000):
                self.say("a referee process stood still alone: its matches of that moment are void and played again")
                continue
            if record.standstill_ms:
                self.say(
                    f"the machine stood still for {round(record.standstill_ms / 1000) or 1} s; no bot is charged for it"
                )
            for unit in assigned.values():
                if match := unit.left.pop(record.match, None):
                    unit.fruitless = 0
                    seed = match_seed(self.secret, match.deal.number, self.definition.game)
                    batch.rows.append(match_row(record, match, unit, seed))
                    break
        for end in response.ends:
            unit = assigned.pop(end.phase)
            batch.outputs += output_rows(end, unit)
            if self.definition.time.mode == "clock":
                batch.contention.append(contention_row(end, unit))
            batch.ready_us.update(ready_times(end, unit))
            batch.withdrawn |= self._withdraw(end, unit)
            if unit.left and not self.backlog.closed.is_set():
                self._repeat(unit, end.lag_us)
            else:
                self.backlog.finish()
        await self.keep(batch)

    def _under_way(self, report: UnderWay, assigned: Assigned) -> Iterator[MatchRow]:
        """Yield the row of a match under way, unless it was over meanwhile."""
        for unit in assigned.values():
            if match := unit.left.get(report.match):
                seed = match_seed(self.secret, match.deal.number, self.definition.game)
                yield row_under_way(report, match, unit, seed, self.definition.game)

    def lost(self, assigned: Assigned, gone: RefereeGone) -> None:
        """Return the units of a referee that is gone to the backlog.

        gone: how and why it is gone.
        """
        self.say(f"a referee process {gone.how}, and another one takes over its matches{gone.why}")
        current = next(iter(assigned.values()), None)
        if current is not None:
            current.fruitless += 1
            if current.fruitless == REPEATS:
                self.fail(RefereeError(f"{REPEATS} referees in a row {gone.how} with the same matches{gone.why}"))
                return
        for unit in assigned.values():
            self.backlog.give_back(unit)

    def _withdraw(self, end: PhaseEnd, unit: WorkUnit) -> dict[int, str]:
        """Withdraw bots, and return those that were not withdrawn before, with the reasons, which everybody may read.

        end: what the bots of a unit left behind.
        """
        new = {
            entrant: f"{count} process failures in phase {unit.number}"
            for entrant, count in withdrawals(end, unit).items()
            if entrant not in self.withdrawn
        }
        for entrant, reason in new.items():
            name = self.definition.field[entrant].name
            self.say(
                f"{name} is withdrawn from the tournament: {reason}; "
                f"`arena failures --bot {shell_line(name)} --output` tells what it printed last"
            )
        self.withdrawn.update(new)
        return new

    def _repeat(self, unit: WorkUnit, lag_us: int) -> None:
        """Return a unit with void matches to the backlog, to be played by new processes, now or when there is time."""
        unit.fruitless += 1
        if unit.fruitless < REPEATS:
            self.backlog.give_back(unit)
            return
        most = self.definition.time.most_lag_ms
        why = ""
        if most and lag_us > most * 1000:
            busy = (
                f"the machine is too busy for fair clocks, and kept an answer waiting {lag_us / 1000:.0f} ms where "
                f"{most} ms may be"
            )
            is_new = not self.busy.is_waiting
            if (pause := self.busy.pause()) is not None:
                if is_new:
                    self.say(
                        f"{busy}; the tournament waits and goes on by itself: let less run beside it, or stop with "
                        "Ctrl-C (--busy-limit sets how long it waits)"
                    )
                unit.fruitless -= 1
                self.backlog.rest(pause)
                self.backlog.give_back(unit)
                return
            why = f": {busy}; let less run beside it and resume, or begin with a longer --lag"
        self.fail(RefereeError(f"{len(unit.left)} matches came to no result {REPEATS} times in a row{why}"))
