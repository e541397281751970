"""Who has met whom in the matches that are stored, and who sat after whom, added up.

Matches that are in no rating count here too: those of a bot that is left out, and those beyond an early end.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.ratings.integer_columns import join_keys, split_keys
from arena.ratings.keyed_sums import Ints, KeyedSums
from arena.ratings.lineup import BITS

Matrix = list[list[int]]
"""Numbers by two places in the field, of the row and of the column."""

COLUMNS = 8
"""How many columns `Meetings.columns` returns."""

_MASK = (1 << BITS) - 1


class Sittings(NamedTuple):
    """How often bots sat together. A bot neither meets nor follows a copy of itself."""

    meetings: Matrix
    """The number of matches in which two bots sat together."""
    successors: Matrix
    """The number of seats in which the column's bot sat right after the row's."""


class Meetings:
    """Counts of who sat with whom. Whole numbers, so that the counts of any parts make those of the whole."""

    def __init__(self) -> None:
        self._met, self._after = KeyedSums(1), KeyedSums(1)

    def add(self, tables: Iterable[Sequence[int]]) -> None:
        """Add matches: who sat in each, seat by seat, by places in the field."""
        by_size: dict[int, list[Sequence[int]]] = defaultdict(list)
        for table in tables:
            by_size[len(table)].append(table)
        for seated in by_size.values():
            self._add_block(np.array(seated, np.int64))

    def _add_block(self, seated: Ints) -> None:
        """Add matches of one size, a row each."""
        following = np.roll(seated, -1, axis=1)
        other = seated != following
        _count(self._after, seated[other], following[other])
        ordered = np.sort(seated, axis=1)
        first = np.diff(ordered, axis=1, prepend=-1) != 0  # of several copies of a bot
        for low, high in combinations(range(ordered.shape[1]), 2):
            met = first[:, low] & first[:, high]
            _count(self._met, ordered[met, low], ordered[met, high])

    def columns(self) -> list[Ints]:
        """Return all that was added so far as columns that `absorb` takes."""
        columns: list[Ints] = []
        for sums in (self._met, self._after):
            keys, (counts,) = sums.total()
            columns += [*split_keys(keys), counts]
        return columns

    def absorb(self, columns: Sequence[Ints]) -> None:
        """Add all that other meetings added."""
        for sums, (*keys, counts) in ((self._met, columns[: COLUMNS // 2]), (self._after, columns[COLUMNS // 2 :])):
            sums.add_sums(join_keys(*keys), counts[np.newaxis])

    def sittings(self, bots: int) -> Sittings:
        """Return what was added as matrices.

        bots: how many there are in the field.
        """
        met = _matrix(self._met, bots)
        return Sittings((met + met.T).tolist(), _matrix(self._after, bots).tolist())


def _count(sums: KeyedSums, one: Ints, other: Ints) -> None:
    sums.add(one << BITS | other, np.ones_like(one))


def _matrix(sums: KeyedSums, bots: int) -> Ints:
    keys, (counts,) = sums.total()
    meetings = np.zeros((bots, bots), np.int64)
    meetings[keys >> BITS, keys & _MASK] = counts
    return meetings
