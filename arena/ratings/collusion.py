"""Do two bots play for each other? What they make of their matches, against what the ratings expect.

Every effect of two bots (see `arena.ratings.pair_effects`) is estimated by a Newton step from the joint fit without it:
the residuals, points made less points expected, over what the effect would change, less what the strengths take up of
it. Its error is clustered by deal, as in `arena.ratings.solver`: it comes from the spread of the same sums over deals,
once the effect is in the model; and Student's t tells the chance that honest bots show as much. As there are many
pairs, the chance is multiplied by the number of effects that are looked for (Holm 1979): of the audits of honest bots
about `SIGNIFICANCE` raise an alarm.

The strongest effect that stands out becomes part of the model, and all others are tested again beside it: what two
bots push to each other is missing elsewhere, and nobody else must be suspected for that.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.sparse import block_diag, csc_array, csr_array, eye_array, hstack, vstack

from arena.ratings.bradley_terry import expected_scores, fit_strengths, information_matrix
from arena.ratings.connectivity import analyse_connectivity
from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.pair_effects import EffectKind, build_effects
from arena.ratings.ranking import ELO_PER_NAT
from arena.ratings.ranking import QUANTILE as QUANTILE
from arena.ratings.solver import build_comparisons
from arena.ratings.tally import Tally
from arena.ratings.totals import PairSums, Totals

SIGNIFICANCE = 0.01
"""The part of all audits of honest bots that raises an alarm, about (`arena.bench.audit_simulation` counts them)."""

MIN_DEALS = 20
"""Deals in which two bots must have met before they are looked at."""

MIN_EXCESS = 0.03
"""Points per comparison: less never stands out, however sure it is. Honest styles that suit each other, or do not, do
as much, and no rating knows of them."""

MAX_ENTRIES = 4_000_000
"""Of the columns of all effects: some hundred megabytes, and seconds. Of larger tournaments a part of the deals is
looked at, which shows what is large enough to stand out just as well."""

_VISIBLE = 0.01
"""The part of an effect that strengths must leave, or there is nothing to be seen of it."""

_CHUNK = 1 << 23
"""Numbers that are held at once: as many effects are tested as that allows."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What two bots did for each other.

    kind: "flow": points went from `one` to `other`. "together": both made more of the others at their table than they
    do without each other (less, where `beyond` is below 0).
    comparisons, deals: on which it rests. made: points per comparison that `other` made against `one`, or both against
    the others. beyond: how much of that neither the ratings nor stronger effects explain. bar: half the width of its
    95 % interval. elo: the same as a difference in strength. chance: that of honest bots any two show as much.
    stands_out: whether that is below `SIGNIFICANCE`, and `beyond` is `MIN_EXCESS` or more.
    """

    kind: EffectKind
    one: str
    other: str
    comparisons: float
    deals: int
    made: float
    beyond: float
    ci95: float
    elo: float
    chance: float
    stands_out: bool


def find_suspicions(tally: Tally) -> tuple[Suspicion, ...]:
    """Test every two bots for collusion: what stands out, the strongest first, then the others likewise.

    Left out are bots that met in few deals, and what strengths explain as well as an effect: all between two bots
    alone, and being together where the same bots sit at every table.
    """
    if not tally.totals().played:
        return ()
    model = _Model(tally)
    chosen: dict[int, Suspicion] = {}
    latest = tested = model.test([])
    while (strongest := next((effect for effect, told in tested.items() if told.stands_out), None)) is not None:
        chosen[strongest] = tested[strongest]
        tested = model.test(list(chosen))
        latest = latest | tested
    # What cannot be told from the chosen (of three bots, who of them it is) is as suspicious as it was before them.
    same = [told for effect, told in latest.items() if effect not in chosen and effect not in tested]
    return (*chosen.values(), *same, *tested.values())


@dataclass(frozen=True, slots=True)
class _Fit:
    """Strengths and chosen effects, fitted.

    rows: of both together. inverse: of their information. residuals, weights: points made less those expected, and the
    information, by row.
    """

    rows: csr_array
    inverse: Floats
    residuals: Floats
    weights: Floats


def deal_stride(totals: Totals) -> int:
    """Return the sampling stride over deals: 1, unless the tournament is very large."""
    deals = max(1, len(np.unique(totals.pairs.deal)))
    pairs_of_deal = len(totals.pairs.deal) / deals
    # Of k bots at a table each of k (k - 1) / 2 pairs is a part of 2 (k - 2) + 1 effects, and k² is 2 pairs and k.
    entries = len(totals.pairs.deal) * 2 * np.sqrt(2 * pairs_of_deal)
    return max(1, int(np.ceil(entries / MAX_ENTRIES)))


def _thinned(totals: Totals) -> Totals:
    """Return what one deal of each `deal_stride` says."""
    _, number = np.unique(totals.pairs.deal, return_inverse=True)
    kept = number % deal_stride(totals) == 0
    pairs = PairSums(*(getattr(totals.pairs, column.name)[kept] for column in fields(PairSums)))
    return replace(totals, pairs=pairs)


class _Model:
    """Strengths, and the effects beside them."""

    def __init__(self, tally: Tally) -> None:
        totals = _thinned(tally.totals())
        comparisons = build_comparisons(totals)
        self._bots = totals.lineup.bots
        self._rows = csr_array(comparisons.rows[comparisons.of_pair])
        self._points = totals.pairs.points / 2
        self._counts = totals.pairs.count.astype(np.float64)
        connection = analyse_connectivity(comparisons.rows, comparisons.points, comparisons.counts)
        self._null = connection.null
        self._held = comparisons.rows[np.flatnonzero(connection.open_ended)]  # by a tie, as in `solve`
        deals, deal = np.unique(totals.pairs.deal, return_inverse=True)
        entries = np.ones(len(deal)), (deal, np.arange(len(deal)))
        self._by_deal = csr_array(entries, shape=(len(deals), len(deal)))
        self._effects = build_effects(totals.pairs.deal, self._rows)
        columns = self._effects.columns
        self._deals = np.diff(csc_array(self._by_deal @ abs(columns)).indptr)
        self._comparisons = abs(columns).T @ self._counts
        self._made = columns.T @ (self._points - self._counts / 2) / self._comparisons + 0.5

    def test(self, chosen: list[int]) -> dict[int, Suspicion]:
        """Test all effects but those that are chosen, which belong to the model; the strongest come first."""
        rows = csr_array(hstack([self._rows, self._effects.columns[:, chosen]]))
        # A chosen effect may be without an end, like a strength: one tie holds it.
        ties = block_diag([self._held, eye_array(len(chosen))], format="csr")
        null = np.zeros((rows.shape[1], rows.shape[1]))
        null[: len(self._null), : len(self._null)] = self._null
        held, counts = csr_array(vstack([rows, ties])), np.concatenate((self._counts, np.ones(ties.shape[0])))
        fitted = fit_strengths(held, np.concatenate((self._points, np.full(ties.shape[0], 0.5))), counts, null)
        chances = expected_scores(fitted, rows)
        residuals = self._points - self._counts * chances
        fit = _Fit(
            rows=rows,
            inverse=np.asarray(np.linalg.inv(information_matrix(fitted, held, counts, null)), np.float64),
            residuals=residuals,
            weights=self._counts * chances * (1 - chances),
        )
        wanted = np.flatnonzero(self._deals >= MIN_DEALS)
        wanted = wanted[~np.isin(wanted, chosen)]
        step = max(1, _CHUNK // rows.shape[0])
        scored = [self._score(wanted[at : at + step], fit) for at in range(0, len(wanted), step)]
        return self._told(np.concatenate([np.empty((5, 0)), *scored], axis=1))

    def _score(self, which: Ints, fit: _Fit) -> Floats:
        """Return number, score, its variance, information and mean weight of all effects that can be seen."""
        columns, deals = self._effects.columns[:, which], self._deals[which]
        overlap = (fit.rows.T @ columns.multiply(fit.weights[:, None])).toarray()
        free = columns.toarray() - fit.rows @ (fit.inverse @ overlap)  # what strengths do not take up
        made = self._by_deal @ (free * fit.residuals[:, None])
        weighed = self._by_deal @ (free**2 * fit.weights[:, None])
        score, left = made.sum(axis=0), weighed.sum(axis=0)
        seen = left > _VISIBLE * (columns.multiply(columns).T @ fit.weights)
        # As with the effect in the model: a large one leaves nothing else in the deals in which the two did not meet.
        spread = made - weighed * np.where(seen, score / np.where(seen, left, 1), 0)
        variance = (spread**2).sum(axis=0) * deals / (deals - 1)
        seen &= variance > 1e-9 * left**2
        weight = abs(columns).T @ fit.weights / self._comparisons[which]
        return np.array([each[seen] for each in (which, score, variance, left, weight)])

    def _told(self, scored: Floats) -> dict[int, Suspicion]:
        """Return effects as people read them, by their numbers."""
        from scipy.special import stdtr, stdtrit

        told: list[tuple[float, int, Suspicion]] = []
        for effect, score, variance, left, weight in zip(
            scored[0].astype(int).tolist(), *scored[1:].tolist(), strict=True
        ):
            kind, deals = self._effects.kinds[effect], int(self._deals[effect])
            one, other = (self._bots[places[effect]] for places in (self._effects.first, self._effects.second))
            made, sign = float(self._made[effect]), 1
            if kind == "flow" and score < 0:
                one, other, made, sign = other, one, 1 - made, -1
            ratio = sign * score / variance**0.5
            # Points may flow either way, but being together is suspicious only where it helps.
            chance = (2 if kind == "flow" else 1) * float(stdtr(deals - 1, -ratio))
            chance = min(1.0, chance * scored.shape[1])
            beyond = sign * score / left * weight
            found = Suspicion(
                kind=kind,
                one=one,
                other=other,
                comparisons=float(self._comparisons[effect]),
                deals=deals,
                made=made,
                beyond=beyond,
                ci95=float(stdtrit(deals - 1, QUANTILE)) * variance**0.5 / left * weight,
                elo=sign * score / left * ELO_PER_NAT,
                chance=chance,
                stands_out=chance < SIGNIFICANCE and beyond >= MIN_EXCESS,
            )
            told.append((-ratio, effect, found))
        return {effect: found for _, effect, found in sorted(told, key=lambda each: each[:2])}
