"""The iterations of a run as the work of an executor: referees stay from one iteration to the next.

To an executor they look like one stage of a tournament, in which each block of rounds is an iteration and has bots of
its own.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from fractions import Fraction

from msgspec.structs import replace

from arena.packs.parameters import fill
from arena.plan.schedule import Offset, PhasePlan, Plan
from arena.run.backlog import Backlog
from arena.run.dispatcher import Assigned, StageWork
from arena.run.referees import RefereeGone
from arena.run.work_units import WorkUnit
from arena.values.definition import Definition
from arena.values.rows import MatchRow
from arena_tune.parameters import texts
from arena_tune.plan import TunePlan
from arena_tune.spsa import Proposal
from referee.v1.work_pb2 import Phase, PhaseEnd

ONE, OTHER = 0, 1
"""The places of the two bots in the field."""


class IterationBacklog(Backlog):
    """Units that come as results do, until it is closed."""

    def __init__(self) -> None:
        super().__init__(iter(()))
        self._added: deque[WorkUnit] = deque()

    @property
    def waiting(self) -> int:
        """How many units no referee has had."""
        return len(self._added)

    def add(self, units: Sequence[WorkUnit]) -> None:
        """Add units."""
        self._added.extend(units)
        self._idle.unpark_all()

    async def _next(self) -> WorkUnit | None:
        return self._added.popleft() if self._added and not self.closed.is_set() else None

    def _is_over(self) -> bool:
        return self.closed.is_set() and super()._is_over()


@dataclass(slots=True)
class IterationSums:
    """What is known of an iteration under way."""

    number: int
    proposal: Proposal
    definition: Definition
    """That of its matches, in which the commands of both bots have their values."""
    first_deal: int
    matches: int
    """How many it has."""
    rows: list[MatchRow] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether all its matches have ended."""
        return len(self.rows) == self.matches

    @property
    def result(self) -> float:
        """Wins less losses of the first bot; each match counts for what its pairs of seats do on average."""
        return float(sum(map(outcome, self.rows), start=Fraction(0)))

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many matches the first bot won, drew and lost."""
        outcomes = [outcome(row) for row in self.rows]
        return (
            sum(each > 0 for each in outcomes),
            sum(not each for each in outcomes),
            sum(each < 0 for each in outcomes),
        )

    @property
    def faults(self) -> int:
        """The number of faults, of both bots."""
        return sum(len(row.faults) for row in self.rows)


def outcome(row: MatchRow) -> Fraction:
    """Return what a match says for the first bot: 1 if it won, -1 if it lost; with several seats the mean of all pairs.

    The order of numbers that are added must not matter, so these are fractions.
    """
    ranks = [[seat.rank for seat in row.seats if seat.entrant == place] for place in (ONE, OTHER)]
    pairs = [(one, other) for one in ranks[ONE] for other in ranks[OTHER]]
    return Fraction(sum((one < other) - (one > other) for one, other in pairs), len(pairs))


@dataclass(slots=True)
class IterationWork(StageWork):
    """The work of a run, in which each iteration has bots of its own."""

    open: dict[int, IterationSums] = field(default_factory=dict)
    """The iterations under way, by number."""
    rotations: int = 1
    """Of a deal: as many phases has an iteration."""
    jobs: int = 1
    """The number of referees."""

    def definition_of(self, unit: WorkUnit) -> Definition:
        """Return the definition by which a unit is played."""
        return self.open[unit.number // self.rotations].definition

    def overlaps(self, unit: WorkUnit, assigned: Assigned) -> bool:
        """Return whether a referee may have its next unit before it has ended this one: if others have enough."""
        backlog = self.backlog
        assert isinstance(backlog, IterationBacklog)
        return self.overlap and backlog.waiting >= self.jobs and unit.number // self.rotations in self.open

    def message(self, unit: WorkUnit, assigned: Assigned) -> Phase:
        """Return the message that makes a referee play what is left of a unit."""
        return unit.message(self.definition_of(unit), self.secret, (), self.hosting)

    def lost(self, assigned: Assigned, gone: RefereeGone) -> None:
        """Return the units of a referee that is gone to the backlog, but those of which every match has ended."""
        for unit in assigned.values():
            if not unit.left:
                self.backlog.finish()
        StageWork.lost(self, {number: unit for number, unit in assigned.items() if unit.left}, gone)

    def _withdraw(self, end: PhaseEnd, unit: WorkUnit) -> dict[int, str]:
        """Withdraw no bot: the next iteration has other values."""
        return {}


class Iterations:
    """The matches of each iteration of a run.

    definition: of the whole run; its blocks are the iterations.
    has_common_deals: whether all iterations have the same deals.
    """

    def __init__(self, definition: Definition, plan: TunePlan, secret: bytes, *, has_common_deals: bool) -> None:
        self._definition = definition
        self._plan = plan
        self._schedule = Plan.of(definition, secret)
        self._common = changed(self._schedule, rounds=definition.block) if has_common_deals else None
        self._phases: Iterator[PhasePlan] = self._schedule.iter_phases()
        self._next = 0
        self.rotations = self._schedule.rotations
        """Of a deal."""
        self.matches = self.rotations * self._schedule.tables * definition.block
        """Of an iteration."""
        self.processes = self._schedule.processes
        """The most of a phase."""

    def begin(self, number: int, proposal: Proposal) -> tuple[IterationSums, list[WorkUnit]]:
        """Return an iteration and its units. Iterations are begun in order."""
        phases = self._phases_of(number)
        values = [texts(self._plan.parameters, each) for each in (proposal.one, proposal.other)]
        bots = zip(self._definition.field, values, strict=True)
        definition = replace(
            self._definition, field=tuple(replace(bot, command=fill(bot.command, given)) for bot, given in bots)
        )
        units = [WorkUnit(phase.id, {match.number: match for match in phase.matches}) for phase in phases]
        first_deal = phases[0].matches[0].deal.number
        return IterationSums(number, proposal, definition, first_deal, self.matches), units

    def _phases_of(self, number: int) -> list[PhasePlan]:
        if self._common is not None:
            offset = Offset(match=number * self._common.matches, phase=number * self.rotations)
            return list(changed(self._common, offset=offset).iter_phases())
        assert number >= self._next, "iterations are begun in order"
        for _ in range((number - self._next) * self.rotations):
            next(self._phases)
        self._next = number + 1
        return [next(self._phases) for _ in range(self.rotations)]
