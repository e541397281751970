"""Davidson's model: ties have a parameter of their own, for two at a table.

With d the difference of two strengths in nats and v the tie parameter,

    win : tie : loss = exp(d / 2) : v : exp(-d / 2)

(Davidson 1970). With v = 0 it is the model of Bradley and Terry. Strengths and v are fitted together, by Newton's
method on d and log v, in which the likelihood is concave; the covariance is clustered by deal as in
`solution`, and what is not known of v is in it.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.connectivity import analyse_connectivity
from arena.ratings.errors import RatingError
from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.solver import (
    Comparisons,
    Solution,
    build_comparisons,
    centring_matrix,
)
from arena.ratings.totals import Totals

_STEPS = 200
_CLOSE = 1e-8

_ENDLESS = (
    "no finite tie parameter and strengths explain these results best: ties and decisions are too few, or between the "
    "same two only; leave out --davidson"
)
"""As where all decisions are between two of whom one never lost, and all others tied: the stronger that one is and the
likelier ties are, the better."""


@dataclass(frozen=True, slots=True)
class _Chances:
    """What the model expects of each comparison: the points of the first team, and a tie."""

    points: Floats
    tie: Floats
    total: Floats
    """The logarithm of what the three outcomes' weights add up to."""


def _chances(rows: csr_array, parameters: Floats) -> _Chances:
    half = rows @ parameters[:-1] / 2
    total = np.logaddexp(np.logaddexp(half, -half), parameters[-1])
    win, tie = np.exp(half - total), np.exp(parameters[-1] - total)
    return _Chances(win + tie / 2, tie, total)


def solve_with_ties(totals: Totals) -> Solution | None:
    """Fit strengths and the tie parameter together; None where all matches were ties, which no strengths explain.

    totals: of a tally all of whose matches were between two.

    Raises RatingError where the likelihood has no highest point.
    """
    found = build_comparisons(totals)
    connection = analyse_connectivity(found.rows, found.points, found.counts)
    more = connection.open_ended.astype(float)  # a tie for those that are open-ended, as in `solution.solve`
    points, counts, ties = found.points + more / 2, found.counts + more, found.ties + more
    if found.counts.sum() == found.ties.sum():
        return None
    tied = ties.sum() > 0
    null = np.zeros((len(connection.null) + 1,) * 2)
    null[:-1, :-1] = connection.null
    if not tied:
        null[-1, -1] = 1.0  # v = 0 stands
    parameters = np.zeros(len(null))
    parameters[-1] = 0.0 if tied else -np.inf
    free = np.ones(len(null), np.bool_)
    free[-1] = tied

    def likelihood(at: Floats) -> float:
        chances = _chances(found.rows, at)
        won = (points - counts / 2) @ (found.rows @ at[:-1])
        return float(won + (ties.sum() * at[-1] if tied else 0.0) - counts @ chances.total)

    height = likelihood(parameters)
    for _ in range(_STEPS):
        chances = _chances(found.rows, parameters)
        slope = np.append(found.rows.T @ (points - counts * chances.points), ties.sum() - counts @ chances.tie)
        slope[~free] = 0.0
        try:
            step = np.linalg.solve(_information(found.rows, counts, chances) * np.outer(free, free) + null, slope)
        except np.linalg.LinAlgError:
            raise RatingError(_ENDLESS) from None
        if np.abs(step).max() < _CLOSE:
            break
        while likelihood(parameters + step) < height - 1e-12 * abs(height):
            step /= 2
        parameters = parameters + step
        height = likelihood(parameters)
    else:
        raise RatingError(_ENDLESS)

    chances = _chances(found.rows, parameters)
    centre = np.eye(len(null))
    centre[:-1, :-1] = centring_matrix(connection)
    inverse = np.linalg.inv(_information(found.rows, counts, chances) * np.outer(free, free) + null)
    bread = centre @ (inverse - null)
    residuals, deals = _residuals(totals, found, chances)
    correction = np.sqrt(deals / np.maximum(deals - 1, 1))
    covariance = bread @ (residuals.T @ residuals).toarray() @ bread.T
    covariance = covariance[:-1, :-1] * np.outer(correction, correction)
    naive = (bread @ centre.T)[:-1, :-1]
    strengths = (centre @ np.where(free, parameters, 0.0))[:-1]
    return Solution(
        strengths, covariance, naive, deals, connection, np.zeros(len(deals)), float(np.exp(parameters[-1]))
    )


def _information(rows: csr_array, counts: Floats, chances: _Chances) -> Floats:
    """Return the Hessian of minus the log-likelihood: of the strengths, and of log v in the last row and column."""
    spread = chances.points * (1 - chances.points) - chances.tie / 4  # of the points 1, 1/2 and 0
    strengths = (rows.T @ rows.multiply((counts * spread)[:, None])).toarray()
    mixed = rows.T @ (counts * chances.tie * (0.5 - chances.points))
    alone = counts @ (chances.tie * (1 - chances.tie))
    return np.block([[strengths, mixed[:, None]], [mixed[None, :], np.array([[alone]])]])


def _residuals(totals: Totals, found: Comparisons, chances: _Chances) -> tuple[csr_array, Ints]:
    """Return what each deal (row) gave more than expected to each bot, and in ties; and the deals of each bot."""
    pairs, bots = totals.pairs, len(totals.lineup.bots)
    deals, deal = np.unique(pairs.deal, return_inverse=True)
    surplus = pairs.points / 2 - pairs.count * chances.points[found.of_pair]
    shared = found.rows[found.of_pair]
    sizes = np.diff(shared.indptr)
    cells = (
        np.concatenate((np.repeat(deal, sizes), deal)),
        np.concatenate((shared.indices, np.full(len(deal), bots))),
    )
    values = np.concatenate(
        (shared.data * np.repeat(surplus, sizes), pairs.ties - pairs.count * chances.tie[found.of_pair])
    )
    residuals = csr_array((values, cells), (len(deals), bots + 1))
    sat = csr_array((np.ones(len(shared.indices)), (np.repeat(deal, sizes), shared.indices)), (len(deals), bots))
    return residuals, np.bincount(sat.indices, minlength=bots)
