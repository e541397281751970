"""Which entries of a league can be compared with finite estimates: `arena.ratings.connectivity` for large fields.

Nothing here grows with the square of the field.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from arena.ratings.connectivity import Bound, read_bound
from arena.ratings.keyed_sums import Bools, Ints


class Reachability:
    """Who took points from whom, directly or over others.

    first, second: the bots of each pair that met.
    won, lost: whether the first took points from the second, and the second from the first.
    bots: their number.
    """

    def __init__(self, first: Ints, second: Ints, won: Bools, lost: Bools, bots: int) -> None:
        self._bots = bots
        self._winners = np.concatenate((first[won], second[lost]))
        self._losers = np.concatenate((second[won], first[lost]))
        self.group = _components(_edges(first, second, bots), "weak")
        """The number of the group of each bot: bots that met, directly or over others."""
        two_way = won & lost
        self.component = _components(_edges(first[two_way], second[two_way], bots), "weak")
        """The number of the component of each bot: bots between which differences are finite."""
        if self.component.max(initial=0) > self.group.max(initial=0):  # some may still reach each other in a circle
            self.component = _components(self._beats, "strong")

    def can_be_compared(self, one: int, other: int) -> bool:
        """Return whether the results bound the difference of two bots on one side or on both."""
        return bool(self._above(one)[other] or self._below(one)[other])

    def bounds(self, reference: Iterable[int]) -> tuple[Bound, ...]:
        """Return how to read the difference of each bot to the mean of a reference, whose bots are of one group."""
        is_finite = np.ones(self._bots, np.bool_)
        is_above, is_below = np.zeros((2, self._bots), np.bool_)
        for component in set(self.component[list(reference)].tolist()):
            bot = int(np.flatnonzero(self.component == component)[0])
            above, below = self._above(bot), self._below(bot)
            is_finite &= above & below
            is_above |= above & ~below
            is_below |= below & ~above
        return tuple(map(read_bound, is_finite.tolist(), is_above.tolist(), is_below.tolist()))

    @cached_property
    def _beats(self) -> csr_array:
        return _edges(self._winners, self._losers, self._bots)

    @cached_property
    def _beaten_by(self) -> csr_array:
        return _edges(self._losers, self._winners, self._bots)

    def _above(self, bot: int) -> Bools:
        """Return who took points from a bot, directly or over others; itself among them."""
        return _reached(self._beaten_by, bot)

    def _below(self, bot: int) -> Bools:
        """Return from whom a bot took points, directly or over others; itself among them."""
        return _reached(self._beats, bot)


def _edges(start: Ints, end: Ints, bots: int) -> csr_array:
    return csr_array((np.ones(len(start), np.int8), (start, end)), (bots, bots))


def _components(edges: csr_array, connection: Literal["weak", "strong"]) -> Ints:
    numbers: Ints = connected_components(edges, connection=connection)[1].astype(np.int64)
    return numbers


def _reached(edges: csr_array, start: int) -> Bools:
    reached = np.zeros(edges.shape[0], np.bool_)
    reached[breadth_first_order(edges, start, return_predecessors=False)] = True
    return reached
