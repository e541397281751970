"""Who sits where: rounds, tables, rotations and phases, as a pure function of a few numbers and the secret.

A round has as many tables as the field fills (at least one). Every table of every round has a deal of
its own, which is played in all cyclic rotations of the table, so that every bot holds every hand.

    deal     = round * tables + table
    match    = deal * seats + rotation
    phase    = block * seats + rotation     all matches of one rotation of a block of rounds

The bots sit down by an endless sequence of seeded permutations of the field, cut into tables. So,
after any number of tables, the sittings of two bots differ by at most one, and everybody meets
everybody equally often in the long run. At the seam of two permutations the bots that sit at the
table already wait until the others have sat down.

Where a table has more seats than there are bots, every bot sits there equally often, give or take
one, each time as a copy in a process of its own.

A phase is played by fresh processes, one for each bot and copy. No process therefore meets a deal
twice, and none can remember hidden cards from another rotation.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from arena.tournament.definition import Definition
from referee.engine.chance import Chance


class Player(NamedTuple):
    """A process: the bot's place in the field, and which of its copies at a table this is (from 0)."""

    entrant: int
    copy: int


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: its number, its round and table, and the players in the cyclic order of the table."""

    number: int
    round: int
    table: int
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One rotation of a deal. players: by seat."""

    number: int
    deal: Deal
    rotation: int
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class PhasePlan:
    """The matches that one set of fresh processes plays."""

    id: int
    matches: tuple[MatchPlan, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole schedule: of `bots` bots at tables of `seats`, over `rounds` rounds in blocks of `block`."""

    bots: int
    seats: int
    rounds: int
    block: int
    secret: bytes

    @classmethod
    def of(cls, definition: Definition, secret: bytes) -> "Plan":
        """Return the schedule of a tournament."""
        return cls(len(definition.field), definition.seats, definition.rounds, definition.block, secret)

    @property
    def tables(self) -> int:
        """The tables of each round."""
        return max(1, self.bots // self.seats)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.rounds * self.tables * self.seats

    @property
    def phases(self) -> int:
        """The number of phases."""
        return -(-self.rounds // self.block) * self.seats

    def numbers(self, phase: int) -> range:
        """Return the numbers of the matches of a phase."""
        block, rotation = divmod(phase, self.seats)
        first = block * self.block * self.tables
        end = min((block + 1) * self.block, self.rounds) * self.tables
        return range(first * self.seats + rotation, end * self.seats + rotation, self.seats)

    def deals(self) -> Iterator[Deal]:
        """Yield all deals in order."""
        chance = Chance(self.secret)
        for number, seated in enumerate(islice(self._tables(chance), self.rounds * self.tables)):
            order = chance.shuffle(seated, "schedule", "table", number)
            yield Deal(number, *divmod(number, self.tables), order)

    def walk(self) -> Iterator[PhasePlan]:
        """Yield all phases in order."""
        deals = self.deals()
        phase = 0
        while block := tuple(islice(deals, self.block * self.tables)):
            for rotation in range(self.seats):
                yield PhasePlan(phase, tuple(self._rotated(deal, rotation) for deal in block))
                phase += 1

    def _rotated(self, deal: Deal, rotation: int) -> MatchPlan:
        players = deal.players[rotation:] + deal.players[:rotation]
        return MatchPlan(deal.number * self.seats + rotation, deal, rotation, players)

    def _tables(self, chance: Chance) -> Iterator[list[Player]]:
        """Yield who sits at each table, without end, in the order of sitting down."""
        waiting: list[int] = []
        permutation = 0
        while True:
            seated: list[int] = []
            table = []
            for _ in range(self.seats):
                if not waiting:
                    waiting.extend(chance.shuffle(range(self.bots), "schedule", "field", permutation))
                    permutation += 1
                bot = min(waiting, key=seated.count)
                waiting.remove(bot)
                table.append(Player(bot, seated.count(bot)))
                seated.append(bot)
            yield table
