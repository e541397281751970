"""Redrawn sets: what the others play instead of the sets that a withdrawn bot leaves unfinished.

A set is a deal at a table in all its rotations. If only some of them were played, its bots would not have held the
same seats, so it counts as a whole or not at all: the sets that are complete when a bot is withdrawn stay, and the
others are void. Their numbers and deals go to a new table:

    round-robin        bots of the leg; those that sat least come first, and of these those that have met least
    gauntlet           opponents, the same for all challengers of the round; a challenger's own sets are not replaced
    swiss, knockout,   the other bots of the table, of which some hold several seats; a bot that is left alone plays
    ladder             no further in this stage

Which sets are redrawn stands in the log (see `arena.tournament.plan.decisions`); the tables follow from that and the
secret.
"""

import hmac
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from arena.tournament.plan.partners import Partners
from arena.tournament.plan.seating import MAX_SHUFFLES, NeighbourBalance, Player, Table, gauntlet_tables
from referee.engine.chance import Chance

if TYPE_CHECKING:
    from arena.tournament.plan.decisions import Decisions
    from arena.tournament.plan.formats import Format
    from arena.tournament.plan.multi_stage import ResultReader
    from arena.tournament.plan.schedule import Plan

MAX_INT64 = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Redraw:
    """Sets that are redrawn together.

    number: how many redraws the log has before this one. sets: ranges of their numbers, those of their matches divided
    by the number of rotations. dropped: the bots that do not play any more, as indices in the field. omitted: those of
    them whose matches do not count. rounds: of the tournament at that time, if it was extended since; otherwise 0.
    """

    number: int
    sets: tuple[range, ...]
    dropped: frozenset[int]
    omitted: frozenset[int]
    rounds: int = 0


def pack_numbers(numbers: Iterable[int]) -> list[list[int]]:
    """Return numbers as ranges in order, each with its first and last number."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ranges


def are_packed(ranges: Sequence[Any]) -> bool:
    """Return whether these are ranges as `pack_numbers` returns them."""
    last = -1
    for each in ranges:
        if not (isinstance(each, list) and len(each) == 2 and all(type(number) is int for number in each)):
            return False
        if not last < each[0] <= each[1] <= MAX_INT64:
            return False
        last = each[1]
    return True


def unpack_numbers(ranges: Iterable[Sequence[int]]) -> tuple[range, ...]:
    """Return the ranges that `pack_numbers` returned."""
    return tuple(range(first, last + 1) for first, last in ranges)


def unfinished_sets(
    format: "Format", decisions: "Decisions", read: "ResultReader", stored: Collection[int]
) -> tuple[frozenset[int], list[int]]:
    """Return the sets of withdrawn bots in legs that have begun that are not complete, and their stored matches.

    format, decisions: as the log says. read: the results of earlier stages. stored: the numbers of the stored matches.
    """
    dropped = decisions.dropped
    sets, matches = set[int](), list[int]()
    for stage in count():
        if format.is_multi_stage and stage >= decisions.next_leg:
            break
        plan = format.plan(stage, read)
        if plan is None or format.leg_of(stage, plan.offset.round) >= decisions.next_leg:
            break
        settled = decisions.unreplayed(plan.rotations).union(stored)
        affected: dict[int, list[range]] = {}
        gone = {*(plan.members or range(plan.bots))[: plan.challengers]} & dropped
        unreplaced: list[range] = []  # the sets of challengers that were withdrawn
        for index, deal in enumerate(plan.iter_deals()):
            if format.leg_of(stage, deal.round) >= decisions.next_leg:
                break
            if any(player.entrant in dropped for player in deal.players):
                # All tables of a round of a gauntlet have the same opponents, so they are redrawn together.
                first = plan.offset.match + index * plan.rotations
                numbers = range(first, first + plan.rotations)
                if any(player.entrant in gone for player in deal.players):
                    unreplaced.append(numbers)
                else:
                    affected.setdefault(deal.round if plan.challengers else index, []).append(numbers)
        for group in [*affected.values(), *([numbers] for numbers in unreplaced)]:
            if not all(number in settled for numbers in group for number in numbers):
                sets.update(numbers.start // plan.rotations for numbers in group)
                matches += [number for numbers in group for number in numbers if number in stored]
    return frozenset(sets), matches


def redrawn_tables(plan: "Plan", tables: Iterable[Table], secret: bytes) -> Iterator[Table]:
    """Yield the tables of a plan after its redraws. secret: from which the plan's tables were drawn."""
    drawn = list(tables)
    vacant = set[int]()
    first = plan.offset.match // plan.rotations
    for redraw in plan.redraws:
        chosen = [
            number - first
            for numbers in redraw.sets
            for number in range(max(numbers.start, first), min(numbers.stop, first + len(drawn)))
        ]
        if not chosen:
            continue
        vacant.update(chosen)
        chance = Chance(hmac.digest(secret, f"schedule/redraw/{redraw.number}".encode(), "sha256"))
        balance = _Balance.of(plan, drawn)
        known = drawn[: (redraw.rounds - plan.offset.round) * plan.tables] if redraw.rounds else drawn
        for index, table in enumerate(known):
            if index not in vacant and redraw.omitted.isdisjoint(player.entrant for player in table):
                balance.add(table)
        for index, new in _NewTables(plan, drawn, redraw.dropped, balance, chance).draw(chosen):
            drawn[index] = new
            vacant.discard(index)
    return iter(drawn)


@dataclass(slots=True)
class _Balance:
    """How often bots have sat, met, followed each other and been partners at the tables that count.

    authors: of bots that are kept apart.
    """

    neighbours: NeighbourBalance
    partners: Partners | None
    authors: dict[int, int]
    sittings: Counter[int] = field(default_factory=Counter)
    meetings: Counter[tuple[int, int]] = field(default_factory=Counter)

    @classmethod
    def of(cls, plan: "Plan", tables: Sequence[Table]) -> "_Balance":
        bots = 1 + max(player.entrant for table in tables for player in table)
        members = plan.members or range(plan.bots)
        return cls(
            NeighbourBalance(bots),
            Partners(bots, plan.teams) if plan.mixed and plan.teams else None,
            dict(zip(members, plan.authors, strict=True)) if plan.authors else {},
        )

    def add(self, table: Table) -> None:
        """Count a table."""
        self.add_group(table)
        if self.partners is not None:
            self.partners.add([player.entrant for player in table])
        else:
            self.neighbours.add(table)

    def add_group(self, group: Sequence[Player]) -> None:
        """Count who sat and met."""
        self.sittings.update(player.entrant for player in group)
        self.meetings.update((one.entrant, other.entrant) for one in group for other in group)

    def choose(self, bots: Sequence[int], size: int) -> list[Player]:
        """Return bots for a table or a part of one: equally often, then those that sat and met least."""
        chosen: list[Player] = []
        copies = Counter[int]()
        for _ in range(size):
            _, _, _, _, turn = min(
                (
                    copies[bot],
                    self._has_companion(bot, chosen),
                    self.sittings[bot] + copies[bot],
                    sum(self.meetings[bot, other.entrant] for other in chosen),
                    turn,
                )
                for turn, bot in enumerate(bots)
            )
            chosen.append(Player(bots[turn], copies[bots[turn]]))
            copies[bots[turn]] += 1
        return chosen

    def _has_companion(self, bot: int, others: Iterable[Player]) -> bool:
        """Return whether another bot of the same author is among the others."""
        authors = self.authors
        return bot in authors and any(
            other.entrant != bot and authors.get(other.entrant) == authors[bot] for other in others
        )

    def order(self, players: Sequence[Player], chance: Chance, number: int) -> Table:
        """Return the players of a table in the order that balances neighbours or partners best, and count it."""
        if self.partners is None:
            return self.neighbours.best_order(players, chance, number)
        bots = [player.entrant for player in players]
        shuffles = (chance.shuffle(bots, "schedule", "table", number, attempt) for attempt in range(MAX_SHUFFLES))
        order = [*self.partners.best_order(shuffles)]
        self.partners.add(order)
        return tuple(Player(bot, order[:position].count(bot)) for position, bot in enumerate(order))


@dataclass(frozen=True, slots=True)
class _NewTables:
    """Draws the tables of one redraw.

    plan: whose sets are redrawn. drawn: all tables of the plan before that. dropped: the bots that do not play any
    more, as indices in the field. balance: of the tables that count. chance: of this redraw.
    """

    plan: "Plan"
    drawn: Sequence[Table]
    dropped: frozenset[int]
    balance: _Balance
    chance: Chance

    def draw(self, places: Sequence[int]) -> Iterator[tuple[int, Table]]:
        """Yield new tables with their places in `drawn`. places: the tables that are to be replaced."""
        return self._rounds(places) if self.plan.challengers else self._single_tables(places)

    def _single_tables(self, places: Sequence[int]) -> Iterator[tuple[int, Table]]:
        """Yield new tables, each drawn for itself; none where only one bot is left."""
        plan = self.plan
        for place in places:
            seated = (player.entrant for player in self.drawn[place])
            bots = seated if plan.fixed_tables else plan.members or range(plan.bots)
            left = sorted(set(bots) - self.dropped)
            if len(left) < 2:
                continue
            players = self.balance.choose(self.chance.shuffle(left, "schedule", "bots", place), plan.table_size)
            self.balance.add_group(players)
            yield place, self.balance.order(players, self.chance, place)

    def _rounds(self, places: Sequence[int]) -> Iterator[tuple[int, Table]]:
        """Yield new tables of a gauntlet, with the same opponents for all challengers of a round that are left."""
        plan, balance = self.plan, self.balance
        members = plan.members or tuple(range(plan.bots))
        challengers = members[: plan.challengers]
        opponents = sorted(set(members[plan.challengers :]) - self.dropped)
        rounds: dict[int, list[int]] = {}
        for place in places:
            rounds.setdefault(place // plan.tables, []).append(place)
        for number, of_round in rounds.items():
            playing = [place for place in of_round if challengers[place % plan.tables] not in self.dropped]
            seated = {player.entrant for place in playing for player in self.drawn[place]}
            if not opponents or seated.isdisjoint(self.dropped):
                continue
            group = balance.choose(self.chance.shuffle(opponents, "schedule", "bots", number), plan.table_size - 1)
            order = balance.neighbours.best_order(group, self.chance, number)
            for _ in playing:
                balance.add_group(order)
            tables = gauntlet_tables(order, challengers, number)
            for place in playing:
                yield place, tables[place % plan.tables]
