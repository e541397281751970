"""Connectivity of the results: which bots can be compared, and whether their estimates are finite.

It has one, and only one, when the bots cannot be divided into two sets of which one took not even
half a point from the other (Ford 1957). Where they can, the difference between the two sets is
infinite or, if the sets never met, undefined. Where bots have partners, `separation` answers the same questions.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Bools, Floats, Ints
from arena.ratings.separation import reach_of_teams

Bound = Literal["", ">", "<", "~"]
"""How an Elo is to be read: as it stands, as "at least", as "at most", or as one of many that fit."""


@dataclass(frozen=True, slots=True)
class Connectivity:
    """The connectivity of a field; one entry, row or column per bot."""

    group: Ints
    """Bots of one number met or were partners, directly or over others; only such can be compared."""
    reach: Bools
    """Whether the results say how much weaker at most the row's bot is than the column's.

    They do where it took points from it, directly or over others (and of a bot and itself). Where each reaches the
    other the difference of the two is finite; they are of one circle.
    """
    reference: Bools
    """The bots whose mean is Elo 0 in their group: its largest circle or, if none is larger than all others, all."""
    bound: tuple[Bound, ...]
    """Set for the bots outside the reference's circle."""
    open_ended: Bools
    """For each comparison, whether the difference is infinite, as all points went one way and nothing holds it back."""
    null: Floats
    """The projection on the directions in which strengths can move without changing any comparison."""

    @property
    def one_way(self) -> Bools:
        """Whether the row's bot is infinitely stronger than the column's, for all that the results say."""
        return self.reach & ~self.reach.T

    @property
    def circle(self) -> Bools:
        """Whether two bots are of one circle."""
        return self.reach & self.reach.T


def analyse_connectivity(rows: csr_array, points: Floats, counts: Floats) -> Connectivity:
    """Analyse which bots of a field can be compared.

    rows: the comparisons, as `arena.ratings.bradley_terry` takes them, no two alike. points, counts: for each, the
    points of the first team, and how often the two met.
    """
    lost, won = points < counts, points > 0
    met = (abs(rows).T @ abs(rows)).toarray() > 0
    group = _groups(met)
    if (np.diff(rows.indptr) == 2).all():  # always one bot, or one more of a bot, against one of another
        first, second = rows.indices[rows.data > 0], rows.indices[rows.data < 0]
        beats = np.zeros(met.shape, np.bool_)
        beats[first[won], second[won]] = beats[second[lost], first[lost]] = True
        reach = _all_reached(beats)
        open_ended = ~(reach & reach.T)[first, second]
        same = (group[:, None] == group).astype(float)
        null = same / np.maximum(same.sum(axis=1), 1)
    else:
        reach, open_ended, null = reach_of_teams(rows, won, lost)
    reference = _reference(group, reach & reach.T)
    return Connectivity(group, reach, reference, _bounds(group, reach, reference), open_ended, null)


def _groups(met: Bools) -> Ints:
    group = np.full(len(met), -1)
    for bot in range(len(met)):
        if group[bot] < 0:
            group[_reached(met, bot)] = group.max() + 1
    return group


def _all_reached(beats: Bools) -> Bools:
    """Return for each bot (row) whom it reaches, itself included."""
    done, reach = np.zeros(len(beats), np.bool_), np.zeros_like(beats)
    for bot in range(len(beats)):
        if not done[bot]:
            reached = _reached(beats, bot)
            circle = reached & _reached(beats.T, bot)
            reach[circle] = reached
            done |= circle
    return reach


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
