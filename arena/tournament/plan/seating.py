"""Who sits down at which table, and in which cyclic order: endless sequences of tables, each a function of the secret.

    RoundRobin   everybody against everybody, as equally often as can be
    Mixed        the same where partners are drawn from the field
    Gauntlet     challengers against a fixed field, all of them with the same opponents and deals
    Given        tables that were settled before (the stages of a Swiss, a knockout or a ladder)

Orders are balanced too: over a tournament every two bots sit next to each other, the one after the other, about equally
often, since rotations never change who follows whom.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, permutations
from typing import NamedTuple, Protocol

from arena.tournament.plan.partners import Partners
from referee.engine.chance import Chance

TRIES = 24
"""Orders of a table from which the best is taken, where there are too many to look at all of them."""

_ALL_ORDERS = 6
"""The largest table of which all cyclic orders are looked at: 120."""


class Player(NamedTuple):
    """A process: the bot's place in the field, and which of its copies this is (from 0)."""

    entrant: int
    copy: int


Table = tuple[Player, ...]
"""The players of a table in its cyclic order."""


class Seating(Protocol):
    """Fills the tables of one round after the other."""

    @property
    def tables(self) -> int:
        """The tables of each round."""

    @property
    def processes(self) -> int:
        """The most processes that play a phase."""

    def __call__(self, chance: Chance) -> Iterator[Table]:
        """Yield the tables of all rounds, without end."""


class Neighbours:
    """Finds cyclic orders in which everybody follows everybody about equally often."""

    def __init__(self, bots: int) -> None:
        self._after = [[0] * bots for _ in range(bots)]

    def order(self, table: Sequence[Player], chance: Chance, number: int) -> Table:
        """Return the players of table `number` in the order that is best so far, and remember it."""
        mixed = chance.shuffle(table, "schedule", "table", number)
        if len(mixed) <= _ALL_ORDERS:
            orders = ((mixed[0], *rest) for rest in permutations(mixed[1:]))
        else:
            orders = (chance.shuffle(table, "schedule", "order", number, again) for again in range(TRIES))
        best = min(orders, key=self._familiar)
        for one, next_one in zip(best, (*best[1:], best[0]), strict=True):
            self._after[one.entrant][next_one.entrant] += 1
        return best

    def _familiar(self, order: Table) -> int:
        after = self._after
        return sum(after[one.entrant][other.entrant] for one, other in zip(order, (*order[1:], order[0]), strict=True))


class RoundRobin:
    """Everybody against everybody. Sittings of two bots never differ by more than one, meetings by as little as can be.

    Where two meet at a table, it is the circle method: everybody meets everybody once before anybody meets somebody
    again, and with an odd field one bot sits out in turn. At larger tables bots sit down by an endless sequence of
    permutations of the field, each time whoever met the others at the table least among those whose turn it is. A
    table that takes more bots than there are has every bot equally often, give or take one.
    """

    def __init__(self, bots: int, size: int, most: int = 1) -> None:
        """Fill tables of `size` from a field; most: the processes that a bot needs for each of its places."""
        self._bots = bots
        self._size = size
        self._most = most

    @property
    def tables(self) -> int:
        return max(1, self._bots // self._size)

    @property
    def processes(self) -> int:
        return self._bots * -(-self._size // self._bots) * self._most

    def __call__(self, chance: Chance) -> Iterator[Table]:
        neighbours = Neighbours(self._bots)
        tables = self._circle(chance) if self._size == 2 <= self._bots else self._least_met(chance)
        for number, table in enumerate(tables):
            yield neighbours.order(table, chance, number)

    def _circle(self, chance: Chance) -> Iterator[list[Player]]:
        round_of = self._bots + self._bots % 2 - 1
        for cycle in count():
            field: list[int | None] = [*chance.shuffle(range(self._bots), "schedule", "field", cycle)]
            if self._bots % 2:
                field.append(None)  # whoever meets nobody sits out
            *ring, fixed = field
            for turn in range(round_of):
                pairs = [(fixed, ring[turn])]
                pairs += [(ring[(turn + i) % round_of], ring[turn - i]) for i in range(1, (round_of + 1) // 2)]
                for one, other in pairs:
                    if one is not None and other is not None:
                        yield [Player(one, 0), Player(other, 0)]

    def _least_met(self, chance: Chance) -> Iterator[list[Player]]:
        queue = Queue(self._bots, chance)
        met = [[0] * self._bots for _ in range(self._bots)]
        while True:
            seated: list[Player] = []
            sitting = Counter[int]()
            familiar = [0] * self._bots
            for _ in range(self._size):
                waiting = queue.waiting()
                _, _, _, bot = min((sitting[bot], familiar[bot], turn, bot) for turn, bot in enumerate(waiting))
                queue.take(bot)
                seated.append(Player(bot, sitting[bot]))
                sitting[bot] += 1
                familiar = [sofar + times for sofar, times in zip(familiar, met[bot], strict=True)]
            for one in seated:
                for other in seated:
                    met[one.entrant][other.entrant] += one.entrant != other.entrant
            yield seated


class Mixed:
    """Everybody with everybody: partners are drawn so that every two bots are together about equally often."""

    def __init__(self, bots: int, teams: tuple[int, ...]) -> None:
        """Fill tables from a field; teams: by seat, the number of its team."""
        self._bots = bots
        self._teams = teams

    @property
    def tables(self) -> int:
        return max(1, self._bots // len(self._teams))

    @property
    def processes(self) -> int:
        return self._bots * -(-len(self._teams) // self._bots)

    def __call__(self, chance: Chance) -> Iterator[Table]:
        queue = Queue(self._bots, chance)
        partners = Partners(self._bots, self._teams)
        size = len(self._teams)
        for number in count():
            seated: dict[int, int] = {}
            sitting = Counter[int]()
            for place in partners.places:
                met = partners.met(place, seated)
                _, _, _, bot = min((sitting[bot], met[bot], turn, bot) for turn, bot in enumerate(queue.waiting()))
                queue.take(bot)
                seated[place] = bot
                sitting[bot] += 1
            order = [seated[place] for place in range(size)]
            if self._bots < size:
                shuffles = (chance.shuffle(order, "schedule", "table", number, shuffle) for shuffle in range(TRIES))
                order = [*partners.best(shuffles)]
            partners.remember(order)
            yield tuple(Player(bot, order[:place].count(bot)) for place, bot in enumerate(order))


class Gauntlet:
    """Challengers, the first bots of the field, against the rest of it.

    In each round every challenger has a table, with the same opponents in the same places. The deal is the same too
    (see `schedule`), so each copy of an opponent is a process of its own.
    """

    def __init__(self, bots: int, challengers: int, size: int, most: int = 1) -> None:
        """Seat `challengers` of a field at tables of `size`; most: the processes that a bot needs for a place."""
        self._bots = bots
        self._most = most
        self._challengers = challengers
        self._size = size

    @property
    def tables(self) -> int:
        return self._challengers

    @property
    def processes(self) -> int:
        opponents = self._bots - self._challengers
        copies = -(-(self._size - 1) // opponents)
        return self._challengers * (1 + opponents * copies) * self._most

    def __call__(self, chance: Chance) -> Iterator[Table]:
        opponents = RoundRobin(self._bots - self._challengers, self._size - 1)(chance)
        for number, group in enumerate(opponents):
            moved = [Player(self._challengers + player.entrant, player.copy) for player in group]
            place = number % self._size
            copies = max(player.copy for player in moved) + 1
            for challenger in range(self._challengers):
                others = [Player(player.entrant, challenger * copies + player.copy) for player in moved]
                yield (*others[:place], Player(challenger, 0), *others[place:])


class Given:
    """Tables that are known: the same in every round, in orders that change."""

    def __init__(self, bots: int, tables: Sequence[Sequence[int]], first: int, most: int = 1) -> None:
        """Seat the bots of each table; nobody may sit at two of them, but several times at one.

        first: what the tables are counted from. most: the processes that a bot needs for a place.
        """
        self._bots = bots
        self._most = most
        self._first = first
        self._tables = [[Player(bot, table[:place].count(bot)) for place, bot in enumerate(table)] for table in tables]

    @property
    def tables(self) -> int:
        return len(self._tables)

    @property
    def processes(self) -> int:
        return sum(map(len, self._tables)) * self._most

    def __call__(self, chance: Chance) -> Iterator[Table]:
        neighbours = Neighbours(self._bots)
        for number in count():
            yield neighbours.order(self._tables[number % len(self._tables)], chance, self._first + number)


class Queue:
    """The bots in the order of an endless sequence of permutations of the field."""

    def __init__(self, bots: int, chance: Chance) -> None:
        self._bots = bots
        self._chance = chance
        self._waiting: list[int] = []
        self._permutations = 0

    def waiting(self) -> list[int]:
        """Return those of the permutation under way whose turn has not come; they must all come before the next."""
        if not self._waiting:
            self._waiting.extend(self._chance.shuffle(range(self._bots), "schedule", "field", self._permutations))
            self._permutations += 1
        return self._waiting

    def take(self, bot: int) -> None:
        """Let one of those who wait sit down."""
        self._waiting.remove(bot)
