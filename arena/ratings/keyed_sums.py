"""Sums of whole numbers by key, gathered block by block."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_SLACK = 1 << 20
"""Entries that may wait for being merged, whatever the number of keys."""


def sum_by_key(keys: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys, ascending, and for each the sum of its columns of `values`."""
    if (keys[1:] > keys[:-1]).all():
        return keys, values
    order = np.argsort(keys, kind="stable")  # what is sorted in parts already is sorted faster so
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[starts], np.add.reduceat(values[:, order], starts, axis=1)


class KeyedSums:
    """Columns of sums by key. Whole numbers, so that the order of adding cannot change a digit.

    Blocks wait until they outweigh what is merged: each entry is sorted a few times in all, and the
    memory stays within about twice that of the distinct keys.
    """

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self._keys: Ints = np.empty(0, np.int64)
        self._values: Ints = np.empty((columns, 0), np.int64)
        self._waiting: list[tuple[Ints, Ints]] = []
        self._size = 0

    def add(self, keys: Ints, *values: Ints) -> None:
        """Add one value per key to each column."""
        self.absorb(*sum_by_key(keys, np.stack(values)))

    def absorb(self, keys: Ints, values: Ints) -> None:
        """Add what is reduced already."""
        self._waiting.append((keys, values))
        self._size += len(keys)
        if self._size > max(_SLACK, len(self._keys)):
            self._merge()

    def _merge(self) -> None:
        keys, values = zip((self._keys, self._values), *self._waiting, strict=True)
        self._keys, self._values = sum_by_key(np.concatenate(keys), np.concatenate(values, axis=1))
        self._waiting, self._size = [], 0

    def total(self) -> tuple[Ints, Ints]:
        """Return the distinct keys, ascending, and the columns of their sums."""
        if self._waiting:
            self._merge()
        return self._keys, self._values
