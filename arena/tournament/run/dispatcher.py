"""The work of one stage: units go to an executor, records come back, and what is lost is handed out again."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from shlex import quote

from arena.errors import ArenaError
from arena.store.failure_rows import ProcessFailureRow
from arena.store.rows import ContentionRow, MatchRow, OutputRow
from arena.tournament.errors import RefereeError
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.secret import match_seed
from arena.tournament.run.backlog import Backlog
from arena.tournament.run.hosting import Hosting
from arena.tournament.run.record_rows import (
    failure_row,
    match_row,
    output_rows,
    strain_row,
    withdrawals,
)
from arena.tournament.run.work_units import Unit
from referee.v1.work_pb2 import Phase, WorkResponse

REPEATS = 3
"""How many referees may die over a unit in a row, without a single record, before the tournament gives up."""

InHand = dict[int, Unit]
"""The units that a referee has, by number, in the order in which it plays them."""


@dataclass(slots=True)
class Haul:
    """What is to be stored. size: of the message that brought it, in bytes."""

    rows: list[MatchRow] = field(default_factory=list)
    outputs: list[OutputRow] = field(default_factory=list)
    strains: list[ContentionRow] = field(default_factory=list)
    failures: list[ProcessFailureRow] = field(default_factory=list)
    withdrawn: dict[int, str] = field(default_factory=dict)
    size: int = 0


@dataclass(slots=True)
class Work:
    """What an executor is given.

    hosting: how bots are run. backlog: the units. keep: stores what came of them, and lets nobody go on before there
    is room for it. withdrawn: bots that play no more, by place in the field. say: is told what people should read.
    fail: ends the work with an error that is raised once everything has ended.
    """

    definition: Definition
    secret: bytes
    hosting: Hosting
    backlog: Backlog
    keep: Callable[[Haul], Awaitable[None]]
    withdrawn: set[int]
    say: Callable[[str], None]
    fail: Callable[[ArenaError], None]

    def message(self, unit: Unit) -> Phase:
        """Return the message that makes a referee play what is left of a unit."""
        return unit.message(self.definition, self.secret, self.withdrawn, self.hosting)

    async def take(self, response: WorkResponse, in_hand: InHand) -> None:
        """Strike what has come off the units in hand, and have it stored."""
        haul = Haul(size=response.ByteSize())
        for failure in response.process_failures:
            row = failure_row(failure, in_hand[failure.phase])
            haul.failures.append(row)
            name = self.definition.field[row.entrant].name
            self.say(f"processes of {name} fail: `arena failures --bot {quote(name)}` lists when and how")
        for record in response.records:
            for unit in in_hand.values():
                if match := unit.left.pop(record.match, None):
                    unit.fruitless = 0
                    haul.rows.append(match_row(record, match, unit, match_seed(self.secret, match.deal.number)))
                    break
        for end in response.ends:
            unit = in_hand.pop(end.phase)
            haul.outputs += output_rows(end, unit)
            if self.definition.time.mode == "clock":
                haul.strains.append(strain_row(end, unit))
            haul.withdrawn |= self._withdraw(withdrawals(end, unit))
            if unit.left:
                self._repeat(unit, end.lag_us)
            else:
                self.backlog.finish()
        await self.keep(haul)

    def lost(self, in_hand: InHand, why: str) -> None:
        """Have what is left of the units handed out again: the referee that had them is gone. `why`: ": REASON"."""
        self.say(f"a referee process died, and another one takes over its matches{why}")
        under_way = next(iter(in_hand.values()), None)
        if under_way is not None:
            under_way.fruitless += 1
            if under_way.fruitless == REPEATS:
                self.fail(RefereeError(f"{REPEATS} referees in a row died over the same matches{why}"))
                return
        for left in in_hand.values():
            self.backlog.give_back(left)

    def _withdraw(self, reasons: dict[int, str]) -> dict[int, str]:
        """Return the bots that are withdrawn only now, and why."""
        fresh = {entrant: reason for entrant, reason in reasons.items() if entrant not in self.withdrawn}
        for entrant, reason in fresh.items():
            name = self.definition.field[entrant].name
            self.say(
                f"{name} is withdrawn from the tournament: {reason}; "
                f"`arena failures --bot {quote(name)} --output` tells what it printed last"
            )
        self.withdrawn.update(fresh)
        return fresh

    def _repeat(self, unit: Unit, lag_us: int) -> None:
        """Have the matches that were void played again, by fresh processes."""
        unit.fruitless += 1
        if unit.fruitless < REPEATS:
            self.backlog.give_back(unit)
            return
        most = self.definition.time.most_lag_ms
        why = ""
        if most and lag_us > most * 1000:
            why = (
                f": the machine is too busy for fair clocks, and kept an answer waiting {lag_us / 1000:.0f} ms where "
                f"{most} ms may be; let less run beside it, or begin with a longer --lag"
            )
        self.fail(RefereeError(f"{len(unit.left)} matches came to no result {REPEATS} times in a row{why}"))
