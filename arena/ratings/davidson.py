"""Davidson's model: ties have a parameter of their own, for two at a table.

With d the difference of two strengths in nats and v the tie parameter,

    win : tie : loss = exp(d / 2) : v : exp(-d / 2)

(Davidson 1970). With v = 0 it is the model of Bradley and Terry. Strengths and v are fitted together, by Newton's
method on the strengths and log v, in which the likelihood is concave. The covariance is clustered by deal as in
`arena.ratings.solver`, and includes the uncertainty of v.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.connectivity import analyse_connectivity
from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.solver import (
    Comparisons,
    Solution,
    build_comparisons,
    centre_rows,
)
from arena.ratings.totals import Totals
from arena.values.errors import RatingError

_MAX_STEPS = 200
_TOLERANCE = 1e-8
_MOST_VARIANCE = 1e4
"""The most variance of a strength, in squared nats: with more the likelihood is flat, and what it seems to find is
rounding."""

_NOT_FINITE = (
    "no finite tie parameter and strengths explain these results best: ties and decisions are too few, or between the "
    "same two only; leave out --davidson"
)
"""For example, if all decisive matches are between two bots of which one never lost, and all others are ties: the
likelihood grows with that bot's strength and with v."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """The expected points of the first team and the probability of a tie, for each comparison."""

    points: Floats
    tie: Floats
    total: Floats
    """The logarithm of the sum of the three outcomes' weights."""


def _expect(rows: csr_array, parameters: Floats) -> _Expected:
    half = rows @ parameters[:-1] / 2
    total = np.logaddexp(np.logaddexp(half, -half), parameters[-1])
    win, tie = np.exp(half - total), np.exp(parameters[-1] - total)
    return _Expected(win + tie / 2, tie, total)


def solve_with_ties(totals: Totals) -> Solution | None:
    """Fit strengths and the tie parameter jointly; None if all matches were ties, from which v cannot be estimated.

    totals: of a tally in which all matches have two teams.

    Raises RatingError if the likelihood has no maximum.
    """
    comparisons = build_comparisons(totals)
    connectivity = analyse_connectivity(comparisons.rows, comparisons.points, comparisons.counts)
    extra = connectivity.open_ended.astype(float)  # one more tie for the open-ended, as in `solve_comparisons`
    points, counts, ties = comparisons.points + extra / 2, comparisons.counts + extra, comparisons.ties + extra
    if comparisons.counts.sum() == comparisons.ties.sum():
        return None
    has_ties = ties.sum() > 0
    null = np.zeros((len(connectivity.null) + 1,) * 2)
    null[:-1, :-1] = connectivity.null
    if not has_ties:
        null[-1, -1] = 1.0  # v = 0 stands
    parameters = np.zeros(len(null))
    parameters[-1] = 0.0 if has_ties else -np.inf
    free = np.ones(len(null), np.bool_)
    free[-1] = has_ties

    def likelihood(values: Floats) -> float:
        expected = _expect(comparisons.rows, values)
        score = (points - counts / 2) @ (comparisons.rows @ values[:-1])
        return float(score + (ties.sum() * values[-1] if has_ties else 0.0) - counts @ expected.total)

    current = likelihood(parameters)
    for _ in range(_MAX_STEPS):
        expected = _expect(comparisons.rows, parameters)
        slope = np.append(comparisons.rows.T @ (points - counts * expected.points), ties.sum() - counts @ expected.tie)
        slope[~free] = 0.0
        try:
            step = np.linalg.solve(
                _information(comparisons.rows, counts, expected) * np.outer(free, free) + null, slope
            )
        except np.linalg.LinAlgError:
            raise RatingError(_NOT_FINITE) from None
        if np.abs(step).max() < _TOLERANCE:
            break
        while likelihood(parameters + step) < current - 1e-12 * abs(current):
            step /= 2
        parameters = parameters + step
        current = likelihood(parameters)
    else:
        raise RatingError(_NOT_FINITE)

    expected = _expect(comparisons.rows, parameters)
    inverse = np.linalg.inv(_information(comparisons.rows, counts, expected) * np.outer(free, free) + null)
    bread = inverse - null
    bread[:-1] = centre_rows(connectivity, bread[:-1])
    residuals, deals = _residuals(totals, comparisons, expected)
    correction = np.sqrt(deals / np.maximum(deals - 1, 1))
    covariance = bread @ (residuals.T @ residuals).toarray() @ bread.T
    covariance = covariance[:-1, :-1] * np.outer(correction, correction)
    naive = centre_rows(connectivity, bread[:-1, :-1].T).T
    if np.diag(naive).max(initial=0.0) > _MOST_VARIANCE:
        raise RatingError(_NOT_FINITE)
    strengths = centre_rows(connectivity, np.where(free, parameters, 0.0)[:-1])
    return Solution(
        strengths, covariance, naive, deals, connectivity, np.zeros(len(deals)), float(np.exp(parameters[-1]))
    )


def _information(rows: csr_array, counts: Floats, expected: _Expected) -> Floats:
    """Return the Hessian of minus the log-likelihood: of the strengths, and of log v in the last row and column."""
    variance = expected.points * (1 - expected.points) - expected.tie / 4  # of the points 1, 1/2 and 0
    strengths = (rows.T @ rows.multiply((counts * variance)[:, None])).toarray()
    cross = rows.T @ (counts * expected.tie * (0.5 - expected.points))
    tie_entry = counts @ (expected.tie * (1 - expected.tie))
    return np.block([[strengths, cross[:, None]], [cross[None, :], np.array([[tie_entry]])]])


def _residuals(totals: Totals, comparisons: Comparisons, expected: _Expected) -> tuple[csr_array, Ints]:
    """Return the residuals of each deal (row) by bot, with those of ties in the last column; and the deals by bot."""
    pairs, bots = totals.pairs, len(totals.lineup.bots)
    deals, deal = np.unique(pairs.deal, return_inverse=True)
    point_residuals = pairs.points / 2 - pairs.count * expected.points[comparisons.of_pair]
    rows = comparisons.rows[comparisons.of_pair]
    sizes = np.diff(rows.indptr)
    cells = (
        np.concatenate((np.repeat(deal, sizes), deal)),
        np.concatenate((rows.indices, np.full(len(deal), bots))),
    )
    values = np.concatenate(
        (rows.data * np.repeat(point_residuals, sizes), pairs.ties - pairs.count * expected.tie[comparisons.of_pair])
    )
    residuals = csr_array((values, cells), (len(deals), bots + 1))
    played = csr_array((np.ones(len(rows.indices)), (np.repeat(deal, sizes), rows.indices)), (len(deals), bots))
    return residuals, np.bincount(played.indices, minlength=bots)
