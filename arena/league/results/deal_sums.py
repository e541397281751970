"""Comparisons per deal -> sums by kind of deal."""

from collections.abc import Iterator

import numpy as np

from arena.ratings.keyed_sums import Ints
from arena.ratings.totals import PairSums


def sum_deals(pairs: PairSums, entries: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield the size of tables, and the keys and sums of the kinds of their deals, as `DealKinds.add` takes them.

    pairs: of a batch: the memory grows with its deals times its entries. entries: the entry of each number in `pairs`,
    ascending.
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
        keys, kind = np.unique(np.hstack((entries[members], counts)), axis=0, return_inverse=True)
        sums = np.zeros((len(keys), values.shape[1]), np.int64)
        np.add.at(sums, kind.ravel(), values)
        yield size, keys, sums
