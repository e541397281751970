"""Who can be compared with whom, and who never lost: where a Bradley-Terry fit has an answer at all.

It has one, and only one, when the bots cannot be divided into two sets of which one took not even
half a point from the other (Ford 1957). Where they can, the difference between the two sets is
infinite or, if the sets never met, undefined.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from arena.ratings.sums import Floats, Ints

Bools = npt.NDArray[np.bool_]

Bound = Literal["", ">", "<", "~"]
"""How an Elo is to be read: as it stands, as "at least", as "at most", or as one of many that fit."""


@dataclass(frozen=True, slots=True)
class Connection:
    """How a field hangs together; one entry, row or column per bot."""

    group: Ints
    """Bots of one number met, directly or over others; bots of different groups cannot be compared."""
    reach: Bools
    """Whether the row's bot took points from the column's, directly or over others (itself included).

    Where each reaches the other the difference of the two is finite; they are of one circle.
    """
    reference: Bools
    """The bots whose mean is Elo 0 in their group: its largest circle or, if none is larger than all others, all."""
    bound: tuple[Bound, ...]
    """Set for the bots outside the reference's circle."""

    @property
    def one_way(self) -> Bools:
        """Whether all points went from the column's bot to the row's: the difference is infinite."""
        return self.reach & ~self.reach.T

    @property
    def circle(self) -> Bools:
        """Whether two bots are of one circle."""
        return self.reach & self.reach.T


def connect(points: Floats, counts: Floats) -> Connection:
    """Return how a field hangs together, from the points each bot (row) took from each other, and their meetings."""
    bots = len(points)
    beats, met = points > 0, counts > 0
    group, done = np.full(bots, -1), np.zeros(bots, np.bool_)
    reach = np.zeros((bots, bots), np.bool_)
    for bot in range(bots):
        if group[bot] < 0:
            group[_reached(met, bot)] = group.max() + 1
        if not done[bot]:
            reached = _reached(beats, bot)
            circle = reached & _reached(beats.T, bot)
            reach[circle] = reached
            done |= circle
    reference = _reference(group, reach & reach.T)
    return Connection(group, reach, reference, _bounds(group, reach, reference))


def _reached(edges: Bools, start: int) -> Bools:
    """Return what can be reached from `start`, itself included."""
    seen = np.zeros(len(edges), np.bool_)
    seen[start] = True
    fresh = seen
    while fresh.any():
        fresh = edges[fresh].any(axis=0) & ~seen
        seen = seen | fresh
    return seen


def _reference(group: Ints, circle: Bools) -> Bools:
    """Return the bots whose mean is Elo 0."""
    size = circle.sum(axis=1)
    reference = np.zeros(len(group), np.bool_)
    for number in np.unique(group):
        members = group == number
        largest = members & (size == size[members].max())
        alone = bool(circle[np.ix_(largest, largest)].all())
        reference |= largest if alone else members
    return reference


def _bounds(group: Ints, reach: Bools, reference: Bools) -> tuple[Bound, ...]:
    """Return how each bot's Elo is to be read, given the bots whose mean is 0."""
    same = (group[:, None] == group) & reference
    settled = (reach & reach.T | ~same).all(axis=1)
    above = (reach & ~reach.T & same).any(axis=1)
    below = (reach.T & ~reach & same).any(axis=1)
    marks: dict[tuple[bool, bool], Bound] = {(True, False): ">", (False, True): "<"}
    return tuple(
        "" if known else marks.get((bool(up), bool(down)), "~")
        for known, up, down in zip(settled, above, below, strict=True)
    )
