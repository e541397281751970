"""The entries of a draw: what is in doubt about them, what they cost, who owns them."""

from collections.abc import Iterable, Sequence

import numpy as np

from arena.league.plan.matchmaking.information import doubt_slope, information_per_deal, variance_drop
from arena.league.plan.matchmaking.shape import Shape
from arena.league.plan.matchmaking.snapshot import RatedEntry
from arena.ratings.keyed_sums import Floats, Ints

_UNKNOWN_CI95 = 400
"""Half the width of the interval of an entry that has none."""

_QUANTILE = 1.96


class Field:
    """The entries among whom is drawn, by their place in the list.

    elo: of each entry.
    variance: of the Elo of each entry, in Elo², as it will be once all deals under way are played.
    costs: the CPU time of each entry for a deal in microseconds, with its share of the referee's.
    owners: numbers that are equal for entries of one owner.
    shortages: the deals that each entry lacks to the weekly floor.
    """

    def __init__(self, entries: Sequence[RatedEntry], shape: Shape) -> None:
        """Take the entries in the order of their numbers."""
        self.entries = entries
        self._seats = shape.seats
        self.elo: Ints = np.array([entry.elo for entry in entries], np.int64)
        self.variance: Floats = np.array([self._variance_of(entry) for entry in entries], np.float64)
        self.costs = [entry.cpu_us_per_deal + shape.referee_us_per_deal / shape.seats for entry in entries]
        self.owners = owner_numbers(entries)
        self.shortages = [max(shape.weekly_floor - entry.recent_deals, 0) for entry in entries]

    def _variance_of(self, entry: RatedEntry) -> float:
        """Return the variance that an entry's rating will have once the deals under way are played."""
        variance = variance_of(entry)
        return variance - variance_drop(variance, self.even_information(entry.pending_deals))

    def owners_of(self, places: Iterable[int]) -> set[int]:
        """Return the owners of some entries."""
        return {self.owners[place] for place in places}

    def slope(self, place: int, variance: float | None = None) -> int:
        """Return how fast doubts about the order of an entry drop with its variance.

        variance: in the place of its own.
        """
        own = float(self.variance[place]) if variance is None else variance
        return doubt_slope(self.elo, self.variance, place, own)

    def even_information(self, deals: int) -> float:
        """Return what some deals against its like tell about an entry, in 1 / Elo²."""
        return deals * (self._seats - 1) * information_per_deal(0, self._seats) / 2

    def value(self, place: int, deals: int) -> float:
        """Return by how much some deals of an entry against its like drop doubts, per CPU second."""
        drop = variance_drop(float(self.variance[place]), self.even_information(deals))
        return self.slope(place) * drop / self.costs[place]

    def information(self, one: int, other: int, deals: int, variance: float) -> float:
        """Return what some deals of two entries tell about the first, in 1 / Elo².

        variance: of the second.
        """
        per_deal = information_per_deal(int(self.elo[one] - self.elo[other]), self._seats)
        return 1 / (1 / (deals * per_deal) + variance)

    def drop(self, one: int, other: int, deals: int) -> float:
        """Return by how much some deals of two entries drop the variance of the first, in Elo²."""
        return variance_drop(
            float(self.variance[one]), self.information(one, other, deals, float(self.variance[other]))
        )


def variance_of(entry: RatedEntry) -> float:
    """Return the variance of an entry's rating in Elo²."""
    error = (_UNKNOWN_CI95 if entry.ci95 is None else max(entry.ci95, 1)) / _QUANTILE
    return error * error


def owner_numbers(entries: Sequence[RatedEntry]) -> list[int]:
    """Return a number for the owner of each entry. Nobody's entries all have numbers of their own."""
    numbers: dict[tuple[str, int | str], int] = {}
    return [
        numbers.setdefault(("", place) if entry.owner == "" else (type(entry.owner).__name__, entry.owner), place)
        for place, entry in enumerate(entries)
    ]
