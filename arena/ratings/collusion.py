"""Collusion: test whether two bots play for each other, by comparing their results with what the ratings expect.

Every effect of two bots (see `arena.ratings.pair_effects`) is estimated by a Newton step from the joint fit without it:
the sum of the residuals, points minus expected points, over the part of the effect's column that the strengths do not
explain. Its error is clustered by deal, as in `arena.ratings.solver`, with the effect in the model.
Student's t gives the p-value. As many effects are tested, it is multiplied by their number (Holm 1979): about a
fraction of `SIGNIFICANCE` of the audits of honest bots raises an alarm.

The strongest significant effect is added to the model, and all others are tested again: points that one bot passes to
another are missing elsewhere, which must not raise suspicion against others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.sparse import block_diag, csc_array, csr_array, eye_array, hstack, vstack

from arena.ratings.bradley_terry import expected_scores, fit_strengths, information_matrix
from arena.ratings.connectivity import analyse_connectivity
from arena.ratings.degeneracy import at_least_naive
from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.pair_effects import EffectKind, add_groups, build_effects
from arena.ratings.ranking import ELO_PER_NAT
from arena.ratings.ranking import QUANTILE as QUANTILE
from arena.ratings.solver import build_comparisons
from arena.ratings.tally import Tally
from arena.ratings.totals import PairSums, Totals

SIGNIFICANCE = 0.01
"""The fraction of audits of honest bots that raise an alarm, about (`bench.research.audit_simulation` measures it)."""

MIN_DEALS = 20
"""The fewest deals in which two bots must have met to be tested."""

MIN_GROUP_DEALS = 10
"""The fewest deals in which two bots of one author must have met for the author's bots to be tested together."""

MIN_EXCESS = 0.03
"""Points per comparison: a smaller effect never stands out, however significant. Honest bots whose styles do or do not
suit each other show as much, and no rating models that."""

MAX_ENTRIES = 4_000_000
"""The most entries of the columns of all effects: some hundred megabytes, and seconds. Of larger tournaments a sample
of the deals is tested, which suffices for effects large enough to stand out."""

_VISIBLE = 0.01
"""The fraction of an effect that strengths must leave unexplained for it to be testable."""

_CHUNK = 1 << 23
"""Numbers in memory at a time, which limits how many effects are tested together."""


_DIRECTED: tuple[EffectKind, ...] = ("flow", "group flow")
"""The effects that may go either way; being together is suspicious only if it helps."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The tested effect of two bots, or of the bots of one author, on each other's results."""

    kind: EffectKind
    """The kind of the effect. "flow": points went from `one` to `other`. "together": both scored more against the
    others at their table than they do without each other (less, if `excess` is negative). "group": the bots of the
    author `one` did so; `other` is empty. "group flow": points went from the other bots of an author to its bot
    `other`, or from its bot `one` to the others; then the author's name stands for these.
    """
    one: str
    other: str
    comparisons: float
    """The number of comparisons that it is based on."""
    deals: int
    """The number of deals that it is based on."""
    points: float
    """The points per comparison, of `other` against `one`, or of both against the others."""
    excess: float
    """The part of `points` that neither the ratings nor stronger effects explain."""
    ci95: float
    """Half the width of the 95 % interval of `excess`."""
    elo: float
    """The excess as a difference in Elo."""
    p_value: float
    """The probability that any two bots of the field show as much if all are honest."""
    stands_out: bool
    """Whether `p_value` is below `SIGNIFICANCE` and `excess` at least `MIN_EXCESS`."""
    members: tuple[str, ...] = ()
    """The bots of the author, for a group; empty for two bots."""


def find_suspicions(tally: Tally, authors: Mapping[str, str] | None = None) -> tuple[Suspicion, ...]:
    """Test every two bots for collusion; return what stands out, the strongest first, then the others likewise.

    authors: the author of each bot, by its name, where known. Three bots of one author or more are tested as a group,
        too.

    Not tested are bots that met in few deals, and effects that strengths explain as well: all in a field of two bots,
    and being together if the same bots sit at every table.
    """
    if not tally.totals().played:
        return ()
    model = _Model(tally, authors or {})
    selected: dict[int, Suspicion] = {}
    latest = tested = model.test([])
    while (strongest := next((effect for effect, result in tested.items() if result.stands_out), None)) is not None:
        selected[strongest] = tested[strongest]
        tested = model.test(list(selected))
        latest = latest | tested
    # Effects that cannot be distinguished from the selected (which two of three bots it is) keep their last result.
    untested = [result for effect, result in latest.items() if effect not in selected and effect not in tested]
    return (*selected.values(), *untested, *tested.values())


@dataclass(frozen=True, slots=True)
class _Fit:
    """The fit of strengths and selected effects."""

    rows: csr_array
    """The rows of strengths and selected effects together."""
    inverse: Floats
    """The inverse of the information matrix of both."""
    residuals: Floats
    """The points minus the expected points, by row."""
    weights: Floats
    """The information, by row."""


def deal_stride(totals: Totals) -> int:
    """Return the sampling stride over deals: 1, unless the tournament is very large."""
    deals = max(1, len(np.unique(totals.pairs.deal)))
    pairs_of_deal = len(totals.pairs.deal) / deals
    # With k bots at a table, each of the k (k - 1) / 2 pairs is in 2 (k - 2) + 1 effects; k is about √(2 pairs).
    entries = len(totals.pairs.deal) * 2 * np.sqrt(2 * pairs_of_deal)
    return max(1, int(np.ceil(entries / MAX_ENTRIES)))


def _sample(totals: Totals) -> Totals:
    """Return the totals of every `deal_stride`-th deal."""
    _, number = np.unique(totals.pairs.deal, return_inverse=True)
    is_sampled = number % deal_stride(totals) == 0
    pairs = PairSums(*(getattr(totals.pairs, column.name)[is_sampled] for column in fields(PairSums)))
    return replace(totals, pairs=pairs)


class _Model:
    """The model of strengths and effects."""

    def __init__(self, tally: Tally, authors: Mapping[str, str]) -> None:
        totals = _sample(tally.totals())
        comparisons = build_comparisons(totals)
        self._bots = totals.lineup.bots
        self._rows = csr_array(comparisons.rows[comparisons.of_pair])
        self._points = totals.pairs.points / 2
        self._counts = totals.pairs.count.astype(np.float64)
        connectivity = analyse_connectivity(comparisons.rows, comparisons.points, comparisons.counts)
        self._null = connectivity.null
        # Each of these gets one tie, as in `solve_comparisons`.
        self._open_ended_rows = comparisons.rows[np.flatnonzero(connectivity.open_ended)]
        deals, deal = np.unique(totals.pairs.deal, return_inverse=True)
        entries = np.ones(len(deal)), (deal, np.arange(len(deal)))
        self._by_deal = csr_array(entries, shape=(len(deals), len(deal)))
        groups: dict[str, list[int]] = {}
        for bot, name in enumerate(self._bots):
            if authors.get(name):
                groups.setdefault(authors[name], []).append(bot)
        self._authors = tuple(groups)
        self._members = [tuple(self._bots[bot] for bot in group) for group in groups.values()]
        self._effects = add_groups(build_effects(totals.pairs.deal, self._rows), list(groups.values()))
        columns = self._effects.columns
        self._deals = np.diff(csc_array(self._by_deal @ abs(columns)).indptr)
        self._comparisons = abs(columns).T @ self._counts
        self._mean_points = columns.T @ (self._points - self._counts / 2) / self._comparisons + 0.5

    def test(self, selected: list[int]) -> dict[int, Suspicion]:
        """Test all effects except the selected, which belong to the model; return them by number, strongest first."""
        rows = csr_array(hstack([self._rows, self._effects.columns[:, selected]]))
        # A selected effect may have no finite estimate, like a strength: one tie makes it finite.
        ties = block_diag([self._open_ended_rows, eye_array(len(selected))], format="csr")
        null = np.zeros((rows.shape[1], rows.shape[1]))
        null[: len(self._null), : len(self._null)] = self._null
        rows_with_ties, counts = csr_array(vstack([rows, ties])), np.concatenate((self._counts, np.ones(ties.shape[0])))
        fitted = fit_strengths(
            rows_with_ties, np.concatenate((self._points, np.full(ties.shape[0], 0.5))), counts, null
        )
        expected = expected_scores(fitted, rows)
        residuals = self._points - self._counts * expected
        fit = _Fit(
            rows=rows,
            inverse=np.asarray(np.linalg.inv(information_matrix(fitted, rows_with_ties, counts, null)), np.float64),
            residuals=residuals,
            weights=self._counts * expected * (1 - expected),
        )
        candidates = np.flatnonzero(self._deals >= np.where(self._effects.first < 0, MIN_GROUP_DEALS, MIN_DEALS))
        candidates = candidates[~np.isin(candidates, selected)]
        step = max(1, _CHUNK // rows.shape[0])
        scores = [self._score(candidates[at : at + step], fit) for at in range(0, len(candidates), step)]
        return self._suspicions(np.concatenate([np.empty((5, 0)), *scores], axis=1))

    def _score(self, effects: Ints, fit: _Fit) -> Floats:
        """Return number, score, its variance, information and mean weight of each testable effect."""
        columns, deals = self._effects.columns[:, effects], self._deals[effects]
        overlap = (fit.rows.T @ columns.multiply(fit.weights[:, None])).toarray()
        unexplained = columns.toarray() - fit.rows @ (fit.inverse @ overlap)  # the part that strengths do not explain
        score_by_deal = self._by_deal @ (unexplained * fit.residuals[:, None])
        information_by_deal = self._by_deal @ (unexplained**2 * fit.weights[:, None])
        score, information = score_by_deal.sum(axis=0), information_by_deal.sum(axis=0)
        testable = information > _VISIBLE * (columns.multiply(columns).T @ fit.weights)
        # As with the effect in the model: a large one leaves nothing else in the deals in which the two did not meet.
        residual_score = score_by_deal - information_by_deal * np.where(
            testable, score / np.where(testable, information, 1), 0
        )
        variance = (residual_score**2).sum(axis=0) * deals / (deals - 1)
        testable &= variance > 1e-9 * information**2  # without any spread nothing is told
        variance = at_least_naive(variance, information, deals)
        weight = abs(columns).T @ fit.weights / self._comparisons[effects]
        return np.array([values[testable] for values in (effects, score, variance, information, weight)])

    def _suspicions(self, scored: Floats) -> dict[int, Suspicion]:
        """Return the suspicions of scored effects by number, the strongest first."""
        from scipy.special import stdtr, stdtrit

        ordered: list[tuple[float, int, Suspicion]] = []
        for effect, score, variance, information, weight in zip(
            scored[0].astype(int).tolist(), *scored[1:].tolist(), strict=True
        ):
            kind, deals = self._effects.kinds[effect], int(self._deals[effect])
            one, other, members = self._names(effect)
            points, sign = float(self._mean_points[effect]), 1
            if kind in _DIRECTED and score < 0:
                one, other, points, sign = other, one, 1 - points, -1
            ratio = sign * score / variance**0.5
            p_value = (2 if kind in _DIRECTED else 1) * float(stdtr(deals - 1, -ratio))
            p_value = min(1.0, p_value * scored.shape[1])
            excess = sign * score / information * weight
            suspicion = Suspicion(
                kind=kind,
                one=one,
                other=other,
                comparisons=float(self._comparisons[effect]),
                deals=deals,
                points=points,
                excess=excess,
                ci95=float(stdtrit(deals - 1, QUANTILE)) * variance**0.5 / information * weight,
                elo=sign * score / information * ELO_PER_NAT,
                p_value=p_value,
                stands_out=p_value < SIGNIFICANCE and excess >= MIN_EXCESS,
                members=members,
            )
            ordered.append((-ratio, effect, suspicion))
        return {effect: suspicion for _, effect, suspicion in sorted(ordered, key=lambda entry: entry[:2])}

    def _names(self, effect: int) -> tuple[str, str, tuple[str, ...]]:
        """Return `one`, `other` and `members` of an effect, as it is oriented in the model."""
        first, second = int(self._effects.first[effect]), int(self._effects.second[effect])
        if first >= 0:
            return self._bots[first], self._bots[second], ()
        author = self._authors[-first - 1]
        return author, "" if second < 0 else self._bots[second], self._members[-first - 1]
