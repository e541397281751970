"""The comparisons of all entries of a league, and the strengths under which they are most likely."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from arena.league.results.reachability import Reachability
from arena.ratings.bradley_terry import maximise_likelihood
from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.sparse_information import SparseInformation

_STEP_TOLERANCE = 1e-6
"""The tolerance of the solution of a Newton step. What is wrong with a step is mended by the next."""


def places_of(entries: Ints, numbers: Ints) -> Ints:
    """Return the place of each entry of `numbers` among `entries`, which has all of them."""
    places: Ints = np.zeros(int(entries.max(initial=0)) + 1, np.int64)
    places[entries] = np.arange(len(entries))
    return places[numbers]


@dataclass(frozen=True, slots=True)
class FieldComparisons:
    """The comparisons of each two entries that met, over all deals; sorted by first and second entry."""

    entries: Ints
    """The numbers of the entries, ascending; elsewhere an entry is named by its place here."""
    first: Ints
    second: Ints
    points: Floats
    """The points of the first entry of each pair."""
    counts: Floats
    extra: Floats
    """1 where the difference is infinite, as all points went one way between two sets of entries. One more tie between
    these two gives the bound that is shown; see `arena.ratings.solver.solve_comparisons`."""
    reachability: Reachability

    @classmethod
    def of_sums(cls, entries: Ints, first: Ints, second: Ints, doubled_points: Ints, counts: Ints) -> Self:
        """Return the comparisons of pairs of entries, first < second, sorted."""
        first, second = places_of(entries, first), places_of(entries, second)
        reachability = Reachability(first, second, doubled_points > 0, doubled_points < 2 * counts, len(entries))
        component = reachability.component
        extra = (component[first] != component[second]).astype(np.float64)
        return cls(entries, first, second, doubled_points / 2, counts.astype(np.float64), extra, reachability)

    def fit_strengths(self, start: Floats) -> Floats:
        """Return the maximum-likelihood strengths in nats, which are determined up to a constant in each group.

        start: strengths near them, the nearer the faster.
        """
        pairs = len(self.first)
        places = np.stack((self.first, self.second), axis=1).ravel()
        rows = csr_array(
            (np.tile((1.0, -1.0), pairs), places, np.arange(0, 2 * pairs + 1, 2)), (pairs, len(self.entries))
        )

        def newton_step(strengths: Floats, slope: Floats) -> Floats:
            return self.information(strengths).solve(slope, _STEP_TOLERANCE)

        return maximise_likelihood(rows, self.points + self.extra / 2, self.counts + self.extra, start, newton_step)

    def information(self, strengths: Floats) -> SparseInformation:
        """Return the information of all comparisons."""
        from scipy.special import expit

        difference = strengths[self.first] - strengths[self.second]
        weight = (self.counts + self.extra) * expit(difference) * expit(-difference)
        return SparseInformation(self.first, self.second, weight, len(self.entries))

    def by_entry(self) -> tuple[Floats, Ints]:
        """Return the points of each entry in all its comparisons, and their number."""
        size = len(self.entries)
        points = np.bincount(self.first, self.points, size) + np.bincount(self.second, self.counts - self.points, size)
        counts = np.bincount(self.first, self.counts, size) + np.bincount(self.second, self.counts, size)
        return points.astype(np.float64), counts.astype(np.int64)

    def centre(self, group: int) -> Ints:
        """Return the reference of a group, as `arena.ratings.connectivity` defines it.

        These are the entries of its largest strong component or, if that is not unique, all.
        """
        members = np.flatnonzero(self.reachability.group == group)
        component = self.reachability.component[members]
        sizes = np.bincount(component)
        largest = np.flatnonzero(sizes == sizes.max())
        centre: Ints = members[component == largest[0]] if len(largest) == 1 else members
        return centre

    def comparable_anchors(self, anchors: Ints) -> Ints:
        """Return the anchors that measure the scale: of the strong component that has most of them.

        Of several such components the one with more entries counts, then the one with the first anchor.

        anchors: the numbers of their entries; those that never played are left out.
        """
        played = np.flatnonzero(np.isin(self.entries, anchors))
        if not len(played):
            return played
        component = self.reachability.component
        of_anchor = component[played]
        sizes, anchors_in = np.bincount(component)[of_anchor], np.bincount(of_anchor)[of_anchor]
        best = np.lexsort((played, -sizes, -anchors_in))[0]
        chosen: Ints = played[of_anchor == of_anchor[best]]
        return chosen
