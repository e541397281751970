"""Connectivity of the results: which bots can be compared, and whether their estimates are finite.

The maximum-likelihood estimate is finite and unique if and only if the bots cannot be divided into two sets of which
one took no points from the other (Ford 1957). If they can, the difference between the sets is infinite or, if the sets
never met, undefined. If bots have partners, `separation` answers the same questions.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Bools, Floats, Ints
from arena.ratings.separation import reach_of_teams

Bound = Literal["", ">", "<", "~"]
"""How to read an Elo: as it is, as a lower bound, as an upper bound, or as one of many that fit the results."""


@dataclass(frozen=True, slots=True)
class Connectivity:
    """The connectivity of a field; one entry, row or column per bot."""

    group: Ints
    """The number of its connected component: bots that met or were partners, directly or through others. Only these
    can be compared."""
    reach: Bools
    """Whether the results limit how much weaker the row's bot is than the column's.

    They do if it took points from it, directly or through others, or is the same bot. If each of two bots reaches the
    other, their difference is finite: they are in one strongly connected component.
    """
    reference: Bools
    """The bots whose mean is Elo 0 in their group: its largest strong component or, if that is not unique, all."""
    bound: tuple[Bound, ...]
    """How to read each Elo: not empty for bots outside the strong component of the reference."""
    open_ended: Bools
    """For each comparison, whether the difference is infinite, as the results do not bound it on one side."""
    null: Floats
    """The projection on the directions in which strengths can move without changing any comparison."""

    @property
    def one_way(self) -> Bools:
        """Whether the estimate of the row's bot is infinitely above the column's."""
        return self.reach & ~self.reach.T

    @property
    def same_component(self) -> Bools:
        """Whether two bots are in one strongly connected component."""
        return self.reach & self.reach.T


def analyse_connectivity(rows: csr_array, points: Floats, counts: Floats) -> Connectivity:
    """Analyse which bots of a field can be compared.

    rows: the distinct comparisons, as in `arena.ratings.bradley_terry`.
    points, counts: for each, the points of the first team, and the number of meetings.
    """
    lost, won = points < counts, points > 0
    met = (abs(rows).T @ abs(rows)).toarray() > 0
    group = _number_groups(met)
    if (np.diff(rows.indptr) == 2).all():  # every comparison is between two bots, without other partners
        first, second = rows.indices[rows.data > 0], rows.indices[rows.data < 0]
        beats = np.zeros(met.shape, np.bool_)
        beats[first[won], second[won]] = beats[second[lost], first[lost]] = True
        reach = _transitive_closure(beats)
        open_ended = ~(reach & reach.T)[first, second]
        same = (group[:, None] == group).astype(float)
        null = same / np.maximum(same.sum(axis=1), 1)
    else:
        reach, open_ended, null = reach_of_teams(rows, won, lost)
    reference = _reference(group, reach & reach.T)
    return Connectivity(group, reach, reference, _bounds(group, reach, reference), open_ended, null)


def _number_groups(met: Bools) -> Ints:
    group = np.full(len(met), -1)
    for bot in range(len(met)):
        if group[bot] < 0:
            group[_reachable(met, bot)] = group.max() + 1
    return group


def _transitive_closure(beats: Bools) -> Bools:
    """Return for each bot (row) which bots it reaches, including itself."""
    done, reach = np.zeros(len(beats), np.bool_), np.zeros_like(beats)
    for bot in range(len(beats)):
        if not done[bot]:
            reachable = _reachable(beats, bot)
            component = reachable & _reachable(beats.T, bot)
            reach[component] = reachable
            done |= component
    return reach


def _reachable(edges: Bools, start: int) -> Bools:
    """Return the nodes reachable from `start`, including itself."""
    seen = np.zeros(len(edges), np.bool_)
    seen[start] = True
    frontier = seen
    while frontier.any():
        frontier = edges[frontier].any(axis=0) & ~seen
        seen = seen | frontier
    return seen


def _reference(group: Ints, same_component: Bools) -> Bools:
    """Return the bots whose mean is Elo 0."""
    component_size = same_component.sum(axis=1)
    reference = np.zeros(len(group), np.bool_)
    for number in np.unique(group):
        members = group == number
        largest = members & (component_size == component_size[members].max())
        is_unique = bool(same_component[np.ix_(largest, largest)].all())
        reference |= largest if is_unique else members
    return reference


def _bounds(group: Ints, reach: Bools, reference: Bools) -> tuple[Bound, ...]:
    """Return how to read each bot's Elo, given the bots whose mean is 0."""
    same = (group[:, None] == group) & reference
    finite = (reach & reach.T | ~same).all(axis=1)
    above = (reach & ~reach.T & same).any(axis=1)
    below = (reach.T & ~reach & same).any(axis=1)
    return tuple(map(read_bound, finite.tolist(), above.tolist(), below.tolist()))


def read_bound(is_finite: bool, is_above: bool, is_below: bool) -> Bound:
    """Return how to read an Elo.

    is_finite: whether the difference to every bot of the reference is finite.
    is_above, is_below: whether that to any of them is infinitely positive, or negative.
    """
    marks: dict[tuple[bool, bool], Bound] = {(True, False): ">", (False, True): "<"}
    return "" if is_finite else marks.get((is_above, is_below), "~")
