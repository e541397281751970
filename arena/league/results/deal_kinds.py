"""Sums of the deals of tables of one size.

Deals in which the same entries met equally often are of one kind, as in `arena.ratings.incremental_fit`: their number,
the points of each pair and the products of every two entries' points are all that strengths and intervals need.
"""

import numpy as np

from arena.ratings.keyed_sums import Ints


class DealKinds:
    """The kinds of deals of tables of `size` entries, a row each; sums of one kind are added up."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pairs = np.triu_indices(size, 1)
        """The positions of the first and the second entry of each pair among the entries of a row."""
        self.squares = np.triu_indices(size)
        """The positions as in `pairs`, with the pairs of an entry and itself."""
        self._numbers: dict[bytes, int] = {}
        self._keys: Ints = np.empty((0, size + len(self.pairs[0])), np.int64)
        self._sums: Ints = np.empty((0, 1 + len(self.pairs[0]) + len(self.squares[0])), np.int64)

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, keys: Ints, sums: Ints) -> Ints:
        """Add kinds, which differ from each other, and return their rows.

        keys: by kind, the entries, ascending, and the meetings of each pair in one deal.
        sums: by kind, the deals, and of all of them the points of the first of each pair, and the products of every two
            entries' points; points are doubled, as in `arena.ratings.totals`.
        """
        known = len(self)
        rows = np.array([self._numbers.setdefault(key.tobytes(), len(self._numbers)) for key in keys], np.int64)
        if len(self) > len(self._keys):
            room = max(len(self), 2 * known)
            self._keys, self._sums = _enlarged(self._keys, room), _enlarged(self._sums, room)
        self._keys[rows] = keys
        self._sums[rows] += sums
        return rows

    @property
    def entries(self) -> Ints:
        """The entries of each kind."""
        return self._keys[: len(self), : self.size]

    @property
    def counts(self) -> Ints:
        """The meetings of each pair of a kind in one deal."""
        return self._keys[: len(self), self.size :]

    @property
    def deals(self) -> Ints:
        """The deals of each kind."""
        return self._sums[: len(self), 0]

    @property
    def points(self) -> Ints:
        """Twice the points of the first of each pair of a kind, in all its deals."""
        return self._sums[: len(self), 1 : 1 + len(self.pairs[0])]

    @property
    def products(self) -> Ints:
        """The sums over deals of the products of every two entries' doubled points, in the order of `squares`."""
        return self._sums[: len(self), 1 + len(self.pairs[0]) :]

    def order(self) -> Ints:
        """Return the rows in the order of their keys."""
        order: Ints = np.lexsort(self._keys[: len(self)].T[::-1])
        return order

    def rows(self) -> tuple[Ints, Ints]:
        """Return keys and sums as `add` takes them, sorted by keys."""
        order = self.order()
        return self._keys[order], self._sums[order]


def sum_rows(keys: Ints, values: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct keys, sorted, the sums of the values of each, and the place of each row among the keys."""
    distinct, place = np.unique(keys, axis=0, return_inverse=True)
    sums = np.zeros((len(distinct), values.shape[1]), np.int64)
    np.add.at(sums, place.ravel(), values)
    return distinct, sums, place.ravel()


def _enlarged(rows: Ints, length: int) -> Ints:
    return np.concatenate((rows, np.zeros((length - len(rows), rows.shape[1]), np.int64)))
