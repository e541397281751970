"""Which matches are played, by whom and in which phase: a pure function of a few numbers and the secret.

The seating decides how many tables a round has. Every table of every round has a deal, either its own or one that all
tables of the round share. The deal is played in all rotations, so that every bot holds every hand.

    index    = round * tables + the number of the table in the round
    match    = index * rotations + rotation
    phase    = block * rotations + rotation     all matches of one rotation of a block of rounds
    deal     = index, or the round if its tables share one deal

If seats play in teams, a bot plays all seats of a team, each with a process of its own. The bots move on from team to
team, so there are as many rotations as teams, and every bot plays every team once. With mixed teams every seat has a
bot of its own, which moves on from seat to seat as in games without teams; partners are drawn so that every two bots
are partners about equally often (see `partners`).

If bots leave or enter during the tournament, the remaining rounds are seated anew from the next block on: a leg with a
field of its own. It has no more tables than before, so match numbers stay unique.

If a bot is withdrawn, the sets that it has not finished are void (see `open_sets`); the schedule stays as it is.

A phase is played by fresh processes, one for each bot and copy. No process therefore meets a deal twice, and none can
remember hidden cards from another rotation.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice, permutations
from math import factorial

from arena.plan.author_separation import AuthorSeparatedRoundRobin, author_numbers
from arena.plan.seating import (
    FixedTables,
    Gauntlet,
    MixedTeams,
    Player,
    RoundRobin,
    Seating,
)
from arena.values.definition import ALL_ORDERS_UP_TO, Definition
from referee.engine.chance import Chance


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal at one table.

    If a bot plays a whole team, there is one player for each team: the first of its processes.
    """

    number: int
    round: int
    table: int
    players: tuple[Player, ...]
    """The players in the cyclic order of the table."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One rotation of a deal."""

    number: int
    deal: Deal
    rotation: int
    players: tuple[Player, ...]
    """The player in each seat."""


@dataclass(frozen=True, slots=True)
class PhasePlan:
    """One phase: the matches that one set of fresh processes plays."""

    id: int
    matches: tuple[MatchPlan, ...]


@dataclass(frozen=True, slots=True)
class Offset:
    """The first match, deal, phase and round of a plan; not 0 if other plans of the tournament come before it."""

    match: int = 0
    deal: int = 0
    phase: int = 0
    round: int = 0


@dataclass(frozen=True)
class Plan:
    """The schedule of `bots` bots at tables of `seats`, over `rounds` rounds in blocks of `block`."""

    bots: int
    seats: int
    rounds: int
    block: int
    secret: bytes
    teams: tuple[int, ...] = ()
    """The number of the team of each seat, from 0; empty if every seat plays for itself."""
    mixed: bool = False
    """Whether partners are drawn from the field; otherwise a bot plays all seats of its team."""
    rotate: str = "cycle"
    """How a deal is rotated: `"cycle"`: all bots move on by one seat at a time; `"all"`: every order of the table, for
    up to 4 bots; `"none"`.
    """
    challengers: int = 0
    """How many of the first bots play a gauntlet against the others; 0: everybody against everybody."""
    fixed_tables: tuple[tuple[int, ...], ...] = ()
    """The bots of each table, if known in advance; otherwise empty."""
    common_deals: bool = False
    """Whether all tables of a round share a deal."""
    offset: Offset = field(default=Offset())
    """The first match, deal, phase and round."""
    members: tuple[int, ...] = ()
    """The places in the field of the bots that play, if these are not the first `bots` of it; otherwise empty."""
    max_tables: int = 0
    """The most tables of a round; 0: as many as the bots fill."""
    leg: int = 0
    """How often the field has changed before."""
    authors: tuple[int, ...] = ()
    """The number of the author of each bot, if bots of one author are kept apart; otherwise empty."""

    @classmethod
    def of(cls, definition: Definition, secret: bytes) -> "Plan":
        """Return the schedule of a single-stage tournament."""
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
            common_deals=definition.schedule == "gauntlet",
            authors=author_numbers(definition),
            fixed_tables=definition.tables,
        )

    @property
    def next_offset(self) -> Offset:
        """The offset of the plan after this one."""
        return Offset(
            match=self.offset.match + self.matches,
            deal=self.offset.deal + self.deal_count,
            phase=self.offset.phase + self.phases,
            round=self.offset.round + self.rounds,
        )

    @property
    def table_size(self) -> int:
        """The number of bots at a table: one for each team, or one for each seat if teams are mixed."""
        return self.seats if self.mixed or not self.teams else len(set(self.teams))

    @property
    def rotations(self) -> int:
        """The number of matches that each table plays with a deal."""
        if self.rotate == "none":
            return 1
        return factorial(self.table_size) if self._all_orders else self.table_size

    @property
    def _all_orders(self) -> bool:
        return self.rotate == "all" and self.table_size <= ALL_ORDERS_UP_TO

    @cached_property
    def seating(self) -> Seating:
        """The seating of all rounds."""
        if self.fixed_tables:
            return FixedTables(self.bots, self.fixed_tables, self.offset.deal, self._team_size)
        if self.challengers:
            return Gauntlet(self.bots, self.challengers, self.table_size, self._team_size)
        if self.authors:
            return AuthorSeparatedRoundRobin(self.bots, self.table_size, self.authors, self._team_size)
        return (
            MixedTeams(self.bots, self.teams) if self.mixed else RoundRobin(self.bots, self.table_size, self._team_size)
        )

    @property
    def tables(self) -> int:
        """The number of tables in each round."""
        return min(self.seating.tables, self.max_tables or self.seating.tables)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.rounds * self.tables * self.rotations

    @property
    def deal_count(self) -> int:
        """The number of deals."""
        return self.rounds * (1 if self.common_deals else self.tables)

    @property
    def phases(self) -> int:
        """The number of phases."""
        return -(-self.rounds // self.block) * self.rotations

    @property
    def processes(self) -> int:
        """The maximum number of processes in a phase."""
        return self.seating.processes

    @property
    def _team_size(self) -> int:
        """The most seats that one bot plays as one team."""
        return 1 if self.table_size == self.seats else max(map(self.teams.count, self.teams))

    def match_numbers(self, phase: int) -> range:
        """Return the numbers of the matches of a phase."""
        block, rotation = divmod(phase - self.offset.phase, self.rotations)
        first = block * self.block * self.tables
        end = min((block + 1) * self.block, self.rounds) * self.tables
        first_match = self.offset.match + rotation
        return range(first * self.rotations + first_match, end * self.rotations + first_match, self.rotations)

    def iter_deals(self) -> Iterator[Deal]:
        """Yield all deals in order, one for each table."""
        secret = hmac.digest(self.secret, f"schedule/leg/{self.leg}".encode(), "sha256") if self.leg else self.secret
        tables = self.seating(Chance(secret))
        if self.members:
            tables = (tuple(Player(self.members[bot], copy) for bot, copy in table) for table in tables)
        tables = islice(tables, self.rounds * self.tables)
        for index, players in enumerate(tables):
            round_number, table = divmod(index, self.tables)
            number = round_number if self.common_deals else index
            yield Deal(self.offset.deal + number, self.offset.round + round_number, table, players)

    def iter_phases(self) -> Iterator[PhasePlan]:
        """Yield all phases in order."""
        deals = enumerate(self.iter_deals())
        phase = self.offset.phase
        while block := tuple(islice(deals, self.block * self.tables)):
            for rotation in range(self.rotations):
                yield PhasePlan(phase, tuple(self._rotate(index, deal, rotation) for index, deal in block))
                phase += 1

    def iter_matches(self) -> Iterator[MatchPlan]:
        """Yield all matches in the order of their numbers."""
        for index, deal in enumerate(self.iter_deals()):
            for rotation in range(self.rotations):
                yield self._rotate(index, deal, rotation)

    def _rotate(self, index: int, deal: Deal, rotation: int) -> MatchPlan:
        if self._all_orders:
            players = tuple(deal.players[position] for position in _table_orders(self.table_size)[rotation])
        else:
            players = deal.players[rotation:] + deal.players[:rotation]
        if self.table_size < self.seats:
            players = self._assign_seats(players)
        return MatchPlan(self.offset.match + index * self.rotations + rotation, deal, rotation, players)

    def _assign_seats(self, players: tuple[Player, ...]) -> tuple[Player, ...]:
        """Return the players by seat, from one player of each team: every seat has a process of its own."""
        team_size = self._team_size
        seats: list[Player] = []
        for seat, team in enumerate(self.teams):
            entrant, copy = players[team]
            seats.append(Player(entrant, copy * team_size + self.teams[:seat].count(team)))
        return tuple(seats)


@cache
def _table_orders(table_size: int) -> tuple[tuple[int, ...], ...]:
    """Return all orders of a table, the cyclic rotations first."""
    positions = range(table_size)
    rotations = [tuple((position + turn) % table_size for position in positions) for turn in positions]
    return (*rotations, *(order for order in permutations(positions) if order not in rotations))
