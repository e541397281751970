"""The tables that are drawn among the entries of a batch."""

from collections.abc import Sequence
from itertools import combinations

from arena.league.plan.matchmaking.field import Field
from arena.league.plan.matchmaking.information import variance_drop
from arena.league.plan.matchmaking.shape import Shape
from referee.engine.chance import Chance

_LEAST_PART = 4
"""Each entry of a batch has a quarter of an even share of the tables at least: its processes are started anyway."""


class FocusedTables:
    """Draws tables one after another, each where it drops doubts most per CPU second after those before it.

    What the tables tell about an entry is added up as if all of it were independent.
    """

    def __init__(self, field: Field, places: Sequence[int], shape: Shape) -> None:
        """Draw among the entries at some places of a field."""
        self._field = field
        self._shape = shape
        self._variance = {place: float(field.variance[place]) for place in places}
        self._slope = {place: field.slope(place) for place in places}
        self._tables = dict.fromkeys(places, 0)
        self._met = dict.fromkeys(combinations(sorted(places), 2), 0)
        even = max(shape.tables * shape.seats // len(places), 1)
        self._least = {
            place: min(even, max(-(-field.shortages[place] // shape.deals), even // _LEAST_PART, 1)) for place in places
        }

    def draw(self, chance: Chance) -> list[tuple[int, ...]]:
        """Return all tables of the batch."""
        return [self._next_table(chance, number) for number in range(self._shape.tables)]

    def _next_table(self, chance: Chance, number: int) -> tuple[int, ...]:
        order = chance.shuffle(sorted(self._tables), "league", "table", number)
        table = [self._first(order)]
        while len(table) < self._shape.seats:
            owners = self._field.owners_of(table)
            free = (place for place in order if self._field.owners[place] not in owners)
            table.append(max(free, key=lambda place: self._score(place, table)))
        self._add(table)
        return tuple(table)

    def _first(self, order: Sequence[int]) -> int:
        """Return the entry that lacks most of its least share, or else the one about which a table tells most."""
        lacking = max(order, key=lambda place: self._least[place] - self._tables[place])
        if self._tables[lacking] < self._least[lacking]:
            return lacking
        information = self._field.even_information(self._shape.deals)
        return max(
            order,
            key=lambda place: (
                self._slope[place] * variance_drop(self._variance[place], information) / self._field.costs[place]
            ),
        )

    def _score(self, place: int, table: Sequence[int]) -> float:
        """Return what an entry adds to a table per CPU second; less with those that it meets in this batch already."""
        score = 0.0
        for other in table:
            drop = self._slope[place] * self._drop(place, other) + self._slope[other] * self._drop(other, place)
            score += drop / (1 + self._met[min(place, other), max(place, other)])
        return score / self._field.costs[place]

    def _drop(self, one: int, other: int) -> float:
        return variance_drop(self._variance[one], self._information(one, other))

    def _information(self, one: int, other: int) -> float:
        return self._field.information(one, other, self._shape.deals, self._variance[other])

    def _add(self, table: Sequence[int]) -> None:
        """Count a table, and what it will tell."""
        for one, other in combinations(sorted(table), 2):
            self._met[one, other] += 1
        information = {one: sum(self._information(one, other) for other in table if other != one) for one in table}
        for place in table:
            self._tables[place] += 1
            self._variance[place] -= variance_drop(self._variance[place], information[place])
            self._slope[place] = self._field.slope(place, self._variance[place])
