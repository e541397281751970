"""Comparisons per deal -> deals by kind."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from arena.league.results.deal_kinds import sum_rows
from arena.ratings.keyed_sums import Bools, Ints
from arena.ratings.totals import PairSums


class SizedDeals(NamedTuple):
    """The deals of a batch in which the same number of entries met; the arrays have a row for each.

    keys, values: what `DealKinds.add` takes of a kind, for one deal.
    """

    size: int
    """The number of entries that met."""
    deals: Ints
    """The numbers of the deals."""
    keys: Ints
    values: Ints

    def sums(self) -> tuple[Ints, Ints, Ints]:
        """Return keys and sums of the kinds of these deals, and the place of the kind of each."""
        return sum_rows(self.keys, self.values)

    def only(self, chosen: Bools) -> "SizedDeals":
        """Return some of the deals."""
        return SizedDeals(self.size, self.deals[chosen], self.keys[chosen], self.values[chosen])


def sized_deals(pairs: PairSums, entries: Ints) -> Iterator[SizedDeals]:
    """Yield the deals of a batch by the size of their tables.

    pairs: of the batch: the memory grows with its deals times its entries.
    entries: the entry of each number in `pairs`, ascending.
    """
    if not len(pairs.deal):
        return
    bots = len(entries)
    points: Ints = np.zeros((int(pairs.deal.max()) + 1, bots), np.int64)  # of each bot in each deal
    np.add.at(points, (pairs.deal, pairs.first), pairs.points)
    np.add.at(points, (pairs.deal, pairs.second), 2 * pairs.count - pairs.points)
    met = np.zeros(points.shape, np.bool_)
    met[pairs.deal, pairs.first] = met[pairs.deal, pairs.second] = True
    seat = np.cumsum(met, axis=1) - 1  # the position of each bot among those of the deal
    sizes = met.sum(axis=1)
    for size in np.unique(sizes[sizes > 0]).tolist():
        of_size = sizes == size
        row = np.cumsum(of_size) - 1
        members = np.nonzero(met[of_size])[1].reshape(-1, size)
        chosen = of_size[pairs.deal]
        deal, first, second = pairs.deal[chosen], pairs.first[chosen], pairs.second[chosen]
        upper = np.zeros((size, size), np.int64)
        upper[np.triu_indices(size, 1)] = np.arange(size * (size - 1) // 2)
        cell = row[deal], upper[seat[deal, first], seat[deal, second]]
        counts, pair_points = np.zeros((2, len(members), size * (size - 1) // 2), np.int64)
        counts[cell], pair_points[cell] = pairs.count[chosen], pairs.points[chosen]
        own = np.take_along_axis(points[of_size], members, axis=1)
        one, other = np.triu_indices(size)
        values = np.hstack((np.ones((len(members), 1), np.int64), pair_points, own[:, one] * own[:, other]))
        yield SizedDeals(size, np.flatnonzero(of_size), np.hstack((entries[members], counts)), values)
