"""The joint fit of everything that was played in a league, repeated as batches are added.

It is the fit of `arena.ratings.ranking.fit_ranking`, from sums and with sparse matrices, and starts from the strengths
of the fit before. A rule that moves ratings by each result would forget, drift, or depend on the order.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from arena.league.results.audit import find_suspicions
from arena.league.results.deal_kinds import DealKinds
from arena.league.results.experiment_residuals import experiment_residuals
from arena.league.results.field_comparisons import FieldComparisons, places_of
from arena.league.results.flags import Suspicion
from arena.league.results.interval_estimates import Scale, exact_variances, local_variances, sampled_variances
from arena.league.results.league_ratings import EntryRating, IntervalMethod, LeagueRatings
from arena.league.results.league_sums import LeagueSums
from arena.league.results.residual_products import ResidualProducts
from arena.ratings.connectivity import Bound
from arena.ratings.degeneracy import at_least_naive
from arena.ratings.keyed_sums import Bools, Floats, Ints, KeyedSums
from arena.ratings.ranking import ELO_PER_NAT, MIN_DEALS, half_widths
from arena.ratings.repeats import Repeats
from arena.ratings.sparse_information import SparseInformation
from arena.values.errors import RatingError

EXACT_ENTRIES = 2000
"""The largest field whose intervals are exact."""

_BITS = 32
"""Bits in a key for the number of an entry."""

_LOS_TOLERANCE = 1e-8


@dataclass(frozen=True)
class _Solution:
    """The fit of all batches so far."""

    comparisons: FieldComparisons
    strengths: Floats
    deals: Ints
    """The deals in which each entry met another."""
    sums: LeagueSums
    repeats: Repeats | None

    @cached_property
    def information(self) -> SparseInformation:
        return self.comparisons.information(self.strengths)

    @cached_property
    def residuals(self) -> csr_array:
        return experiment_residuals(self.sums.experiments.values(), self.comparisons.entries, self.strengths)

    @cached_property
    def products(self) -> ResidualProducts:
        entries = self.comparisons.entries
        return ResidualProducts(self.sums.loose.values(), entries, self.strengths, self.residuals)

    @cached_property
    def experiments(self) -> Ints:
        """The experiments in which each entry met another."""
        entries = self.comparisons.entries
        return deals_of(entries, self.sums.loose.values()) + np.diff(self.residuals.tocsc().indptr)

    @cached_property
    def correction(self) -> Floats:
        """Bessel's correction of each entry: n experiments have n - 1 degrees of freedom."""
        return np.sqrt(self.experiments / np.maximum(self.experiments - 1, 1)).astype(np.float64)

    @cached_property
    def new_shares(self) -> Floats:
        """The share of the sets of each entry that repeat no other."""
        shares = self.repeats.shares if self.repeats is not None else {}
        return np.array([shares.get(str(entry), 1.0) for entry in self.comparisons.entries.tolist()])

    def place(self, entry: int) -> int:
        """Return the place of an entry in the arrays. Raises RatingError if it played no match."""
        entries = self.comparisons.entries
        place = int(np.searchsorted(entries, entry))
        if place == len(entries) or entries[place] != entry:
            raise RatingError(f"entry {entry} has no rating: it played no match")
        return place


class LeagueFit:
    """The fit of a league: batches are added, and ratings can be asked for at any time, by one thread at a time."""

    def __init__(self) -> None:
        self.sums = LeagueSums()
        """The sums of all batches so far."""
        self._pairs = KeyedSums(2)
        self._strengths: dict[int, float] = {}  # by entry, of the last fit, in nats
        self._corrections: dict[int, float] = {}  # by entry: its last computed variance, divided by the local one
        self._solution: _Solution | None = None

    def add(self, packed: bytes) -> None:
        """Add the sums of a batch, or of many, as `LeagueSums.to_bytes` packs them.

        Raises StoreError where they are damaged.
        """
        for kinds in self.sums.add(packed).kinds:
            met = kinds.counts > 0
            first, second = (kinds.entries[:, seats] for seats in kinds.pairs)
            counts = kinds.counts * kinds.deals[:, None]
            self._pairs.add((first << _BITS | second)[met], kinds.points[met], counts[met])
        self._solution = None

    def fit(
        self,
        anchors: Sequence[int],
        *,
        intervals: bool = True,
        exact_up_to: int = EXACT_ENTRIES,
        active: Collection[int] | None = None,
    ) -> LeagueRatings:
        """Return the ratings of all entries that played.

        anchors: the entries whose mean is Elo 0; see `LeagueRatings.zero`.
        intervals: whether to compute intervals. If not, they are local ones, each corrected as the entry's last
            computed one has shown.
        exact_up_to: the largest number of entries for which intervals are computed exactly, and not by samples.
        active: the entries that are compared with the next stronger of them; None: all.

        Raises RatingError if no anchor is named.
        """
        if not anchors:
            raise RatingError("the Elo of a league is measured from its anchors: name at least one entry")
        solution = self._solve()
        comparisons, strengths = solution.comparisons, solution.strengths
        zero = comparisons.comparable_anchors(np.array(anchors))
        group = comparisons.reachability.group
        sizes = np.bincount(group)
        elo = strengths - (np.bincount(group, strengths) / sizes)[group]
        bounds: list[Bound] = ["~"] * len(elo)
        widths = np.full(len(elo), np.nan)
        method: IntervalMethod = "exact"
        error: float | None = 0.0
        order = _order(comparisons.entries, elo, active)
        separated: dict[int, bool] = {}
        if len(zero):
            with_zero = group == group[zero[0]]
            elo[with_zero] -= elo[zero].mean()
            of_group = comparisons.reachability.bounds(zero.tolist())
            bounds = [bound if comparable else "~" for bound, comparable in zip(of_group, with_zero, strict=True)]
            has_interval = np.array([not bound for bound in bounds]) & (solution.experiments >= MIN_DEALS)
            order = _order(comparisons.entries, elo, active)
            known = has_interval[order[:-1]] & has_interval[order[1:]]
            first, second = order[:-1][known], order[1:][known]
            scale = Scale(zero, comparisons.centre(int(group[zero[0]])), solution.correction, first, second)
            limit = exact_up_to if intervals else None
            variances, method, error = self._variances(solution, scale, has_interval, limit)
            experiments = solution.experiments
            experiments = np.concatenate((experiments, np.minimum(experiments[first], experiments[second])))
            # What is known of an entry's own comparisons is a lower bound of the naive variance.
            own = 1 / (solution.information.diagonal * solution.new_shares)
            own[zero] *= 1 - 1 / len(zero)
            naive = np.concatenate((own, np.maximum(own[first], own[second])))
            half = half_widths(at_least_naive(variances, naive, experiments), experiments)
            widths = np.where(has_interval, half[: len(elo)] * ELO_PER_NAT, np.nan)
            excludes_zero = elo[first] - elo[second] > half[len(elo) :]
            separated = dict(zip(second.tolist(), excludes_zero.tolist(), strict=True))
        return LeagueRatings(
            tuple(_rows(solution, elo * ELO_PER_NAT, bounds, widths, _neighbours(order), separated)),
            tuple(comparisons.entries[zero].tolist()),
            sum(int(kinds.deals.sum()) for kinds in self.sums.kinds),
            self.sums.played,
            method,
            error,
            repeats=solution.repeats,
        )

    def audit(self, anchors: Collection[int]) -> tuple[Suspicion, ...]:
        """Return which entries seem to play for each other; see `arena.league.results.audit`."""
        return find_suspicions(self.sums, anchors)

    def los(self, one: int, other: int) -> float | None:
        """Return the probability that entry `one` is better than `other`, as in `arena.ratings.ranking.Ranking`.

        None if it is unknown: the two cannot be compared, one of them has met others in fewer than `MIN_DEALS`
        experiments, or they are the same. Raises RatingError for an entry that played no match.
        """
        from scipy.special import ndtr, stdtr

        solution = self._solve()
        places = [solution.place(one), solution.place(other)]
        experiments, reachability = int(solution.experiments[places].min()), solution.comparisons.reachability
        if one == other or experiments < MIN_DEALS or not reachability.can_be_compared(*places):
            return None
        contrast = np.zeros(len(solution.strengths))
        contrast[places] = 1.0, -1.0
        centre = solution.comparisons.centre(int(reachability.group[places[0]]))
        corrected, inflated = contrast * solution.correction, contrast / np.sqrt(solution.new_shares)
        for weights in (corrected, inflated):
            weights[centre] -= weights.sum() / len(centre)
        influence = solution.information.solve(corrected, _LOS_TOLERANCE)
        difference = contrast @ solution.strengths
        variance = influence @ (solution.products @ influence)
        naive = inflated @ solution.information.solve(inflated, _LOS_TOLERANCE)
        if reachability.component[places[0]] == reachability.component[places[1]]:
            variance = at_least_naive(*np.atleast_1d(variance, naive), np.atleast_1d(experiments))[0]
            return float(stdtr(experiments - 1, difference / np.sqrt(variance))) if abs(difference) > 1e-9 else 0.5
        # If all points went one way, experiments have no variance, however few they are; see `arena.ratings.ranking`.
        return float(ndtr(difference / np.sqrt(max(variance, naive))))

    def _solve(self) -> _Solution:
        """Return the fit of all batches so far."""
        if self._solution is None:
            entries = self.sums.entries
            keys, (points, counts) = self._pairs.total()
            comparisons = FieldComparisons.of_sums(entries, keys >> _BITS, keys & (1 << _BITS) - 1, points, counts)
            start = np.array([self._strengths.get(entry, 0.0) for entry in entries.tolist()])
            strengths = comparisons.fit_strengths(start)
            deals = deals_of(entries, self.sums.kinds)
            self._strengths = dict(zip(entries.tolist(), strengths.tolist(), strict=True))
            self._solution = _Solution(comparisons, strengths, deals, self.sums, self.sums.repeats)
        return self._solution

    def _variances(
        self, solution: _Solution, scale: Scale, has_interval: Bools, exact_up_to: int | None
    ) -> tuple[Floats, IntervalMethod, float | None]:
        """Return the variances of the scale, how they were computed, and the error of those of entries that are shown.

        exact_up_to: as in `fit`; None: compute none.
        """
        information, products = solution.information, solution.products
        entries = solution.comparisons.entries.tolist()
        local = local_variances(information, products, scale)
        if exact_up_to is None:
            usual = float(np.median([*self._corrections.values(), 1.0]))
            of_entry = np.array([self._corrections.get(entry, usual) for entry in entries])
            of_pair = np.maximum(of_entry[scale.first], of_entry[scale.second])
            return local * np.concatenate((of_entry, of_pair)), "local", None
        method: IntervalMethod
        if len(entries) <= exact_up_to:
            variances = exact_variances(information, products, solution.comparisons.reachability.group, scale)
            method, error = "exact", 0.0
        else:
            sampled = sampled_variances(information, products, scale)
            shown = np.concatenate((has_interval, np.zeros(len(scale.first), np.bool_)))
            variances, method, error = sampled.variances, "sampled", sampled.width_error(shown)
        of_entry, local = variances[: len(entries)], local[: len(entries)]
        known = has_interval & (local > 0)
        corrections = of_entry[known] / local[known]
        self._corrections = dict(zip(solution.comparisons.entries[known].tolist(), corrections.tolist(), strict=True))
        return variances, method, error


def deals_of(entries: Ints, kinds: Iterable[DealKinds]) -> Ints:
    """Return the deals of each entry.

    entries: of the field, ascending.
    """
    deals = np.zeros(len(entries), np.int64)
    for of_size in kinds:
        seats = places_of(entries, of_size.entries).ravel()
        deals += np.bincount(seats, np.repeat(of_size.deals, of_size.size), len(entries)).astype(np.int64)
    return deals


def _order(entries: Ints, elo: Floats, active: Collection[int] | None) -> Ints:
    """Return the places of active entries, the strongest first."""
    order: Ints = np.lexsort((entries, -elo))
    return order if active is None else order[np.isin(entries[order], list(active))]


def _neighbours(order: Ints) -> dict[int, int]:
    """Return the place above each in an order of places."""
    return dict(zip(order[1:].tolist(), order[:-1].tolist(), strict=True))


def _rows(
    solution: _Solution,
    elo: Floats,
    bounds: Sequence[Bound],
    widths: Floats,
    above: Mapping[int, int],
    separated: Mapping[int, bool],
) -> list[EntryRating]:
    """Return the rows, the strongest first.

    above, separated: those of `EntryRating`, by place in the field.
    """
    numbers = solution.comparisons.entries
    sums = solution.sums
    totals = sums.totals()
    points, counts = solution.comparisons.by_entry()
    rounded = np.round(elo, 6) + 0.0  # as in `arena.ratings.ranking`
    rows = [
        EntryRating(
            entry=entry,
            elo=entry_elo,
            bound=bound,
            ci95=None if np.isnan(width) else width,
            deals=deals,
            experiments=experiments,
            points=entry_points,
            comparisons=comparisons,
            totals=totals[entry],
            faults=sums.faults.get(entry, {}),
            forfeits=sums.forfeits.get(entry, 0),
            above=int(numbers[above[place]]) if place in above else None,
            separated=separated.get(place),
        )
        for place, (entry, entry_elo, bound, width, deals, experiments, entry_points, comparisons) in enumerate(
            zip(
                numbers.tolist(),
                rounded.tolist(),
                bounds,
                widths.tolist(),
                solution.deals.tolist(),
                solution.experiments.tolist(),
                points.tolist(),
                counts.tolist(),
                strict=True,
            )
        )
    ]
    return sorted(rows, key=lambda row: (-row.elo, row.entry))
