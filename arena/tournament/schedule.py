"""Who sits where: rounds, tables, rotations and phases, as a pure function of a few numbers and the secret.

A round has as many tables as the field fills (at least one). Every table of every round has a deal of
its own, which is played in all cyclic rotations of the table, so that every bot holds every hand.

    deal     = round * tables + table
    match    = deal * rotations + rotation
    phase    = block * rotations + rotation     all matches of one rotation of a block of rounds

Where seats play in teams, a bot plays all seats of a team, each in a process of its own. The bots move on
from team to team, so there are as many rotations as teams: in each every team is somebody else's. With
mixed teams every seat has a bot of its own, which moves on from seat to seat, as where nobody has partners;
who partners whom is drawn so that every two bots do about equally often (see `partners`).

The bots sit down by an endless sequence of seeded permutations of the field, cut into tables. So,
after any number of tables, the sittings of two bots differ by at most one, and everybody meets
everybody equally often in the long run. At the seam of two permutations the bots that sit at the
table already wait until the others have sat down.

Where a table takes more bots than there are, every bot sits there equally often, give or take
one, each time as a copy in a process of its own.

A phase is played by fresh processes, one for each bot and copy. No process therefore meets a deal
twice, and none can remember hidden cards from another rotation.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from arena.tournament.definition import Definition
from arena.tournament.partners import Partners
from referee.engine.chance import Chance

TRIES = 24
"""Orders of a table of mixed teams from which the best is taken, where bots sit at it several times."""


class Player(NamedTuple):
    """A process: the bot's place in the field, and which of its copies at a table this is (from 0)."""

    entrant: int
    copy: int


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: its number, its round and table, and the players in the cyclic order of the table.

    Where a bot plays a whole team, there is one player for each team: the first of its processes.
    """

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
    """The whole schedule: of `bots` bots at tables of `seats`, over `rounds` rounds in blocks of `block`.

    teams: by seat, the number of its team, from 0; empty where every seat plays for itself.
    mixed: partners are drawn from the field; otherwise a bot plays all seats of its team.
    """

    bots: int
    seats: int
    rounds: int
    block: int
    secret: bytes
    teams: tuple[int, ...] = ()
    mixed: bool = False

    @classmethod
    def of(cls, definition: Definition, secret: bytes) -> "Plan":
        """Return the schedule of a tournament."""
        return cls(
            bots=len(definition.field),
            seats=definition.seats,
            rounds=definition.rounds,
            block=definition.block,
            secret=secret,
            teams=definition.team_of,
            mixed=definition.teams == "mixed",
        )

    @property
    def rotations(self) -> int:
        """The matches of each deal, and the bots at a table: one for each team, or for each seat of mixed ones."""
        return self.seats if self.mixed or not self.teams else len(set(self.teams))

    @property
    def tables(self) -> int:
        """The tables of each round."""
        return max(1, self.bots // self.rotations)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.rounds * self.tables * self.rotations

    @property
    def phases(self) -> int:
        """The number of phases."""
        return -(-self.rounds // self.block) * self.rotations

    @property
    def processes(self) -> int:
        """The most processes that play a phase, where it has matches enough for everybody."""
        return self.bots * -(-self.rotations // self.bots) * self._largest

    @property
    def _largest(self) -> int:
        """The most seats that one bot plays as a team."""
        return 1 if self.rotations == self.seats else max(map(self.teams.count, self.teams))

    def numbers(self, phase: int) -> range:
        """Return the numbers of the matches of a phase."""
        block, rotation = divmod(phase, self.rotations)
        first = block * self.block * self.tables
        end = min((block + 1) * self.block, self.rounds) * self.tables
        return range(first * self.rotations + rotation, end * self.rotations + rotation, self.rotations)

    def deals(self) -> Iterator[Deal]:
        """Yield all deals in order."""
        chance = Chance(self.secret)
        tables = self._mixed_tables(chance) if self.mixed else self._tables(chance)
        for number, players in enumerate(islice(tables, self.rounds * self.tables)):
            yield Deal(number, *divmod(number, self.tables), players)

    def walk(self) -> Iterator[PhasePlan]:
        """Yield all phases in order."""
        deals = self.deals()
        phase = 0
        while block := tuple(islice(deals, self.block * self.tables)):
            for rotation in range(self.rotations):
                yield PhasePlan(phase, tuple(self._rotated(deal, rotation) for deal in block))
                phase += 1

    def _rotated(self, deal: Deal, rotation: int) -> MatchPlan:
        players = deal.players[rotation:] + deal.players[:rotation]
        if self.rotations < self.seats:
            players = self._by_seat(players)
        return MatchPlan(deal.number * self.rotations + rotation, deal, rotation, players)

    def _by_seat(self, players: tuple[Player, ...]) -> tuple[Player, ...]:
        """Return the players by seat, given the one of each team: every seat has a process of its own."""
        most = self._largest
        seats: list[Player] = []
        for seat, team in enumerate(self.teams):
            entrant, copy = players[team]
            seats.append(Player(entrant, copy * most + self.teams[:seat].count(team)))
        return tuple(seats)

    def _tables(self, chance: Chance) -> Iterator[tuple[Player, ...]]:
        """Yield who is at each table, in its cyclic order, without end."""
        queue = _Queue(self.bots, chance)
        number = 0
        while True:
            seated: list[Player] = []
            sitting = Counter[int]()
            for _ in range(self.rotations):
                bot = min(queue.waiting(), key=sitting.__getitem__)
                queue.take(bot)
                seated.append(Player(bot, sitting[bot]))
                sitting[bot] += 1
            yield chance.shuffle(seated, "schedule", "table", number)
            number += 1

    def _mixed_tables(self, chance: Chance) -> Iterator[tuple[Player, ...]]:
        """Yield who is at each table, in its cyclic order, without end, with partners who met least."""
        queue = _Queue(self.bots, chance)
        partners = Partners(self.bots, self.teams)
        number = 0
        while True:
            seated: dict[int, int] = {}
            sitting = Counter[int]()
            for place in partners.places:
                met = partners.met(place, seated)
                _, _, _, bot = min((sitting[bot], met[bot], turn, bot) for turn, bot in enumerate(queue.waiting()))
                queue.take(bot)
                seated[place] = bot
                sitting[bot] += 1
            order = [seated[place] for place in range(self.seats)]
            if self.bots < self.seats:
                shuffles = (chance.shuffle(order, "schedule", "table", number, shuffle) for shuffle in range(TRIES))
                order = [*partners.best(shuffles)]
            partners.remember(order)
            yield tuple(Player(bot, order[:place].count(bot)) for place, bot in enumerate(order))
            number += 1


class _Queue:
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
