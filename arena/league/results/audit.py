"""What makes the board of a league doubtful: entries that seem to play for each other, and forfeits.

The audit of tournaments (`arena.ratings.collusion`) asks each match; this one asks the sums of batches. It tests the
same two effects of every two entries:

    flow        one took more points from the other than the ratings predict
    together    both took more points from the others at their tables than the ratings predict

The score of an effect is the sum of its residuals, points minus expected points, under the ratings without it. Of
"together" the sums have the spread from deal to deal. Of a flow at larger tables they have not, and it is taken to be
as large as it can be: as if all matches of a deal ended alike. Deals that repeat each other, or begin from one opening,
are one experiment, and count as one deal. Ratings have explained a part of every effect before it
is tested. Both make the test stricter than it says.

What stands out is shown to everybody, so it must hold whenever anybody looks: p-values are those that are valid at any
time, and are multiplied by the number of effects. Honest bots whose styles suit each other differ from the ratings,
too; so an effect must be large. Sample bots are not tested: who exploits their weaknesses has no accomplice.

Points that one entry passes to another are missing elsewhere. Therefore the tables of the pair that stands out most are
left out before the others are tested again.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Self

import numpy as np

from arena.league.results.deal_kinds import DealKinds
from arena.league.results.experiment_residuals import seat_residuals
from arena.league.results.experiment_sums import ExperimentSums
from arena.league.results.field_comparisons import FieldComparisons, places_of
from arena.league.results.flags import Suspicion, SuspicionKind
from arena.league.results.league_sums import LeagueSums
from arena.league.results.residual_products import residual_products
from arena.ratings.degeneracy import at_least_naive
from arena.ratings.keyed_sums import Bools, Floats, Ints
from arena.ratings.multiple_testing import always_valid

SIGNIFICANCE = 0.01
"""The probability, at most, that the audits of a league of honest bots ever find anything."""

MIN_DEALS = 20
"""The fewest experiments in which two entries must have met to be tested."""

MIN_EXCESS = 0.1
"""Points per comparison beyond those expected: a smaller effect never stands out. It is three times what stands out in
the audit of a tournament, which only its organiser reads."""

_NO_SPREAD = 1e-9
"""Variances up to this are 0, but for rounding."""

MOST = 20
"""The most effects that are found."""


class _Effects(NamedTuple):
    """Effects of one kind; the arrays have an element for each pair of entries."""

    kind: SuspicionKind
    one: Ints
    other: Ints
    deals: Ints
    experiments: Ints
    excess: Floats
    """The score per comparison."""
    ratio: Floats
    """The ratio of the score to its standard error."""

    def only(self, chosen: Bools) -> Self:
        """Return some of the effects."""
        kind, one, other, deals, experiments, excess, ratio = self
        integers = one[chosen], other[chosen], deals[chosen], experiments[chosen]
        return self.__class__(kind, *integers, excess[chosen], ratio[chosen])


def find_suspicions(sums: LeagueSums, anchors: Collection[int]) -> tuple[Suspicion, ...]:
    """Return the effects that stand out, the strongest first.

    anchors: entries that are not tested.
    """
    suspicions: list[Suspicion] = []
    tables = [
        *map(_Tables, sums.loose.values()),
        *(_ExperimentTables(experiments) for experiments in sums.experiments.values()),
    ]
    entries = np.unique(np.concatenate([np.empty(0, np.int64), *(kinds.entries.ravel() for kinds in sums.kinds)]))
    while len(suspicions) < MOST and any(table.rows.any() for table in tables):
        effects = [_tested(effect, anchors) for effect in _effects(entries, tables)]
        strongest = _strongest(effects)
        if strongest is None:
            break
        suspicions.append(strongest)
        for table in tables:
            table.leave_out(strongest.one, strongest.other)
    return tuple(suspicions)


def _strongest(effects: Sequence[_Effects]) -> Suspicion | None:
    """Return what stands out most, if anything does."""
    from scipy.special import stdtr

    tests = sum(len(effect.ratio) for effect in effects)
    standing_out: list[tuple[float, Suspicion]] = []
    for kind, *columns in effects:
        _, _, _, experiments, excess, ratio = columns
        looks = (experiments / MIN_DEALS).astype(np.float64)
        p_values = always_valid(2 * stdtr(experiments - 1, -np.abs(ratio)), looks) * tests
        for place in np.flatnonzero((p_values < SIGNIFICANCE) & (np.abs(excess) >= MIN_EXCESS)).tolist():
            one, other, met = (int(column[place]) for column in columns[:3])
            if kind == "flow" and ratio[place] < 0:
                one, other = other, one
            elif ratio[place] < 0:
                continue
            suspicion = Suspicion(kind, one, other, met, float(abs(excess[place])), float(p_values[place]))
            standing_out.append((float(abs(ratio[place])), suspicion))
    return max(standing_out)[1] if standing_out else None


def _tested(effects: _Effects, anchors: Collection[int]) -> _Effects:
    """Return the effects that are tested."""
    excluded = list(anchors)
    chosen = (
        (effects.experiments >= MIN_DEALS) & ~np.isin(effects.one, excluded) & ~np.isin(effects.other, excluded)
    ) & np.isfinite(effects.ratio)
    return effects.only(chosen)


def _effects(entries: Ints, tables: "Sequence[_Tables]") -> Iterable[_Effects]:
    """Yield the effects of all pairs that met."""
    pairs = [pair for table in tables for pair in table.pairs()]
    columns = (np.concatenate(column) for column in zip(*pairs, strict=True))
    one, other, deals, points, counts, experiments, squares = columns
    key, place = np.unique(np.stack((one, other)), axis=1, return_inverse=True)
    place = place.ravel()

    def total(values: Floats | Ints) -> Floats:
        return np.bincount(place, values, key.shape[1]).astype(np.float64)

    doubled_points, compared = total(points).astype(np.int64), total(deals * counts).astype(np.int64)
    fit = FieldComparisons.of_sums(entries, key[0], key[1], doubled_points, compared)
    strengths = fit.fit_strengths(np.zeros(len(entries)))
    expected = _expected(strengths[places_of(entries, one)] - strengths[places_of(entries, other)])
    met, trials = total(deals).astype(np.int64), total(experiments).astype(np.int64)
    score = total(deals * counts * expected - points / 2)
    variance = total(squares * expected * (1 - expected))
    yield _Effects("flow", key[0], key[1], met, trials, score / compared, _ratio(score, variance))

    gains = [table.gains(entries, strengths) for table in tables]
    score, variance, naive, counts = (total(np.concatenate(column)) for column in zip(*gains, strict=True))
    corrected = variance * trials / np.maximum(trials - 1, 1)
    # Without any spread nothing is told; with very little, errors are those of independent comparisons.
    naive *= met / np.maximum(trials, 1)
    corrected = np.where(corrected > _NO_SPREAD, at_least_naive(corrected, naive, trials), corrected)
    excess = score / np.maximum(counts, 1)
    yield _Effects("together", key[0], key[1], met, trials, excess, _ratio(score, corrected)).only(counts > 0)


class _Tables:
    """The tables of one size, of deals that are experiments of their own. rows: the kinds that count."""

    def __init__(self, kinds: DealKinds) -> None:
        self.rows: Bools = np.ones(len(kinds), np.bool_)
        self._kinds = kinds

    def leave_out(self, one: int, other: int) -> None:
        """Let tables of two entries count no more."""
        has_one, has_other = ((self._kinds.entries == entry).any(axis=1) for entry in (one, other))
        self.rows &= ~(has_one & has_other)

    def pairs(self) -> Iterable[tuple[Ints, ...]]:
        """Yield columns of pairs, for each position of one.

        These are its entries, the deals, the doubled points, the meetings in a deal, the experiments, and the sum over
        these of the square of its meetings.
        """
        kinds, rows = self._kinds, self.rows
        entries, deals = kinds.entries[rows], kinds.deals[rows]
        for pair, (first, second) in enumerate(zip(*kinds.pairs, strict=True)):
            met = self._met[:, pair]
            counts = kinds.counts[rows][met, pair]
            columns = (column[met] for column in (entries[:, first], entries[:, second], deals))
            yield (*columns, kinds.points[rows][met, pair], counts, deals[met], deals[met] * counts**2)

    @property
    def _met(self) -> Bools:
        return self._kinds.counts[self.rows] > 0

    def gains(self, entries: Ints, strengths: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return what pairs took from others, in the order of `pairs`.

        These are the score, its variance by the spread of deals, its variance if all comparisons were independent, and
        the comparisons.
        """
        kinds, rows = self._kinds, self.rows
        bots, products = residual_products(kinds, entries, strengths)
        bots, products = bots[rows], products[rows]
        counts = kinds.counts[rows] * kinds.deals[rows, None]
        own, compared, spread = np.zeros((3, *bots.shape))
        of_pair = np.zeros(counts.shape)
        for pair, (first, second) in enumerate(zip(*kinds.pairs, strict=True)):
            difference = strengths[bots[:, first]] - strengths[bots[:, second]]
            expected = _expected(difference)
            residual = kinds.points[rows][:, pair] / 2 - counts[:, pair] * expected
            of_pair[:, pair] = counts[:, pair] * expected * (1 - expected)
            spread[:, first] += of_pair[:, pair]
            spread[:, second] += of_pair[:, pair]
            own[:, first] += residual
            own[:, second] -= residual
            compared[:, first] += counts[:, pair]
            compared[:, second] += counts[:, pair]
        columns: list[tuple[Floats, Floats, Floats, Floats]] = []
        for pair, (first, second) in enumerate(zip(*kinds.pairs, strict=True)):
            met = self._met[:, pair]
            variance = products[:, first, first] + products[:, second, second] + 2 * products[:, first, second]
            score, others = own[:, first] + own[:, second], compared[:, first] + compared[:, second]
            naive = spread[:, first] + spread[:, second] - 2 * of_pair[:, pair]
            columns.append((score[met], variance[met], naive[met], (others - 2 * counts[:, pair])[met]))
        score, variance, naive, others = (np.concatenate(column) for column in zip(*columns, strict=True))
        return score, variance, naive, others


class _ExperimentTables(_Tables):
    """The tables of one size, of deals of which several may be one experiment.

    What follows from experiments stands in columns of its own, behind those of deals: one experiment may be of several
    kinds.
    """

    def __init__(self, sums: ExperimentSums) -> None:
        super().__init__(sums.kinds)
        self._sums = sums

    def pairs(self) -> Iterable[tuple[Ints, ...]]:
        for columns in super().pairs():
            none = np.zeros_like(columns[0])
            yield (*columns[:5], none, none)
        one, other, place, meetings, _ = self._by_experiment(None)
        squares = np.bincount(place, meetings**2, len(one)).astype(np.int64)
        none = np.zeros_like(one)
        yield one, other, none, none, none, np.bincount(place, minlength=len(one)), squares

    def gains(self, entries: Ints, strengths: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        score, variance, naive, others = super().gains(entries, strengths)
        residuals = seat_residuals(self._sums, entries, strengths)
        one, _, place, _, gained = self._by_experiment(residuals)
        none = np.zeros(len(one))
        spread = np.concatenate((np.zeros_like(variance), none))
        np.add.at(spread, len(variance) + place, gained**2)
        return np.concatenate((score, none)), spread, np.concatenate((naive, none)), np.concatenate((others, none))

    def _by_experiment(self, residuals: Floats | None) -> tuple[Ints, Ints, Ints, Floats, Floats]:
        """Return both entries of each pair, and for each pair and experiment the place of the pair, and sums.

        The sums are the meetings of the pair, and the residuals of both.

        residuals: by experiment, kind and seat.
        """
        kinds = self._kinds
        kind, number, (deals, *_) = self._sums.experiments()
        if residuals is None:
            residuals = np.zeros((len(kind), kinds.size))
        first, second = kinds.pairs
        met = (kinds.counts[kind] > 0) & self.rows[kind, None]
        seated = kinds.entries[kind]
        key, pair = np.unique(np.stack((seated[:, first][met], seated[:, second][met])), axis=1, return_inverse=True)
        numbers = np.broadcast_to(number[:, None], met.shape)[met]
        cells, cell = np.unique(numbers << 32 | pair.ravel(), return_inverse=True)
        meetings, gained = np.zeros((2, len(cells)))
        np.add.at(meetings, cell, (deals[:, None] * kinds.counts[kind])[met])
        np.add.at(gained, cell, (residuals[:, first] + residuals[:, second])[met])
        return key[0], key[1], cells & (1 << 32) - 1, meetings, gained


def _expected(difference: Floats) -> Floats:
    from scipy.special import expit

    scores: Floats = expit(difference)
    return scores


def _ratio(score: Floats, variance: Floats) -> Floats:
    """Return score by standard error; NaN where there is no spread to judge by."""
    has_spread = variance > _NO_SPREAD
    ratio: Floats = np.where(has_spread, score / np.sqrt(np.where(has_spread, variance, 1.0)), np.nan)
    return ratio
