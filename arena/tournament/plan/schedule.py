"""Which matches are played, by whom and in which phase: a pure function of a few numbers and the secret.

A round has as many tables as its seating says. Every table of every round has a deal, its own or one in common with the
other tables of the round, which is played in all rotations, so that every bot holds every hand.

    table    = round * tables + the table's place in the round      (counted through, "index")
    match    = index * rotations + rotation
    phase    = block * rotations + rotation     all matches of one rotation of a block of rounds
    deal     = index, or the round where deals are common

Where seats play in teams, a bot plays all seats of a team, each in a process of its own. The bots move on
from team to team, so there are as many rotations as teams: in each every team is somebody else's. With
mixed teams every seat has a bot of its own, which moves on from seat to seat, as where nobody has partners;
who partners whom is drawn so that every two bots do about equally often (see `partners`).

Where bots leave or enter on the way, what is left of the rounds from the next block on is seated anew: a leg with a
field of its own, at no more tables than before, so that no number is given twice.

A phase is played by fresh processes, one for each bot and copy. No process therefore meets a deal
twice, and none can remember hidden cards from another rotation.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice, permutations
from math import factorial

from arena.tournament.plan.author_separation import Apart
from arena.tournament.plan.authors import authors_of
from arena.tournament.plan.definition import ALL_ORDERS_UP_TO, Definition
from arena.tournament.plan.seating import (
    Gauntlet,
    Given,
    Mixed,
    Player,
    RoundRobin,
    Seating,
)
from referee.engine.chance import Chance


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal at one table: its number, its round and table, and the players in the cyclic order of the table.

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
class Start:
    """What a plan counts from, where it is not the first of its tournament."""

    match: int = 0
    deal: int = 0
    phase: int = 0
    round: int = 0


@dataclass(frozen=True)
class Plan:
    """A schedule: of `bots` bots at tables of `seats`, over `rounds` rounds in blocks of `block`.

    teams: by seat, the number of its team, from 0; empty where every seat plays for itself.
    mixed: partners are drawn from the field; otherwise a bot plays all seats of its team.
    rotate: "cycle", everybody moves on by one seat at a time; "all", every order of the table, up to 4 places; "none".
    challengers: how many of the first bots play a gauntlet against the others; 0: everybody against everybody.
    given: the bots of each table where that is settled. common: all tables of a round have the same deal.
    start: what it counts from.
    members: the bots by places in the field, where not the first of it; `bots` is their number. most_tables: of a
    round; 0: as many as they fill. leg: where the field changed on the way, how often it had.
    authors: a number for each bot, where those of one author do not sit together; otherwise empty.
    """

    bots: int
    seats: int
    rounds: int
    block: int
    secret: bytes
    teams: tuple[int, ...] = ()
    mixed: bool = False
    rotate: str = "cycle"
    challengers: int = 0
    given: tuple[tuple[int, ...], ...] = ()
    common: bool = False
    start: Start = field(default=Start())
    members: tuple[int, ...] = ()
    most_tables: int = 0
    leg: int = 0
    authors: tuple[int, ...] = ()

    @classmethod
    def of(cls, definition: Definition, secret: bytes) -> "Plan":
        """Return the schedule of a tournament that is played in one go."""
        return cls(
            bots=len(definition.field),
            seats=definition.seats,
            rounds=definition.rounds,
            block=definition.block,
            secret=secret,
            teams=definition.team_of,
            mixed=definition.teams == "mixed",
            rotate=definition.rotations,
            challengers=definition.challengers if definition.schedule == "gauntlet" else 0,
            common=definition.schedule == "gauntlet",
            authors=authors_of(definition),
        )

    @property
    def next_start(self) -> Start:
        """What the plan after this one counts from."""
        return Start(
            match=self.start.match + self.matches,
            deal=self.start.deal + self.deals_dealt,
            phase=self.start.phase + self.phases,
            round=self.start.round + self.rounds,
        )

    @property
    def places(self) -> int:
        """The bots at a table: one for each team, or for each seat of mixed ones."""
        return self.seats if self.mixed or not self.teams else len(set(self.teams))

    @property
    def rotations(self) -> int:
        """The matches of each deal at each table."""
        if self.rotate == "none":
            return 1
        return factorial(self.places) if self._all_orders else self.places

    @property
    def _all_orders(self) -> bool:
        return self.rotate == "all" and self.places <= ALL_ORDERS_UP_TO

    @cached_property
    def seating(self) -> Seating:
        """Who sits where."""
        if self.given:
            return Given(self.bots, self.given, self.start.deal, self._largest)
        if self.challengers:
            return Gauntlet(self.bots, self.challengers, self.places, self._largest)
        if self.authors:
            return Apart(self.bots, self.places, self.authors, self._largest)
        return Mixed(self.bots, self.teams) if self.mixed else RoundRobin(self.bots, self.places, self._largest)

    @property
    def tables(self) -> int:
        """The tables of each round."""
        return min(self.seating.tables, self.most_tables or self.seating.tables)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.rounds * self.tables * self.rotations

    @property
    def deals_dealt(self) -> int:
        """The number of deals."""
        return self.rounds * (1 if self.common else self.tables)

    @property
    def phases(self) -> int:
        """The number of phases."""
        return -(-self.rounds // self.block) * self.rotations

    @property
    def processes(self) -> int:
        """The most processes that play a phase, where it has matches enough for everybody."""
        return self.seating.processes

    @property
    def _largest(self) -> int:
        """The most seats that one bot plays as a team."""
        return 1 if self.places == self.seats else max(map(self.teams.count, self.teams))

    def numbers(self, phase: int) -> range:
        """Return the numbers of the matches of a phase."""
        block, rotation = divmod(phase - self.start.phase, self.rotations)
        first = block * self.block * self.tables
        end = min((block + 1) * self.block, self.rounds) * self.tables
        offset = self.start.match + rotation
        return range(first * self.rotations + offset, end * self.rotations + offset, self.rotations)

    def deals(self) -> Iterator[Deal]:
        """Yield all deals in order, one for each table."""
        secret = hmac.digest(self.secret, f"schedule/leg/{self.leg}".encode(), "sha256") if self.leg else self.secret
        tables = self.seating(Chance(secret))
        if self.members:
            tables = (tuple(Player(self.members[one.entrant], one.copy) for one in table) for table in tables)
        for index, players in enumerate(islice(tables, self.rounds * self.tables)):
            number, table = divmod(index, self.tables)
            yield Deal(self.start.deal + (number if self.common else index), self.start.round + number, table, players)

    def walk(self) -> Iterator[PhasePlan]:
        """Yield all phases in order."""
        deals = enumerate(self.deals())
        phase = self.start.phase
        while block := tuple(islice(deals, self.block * self.tables)):
            for rotation in range(self.rotations):
                yield PhasePlan(phase, tuple(self._rotated(index, deal, rotation) for index, deal in block))
                phase += 1

    def in_order(self) -> Iterator[MatchPlan]:
        """Yield all matches by their numbers."""
        for index, deal in enumerate(self.deals()):
            for rotation in range(self.rotations):
                yield self._rotated(index, deal, rotation)

    def _rotated(self, index: int, deal: Deal, rotation: int) -> MatchPlan:
        if self._all_orders:
            players = tuple(deal.players[place] for place in _orders(self.places)[rotation])
        else:
            players = deal.players[rotation:] + deal.players[:rotation]
        if self.places < self.seats:
            players = self._by_seat(players)
        return MatchPlan(self.start.match + index * self.rotations + rotation, deal, rotation, players)

    def _by_seat(self, players: tuple[Player, ...]) -> tuple[Player, ...]:
        """Return the players by seat, given the one of each team: every seat has a process of its own."""
        most = self._largest
        seats: list[Player] = []
        for seat, team in enumerate(self.teams):
            entrant, copy = players[team]
            seats.append(Player(entrant, copy * most + self.teams[:seat].count(team)))
        return tuple(seats)


@cache
def _orders(places: int) -> tuple[tuple[int, ...], ...]:
    """Return all orders of a table, the cyclic rotations first."""
    rotations = [tuple((place + turn) % places for place in range(places)) for turn in range(places)]
    return (*rotations, *(order for order in permutations(range(places)) if order not in rotations))
