"""Sums of integers by key, added in blocks."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_MIN_PENDING = 1 << 20
"""Entries that may be pending before they are merged, whatever the number of keys."""


def sum_by_key(keys: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys, ascending, and for each the sum of its columns of `values`."""
    if (keys[1:] > keys[:-1]).all():
        return keys, values
    order = np.argsort(keys, kind="stable")  # a stable sort is faster for sorted runs
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[starts], np.add.reduceat(values[:, order], starts, axis=1)


class KeyedSums:
    """Columns of sums by key, in integers, so that the result does not depend on the order of additions.

    Pending blocks are merged when they outnumber the merged entries: each entry is sorted only a few times, and memory
    stays within about twice that of the distinct keys.
    """

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self._keys: Ints = np.empty(0, np.int64)
        self._values: Ints = np.empty((columns, 0), np.int64)
        self._pending: list[tuple[Ints, Ints]] = []
        self._size = 0

    def add(self, keys: Ints, *values: Ints) -> None:
        """Add one value per key to each column."""
        self.add_sums(*sum_by_key(keys, np.stack(values)))

    def add_sums(self, keys: Ints, values: Ints) -> None:
        """Add sums with distinct, ascending keys."""
        self._pending.append((keys, values))
        self._size += len(keys)
        if self._size > max(_MIN_PENDING, len(self._keys)):
            self._merge()

    def _merge(self) -> None:
        keys, values = zip((self._keys, self._values), *self._pending, strict=True)
        self._keys, self._values = sum_by_key(np.concatenate(keys), np.concatenate(values, axis=1))
        self._pending, self._size = [], 0

    def total(self) -> tuple[Ints, Ints]:
        """Return the distinct keys, ascending, and the columns of their sums."""
        if self._pending:
            self._merge()
        return self._keys, self._values
