"""What makes the board of a league doubtful: entries that seem to play for each other, and forfeits.

The audit of tournaments (`arena.ratings.collusion`) asks each match; this one asks the sums of batches. It tests the
same two effects of every two entries:

    flow        one took more points from the other than the ratings predict
    together    both took more points from the others at their tables than the ratings predict

The score of an effect is the sum of its residuals, points minus expected points, under the ratings without it. Of
"together" the sums have the spread from deal to deal. Of a flow at larger tables they have not, and it is taken to be
as large as it can be: as if all matches of a deal ended alike. Ratings have explained a part of every effect before it
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
from arena.league.results.field_comparisons import FieldComparisons, places_of
from arena.league.results.flags import Suspicion, SuspicionKind
from arena.league.results.residual_products import residual_products
from arena.ratings.degeneracy import at_least_naive
from arena.ratings.keyed_sums import Bools, Floats, Ints
from arena.ratings.multiple_testing import always_valid

SIGNIFICANCE = 0.01
"""The probability, at most, that the audits of a league of honest bots ever find anything."""

MIN_DEALS = 20
"""The fewest deals in which two entries must have met to be tested."""

MIN_EXCESS = 0.1
"""Points per comparison beyond those expected: a smaller effect never stands out. It is three times what stands out in
the audit of a tournament, which only its organiser reads."""

_NO_SPREAD = 1e-9
"""Variances up to this are 0, but for rounding."""

MOST = 20
"""The most effects that are found."""


class _Effects(NamedTuple):
    """Effects of pairs; the arrays have an element for each. excess: the score per comparison."""

    kind: SuspicionKind
    one: Ints
    other: Ints
    deals: Ints
    excess: Floats
    ratio: Floats
    """Of the score to its standard error."""

    def only(self, chosen: Bools) -> Self:
        """Return some of the effects."""
        kind, one, other, deals, excess, ratio = self
        return self.__class__(kind, one[chosen], other[chosen], deals[chosen], excess[chosen], ratio[chosen])


def find_suspicions(kinds: Sequence[DealKinds], entries: Ints, anchors: Collection[int]) -> tuple[Suspicion, ...]:
    """Return the effects that stand out, the strongest first.

    kinds: of all deals. entries: of the field, ascending. anchors: entries that are not tested.
    """
    found: list[Suspicion] = []
    left: list[Bools] = [np.ones(len(of_size), np.bool_) for of_size in kinds]
    while len(found) < MOST and any(map(np.any, left)):
        effects = [_tested(each, anchors) for each in _effects(entries, kinds, left)]
        strongest = _strongest(effects)
        if strongest is None:
            break
        found.append(strongest)
        for of_size, rows in zip(kinds, left, strict=True):
            has_one, has_other = ((of_size.entries == entry).any(axis=1) for entry in (strongest.one, strongest.other))
            rows &= ~(has_one & has_other)
    return tuple(found)


def _strongest(effects: Sequence[_Effects]) -> Suspicion | None:
    """Return what stands out most, if anything does."""
    from scipy.special import stdtr

    tests = sum(len(each.ratio) for each in effects)
    standing_out: list[tuple[float, Suspicion]] = []
    for kind, *columns in effects:
        _, _, deals, excess, ratio = columns
        p_values = always_valid(2 * stdtr(deals - 1, -np.abs(ratio)), (deals / MIN_DEALS).astype(np.float64)) * tests
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
        (effects.deals >= MIN_DEALS) & ~np.isin(effects.one, excluded) & ~np.isin(effects.other, excluded)
    ) & np.isfinite(effects.ratio)
    return effects.only(chosen)


def _effects(entries: Ints, kinds: Sequence[DealKinds], left: Sequence[Bools]) -> Iterable[_Effects]:
    """Yield the effects of all pairs that met. left: the rows of each size that count."""
    tables = [_Tables(of_size, rows) for of_size, rows in zip(kinds, left, strict=True)]
    pairs = [pair for table in tables for pair in table.pairs()]
    one, other, deals, points, counts = (np.concatenate(column) for column in zip(*pairs, strict=True))
    key, place = np.unique(np.stack((one, other)), axis=1, return_inverse=True)
    place = place.ravel()

    def total(values: Floats | Ints) -> Floats:
        return np.bincount(place, values, key.shape[1]).astype(np.float64)

    doubled_points, compared = total(points).astype(np.int64), total(deals * counts).astype(np.int64)
    fit = FieldComparisons.of_sums(entries, key[0], key[1], doubled_points, compared)
    strengths = fit.fit_strengths(np.zeros(len(entries)))
    expected = _expected(strengths[places_of(entries, one)] - strengths[places_of(entries, other)])
    met = total(deals).astype(np.int64)
    score = total(deals * counts * expected - points / 2)
    variance = total(deals * counts**2 * expected * (1 - expected))
    yield _Effects("flow", key[0], key[1], met, score / compared, _ratio(score, variance))

    gains = [table.gains(entries, strengths) for table in tables]
    score, variance, naive, counts = (total(np.concatenate(column)) for column in zip(*gains, strict=True))
    corrected = variance * met / np.maximum(met - 1, 1)
    # Without any spread nothing is told; with very little, errors are those of independent comparisons.
    corrected = np.where(corrected > _NO_SPREAD, at_least_naive(corrected, naive, met), corrected)
    excess = score / np.maximum(counts, 1)
    yield _Effects("together", key[0], key[1], met, excess, _ratio(score, corrected)).only(counts > 0)


class _Tables:
    """The tables of one size that count."""

    def __init__(self, kinds: DealKinds, rows: Bools) -> None:
        self._kinds = kinds
        self._rows = rows
        self._met = kinds.counts[rows] > 0

    def pairs(self) -> Iterable[tuple[Ints, ...]]:
        """Yield, for each position of a pair, its entries, the deals, the doubled points and the meetings in a deal."""
        kinds, rows = self._kinds, self._rows
        entries, deals = kinds.entries[rows], kinds.deals[rows]
        for pair, (first, second) in enumerate(zip(*kinds.pairs, strict=True)):
            met = self._met[:, pair]
            columns = entries[:, first], entries[:, second], deals
            yield (*(column[met] for column in columns), kinds.points[rows][met, pair], kinds.counts[rows][met, pair])

    def gains(self, entries: Ints, strengths: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return what pairs took from others, in the order of `pairs`.

        These are the score, its variance by the spread of deals, its variance if all comparisons were independent, and
        the comparisons.
        """
        kinds, rows = self._kinds, self._rows
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


def _expected(difference: Floats) -> Floats:
    from scipy.special import expit

    scores: Floats = expit(difference)
    return scores


def _ratio(score: Floats, variance: Floats) -> Floats:
    """Return score by standard error; NaN where there is no spread to judge by."""
    has_spread = variance > _NO_SPREAD
    ratio: Floats = np.where(has_spread, score / np.sqrt(np.where(has_spread, variance, 1.0)), np.nan)
    return ratio
