"""Which bots sit at which table, and in which cyclic order: endless sequences of tables, each a function of the secret.

    RoundRobin   everybody meets everybody, as equally often as possible
    MixedTeams   the same, with partners drawn from the field
    Gauntlet     challengers meet a fixed field; all of them get the same opponents and deals
    FixedTables  tables that are fixed in advance (a stage of a Swiss, a knockout or a ladder)

The cyclic orders are balanced too: over a tournament every bot sits right after every other about equally often.
Rotations never change who follows whom.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, count, permutations
from typing import NamedTuple, Protocol

from arena.plan.partners import Partners
from referee.engine.chance import Chance

_MAX_SHUFFLES = 24
"""Random orders of a table to choose the best from, if the table is too large to try all orders."""

_ALL_ORDERS = 6
"""The largest table of which all cyclic orders are tried: 120."""


class Player(NamedTuple):
    """A process of a bot: the bot's index in the field, and the number of the copy, from 0."""

    entrant: int
    copy: int


Table = tuple[Player, ...]
"""The players of a table in cyclic order."""


class Seating(Protocol):
    """Fills the tables of one round after another."""

    @property
    def tables(self) -> int:
        """The number of tables in each round."""

    @property
    def processes(self) -> int:
        """The maximum number of processes in a phase."""

    def __call__(self, chance: Chance) -> Iterator[Table]:
        """Yield the tables of all rounds, without end."""


class NeighbourBalance:
    """Chooses cyclic orders so that every bot follows every other about equally often."""

    def __init__(self, bots: int) -> None:
        self._follows = [[0] * bots for _ in range(bots)]

    def best_order(self, table: Sequence[Player], chance: Chance, number: int) -> Table:
        """Return the players of table `number` in the order with the fewest repeated neighbours, and count it."""
        shuffled = chance.shuffle(table, "schedule", "table", number)
        if len(shuffled) <= _ALL_ORDERS:
            orders = ((shuffled[0], *rest) for rest in permutations(shuffled[1:]))
        else:
            orders = (chance.shuffle(table, "schedule", "order", number, attempt) for attempt in range(_MAX_SHUFFLES))
        best = min(orders, key=self._repeats)
        for player, successor in zip(best, (*best[1:], best[0]), strict=True):
            self._follows[player.entrant][successor.entrant] += 1
        return best

    def _repeats(self, order: Table) -> int:
        """Return how often the neighbours in an order were neighbours before."""
        follows = self._follows
        return sum(
            follows[one.entrant][other.entrant] for one, other in zip(order, (*order[1:], order[0]), strict=True)
        )


class RoundRobin:
    """Everybody meets everybody: all bots hold equally many seats, to within one, and meet as evenly as possible.

    Tables of two follow the circle method: everybody meets everybody once before any pair meets again, and in an odd
    field one bot at a time sits out. Larger tables are filled from an endless sequence of permutations of the field:
    of the bots left in the current one, the next to sit down is the one that has met those at the table least. A table
    larger than the field has every bot equally often, to within one.
    """

    def __init__(self, bots: int, table_size: int, team_size: int = 1) -> None:
        """Seat a field at tables of `table_size` bots.

        team_size: the most seats that a bot plays as one team.
        """
        self._bots = bots
        self._table_size = table_size
        self._team_size = team_size

    @property
    def tables(self) -> int:
        return max(1, self._bots // self._table_size)

    @property
    def processes(self) -> int:
        return self._bots * -(-self._table_size // self._bots) * self._team_size

    def __call__(self, chance: Chance) -> Iterator[Table]:
        neighbours = NeighbourBalance(self._bots)
        tables = self._circle(chance) if self._table_size == 2 <= self._bots else self._least_met(chance)
        for number, table in enumerate(tables):
            yield neighbours.best_order(table, chance, number)

    def _circle(self, chance: Chance) -> Iterator[list[Player]]:
        """Yield pairs by the circle method, in a new random order of the field for each cycle."""
        ring_size = self._bots + self._bots % 2 - 1
        for cycle in count():
            field: list[int | None] = [*chance.shuffle(range(self._bots), "schedule", "field", cycle)]
            if self._bots % 2:
                field.append(None)  # whoever is paired with None sits out
            *ring, fixed = field
            for turn in range(ring_size):
                pairs = [(fixed, ring[turn])]
                pairs += [(ring[(turn + i) % ring_size], ring[turn - i]) for i in range(1, (ring_size + 1) // 2)]
                for one, other in pairs:
                    if one is not None and other is not None:
                        yield [Player(one, 0), Player(other, 0)]

    def _least_met(self, chance: Chance) -> Iterator[list[Player]]:
        """Yield tables of bots that have met each other least."""
        queue = PermutationQueue(self._bots, chance)
        meetings = [[0] * self._bots for _ in range(self._bots)]
        while True:
            table: list[Player] = []
            copies = Counter[int]()
            familiarity = [0] * self._bots  # by bot: its meetings with those at the table
            for _ in range(self._table_size):
                waiting = queue.waiting()
                _, _, _, bot = min((copies[bot], familiarity[bot], turn, bot) for turn, bot in enumerate(waiting))
                queue.remove(bot)
                table.append(Player(bot, copies[bot]))
                copies[bot] += 1
                familiarity = [total + count for total, count in zip(familiarity, meetings[bot], strict=True)]
            for one in table:
                for other in table:
                    meetings[one.entrant][other.entrant] += one.entrant != other.entrant
            yield table


class MixedTeams:
    """A round-robin with partners from the field: every two bots are partners about equally often."""

    def __init__(self, bots: int, teams: tuple[int, ...]) -> None:
        """Seat a field at tables.

        teams: by seat, the number of its team.
        """
        self._bots = bots
        self._teams = teams

    @property
    def tables(self) -> int:
        return max(1, self._bots // len(self._teams))

    @property
    def processes(self) -> int:
        return self._bots * -(-len(self._teams) // self._bots)

    def __call__(self, chance: Chance) -> Iterator[Table]:
        queue = PermutationQueue(self._bots, chance)
        partners = Partners(self._bots, self._teams)
        table_size = len(self._teams)
        for number in count():
            seated: dict[int, int] = {}
            copies = Counter[int]()
            for position in partners.fill_order:
                met = partners.partnerships(position, seated)
                _, _, _, bot = min((copies[bot], met[bot], turn, bot) for turn, bot in enumerate(queue.waiting()))
                queue.remove(bot)
                seated[position] = bot
                copies[bot] += 1
            order = [seated[position] for position in range(table_size)]
            if self._bots < table_size:
                shuffles = (
                    chance.shuffle(order, "schedule", "table", number, attempt) for attempt in range(_MAX_SHUFFLES)
                )
                order = [*partners.best_order(shuffles)]
            partners.add(order)
            yield tuple(Player(bot, order[:position].count(bot)) for position, bot in enumerate(order))


class Gauntlet:
    """The challengers, the first bots of the field, meet the rest of it.

    In each round every challenger has a table, with the same opponents in the same positions. The deal is the same too
    (see `schedule`), so each copy of an opponent is a process of its own.
    """

    def __init__(self, bots: int, challengers: int, table_size: int, team_size: int = 1) -> None:
        """Seat a field at tables of `table_size` bots.

        team_size: the most seats that a bot plays as one team.
        """
        self._bots = bots
        self._team_size = team_size
        self._challengers = challengers
        self._table_size = table_size

    @property
    def tables(self) -> int:
        return self._challengers

    @property
    def processes(self) -> int:
        opponents = self._bots - self._challengers
        copies = -(-(self._table_size - 1) // opponents)
        return self._challengers * (1 + opponents * copies) * self._team_size

    def __call__(self, chance: Chance) -> Iterator[Table]:
        opponents = RoundRobin(self._bots - self._challengers, self._table_size - 1)(chance)
        for number, group in enumerate(opponents):
            shifted = [Player(self._challengers + player.entrant, player.copy) for player in group]
            position = number % self._table_size
            copies = max(player.copy for player in shifted) + 1
            for challenger in range(self._challengers):
                others = [Player(player.entrant, challenger * copies + player.copy) for player in shifted]
                yield (*others[:position], Player(challenger, 0), *others[position:])


class FixedTables:
    """Tables that are fixed in advance: the same bots in every round, in changing orders."""

    def __init__(self, bots: int, tables: Sequence[Sequence[int]], first: int, team_size: int = 1) -> None:
        """Seat the bots of each table.

        A bot may sit several times at a table, as so many processes, and at several tables, which each of its processes
        plays.

        first: the number of the first table.
        team_size: the most seats that a bot plays as one team.
        """
        self._bots = bots
        self._team_size = team_size
        self._first = first
        self._tables = [
            [Player(bot, table[:position].count(bot)) for position, bot in enumerate(table)] for table in tables
        ]

    @property
    def tables(self) -> int:
        return len(self._tables)

    @property
    def processes(self) -> int:
        return len(set(chain.from_iterable(self._tables))) * self._team_size

    def __call__(self, chance: Chance) -> Iterator[Table]:
        neighbours = NeighbourBalance(self._bots)
        for number in count():
            yield neighbours.best_order(self._tables[number % len(self._tables)], chance, self._first + number)


class PermutationQueue:
    """The bots in the order of an endless sequence of permutations of the field."""

    def __init__(self, bots: int, chance: Chance) -> None:
        self._bots = bots
        self._chance = chance
        self._waiting: list[int] = []
        self._permutations = 0

    def waiting(self) -> list[int]:
        """Return the bots left in the current permutation; the next one begins once all have been removed."""
        if not self._waiting:
            self._waiting.extend(self._chance.shuffle(range(self._bots), "schedule", "field", self._permutations))
            self._permutations += 1
        return self._waiting

    def remove(self, bot: int) -> None:
        """Remove a bot from the current permutation."""
        self._waiting.remove(bot)
