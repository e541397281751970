"""The Bradley-Terry model: the strengths under which the results are most likely.

A team of strength s (in nats), the mean of its members', scores 1 / (1 + exp(-(s - t))) on average against one
of strength t; a tie counts as half a win. Newton's method with the exact Hessian: a handful of steps, where the
usual minorisation (Hunter 2004) takes hundreds.

Comparisons are the rows of a matrix: the share of each bot (column) in the first team, minus that in the second.
Multiplied by the strengths of the bots, a row gives the difference s - t.
"""

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Floats
from arena.ratings.sparse_information import SparseInformation
from arena.values.errors import RatingError

_MAX_STEPS = 200
"""The most Newton steps. About six are usual; at most about one is needed per nat of the widest difference."""

_TOLERANCE = 1e-6
"""Convergence: the size of the last step, in nats. Convergence is quadratic, so the rest is rounding."""

_SPARSE_FROM = 300
"""The bots from which steps are found by conjugate gradients: a factorisation takes longer from about there."""

_SPARSE_TOLERANCE = 1e-10
"""How small the rest of such a step must be, relative to it."""


def expected_scores(strengths: Floats, rows: csr_array) -> Floats:
    """Return the mean score of the first team in each comparison."""
    from scipy.special import expit

    score: Floats = expit(rows @ strengths)
    return score


def information_matrix(strengths: Floats, rows: csr_array, counts: Floats, null: Floats) -> Floats:
    """Return the Hessian of minus the log-likelihood, made regular.

    The results determine only some differences of strengths, so the Hessian is singular; `null`, the projection on its
    null space, is added. Without partners, the null space shifts all strengths of a group; adding it fixes their mean
    at 0.
    """
    weight = _weights(strengths, rows, counts)
    if _are_duels(rows):
        return _of_duels(rows, weight).to_dense(bare=True) + null
    hessian: Floats = (rows.T @ rows.multiply(weight[:, None])).toarray() + null
    return hessian


def _weights(strengths: Floats, rows: csr_array, counts: Floats) -> Floats:
    """Return the information of each comparison."""
    score = expected_scores(strengths, rows)
    weights: Floats = counts * score * expected_scores(-strengths, rows)
    return weights


def _are_duels(rows: csr_array) -> bool:
    """Return whether every comparison depends on the difference of two bots alone."""
    return bool((np.diff(rows.indptr) == 2).all())


def _of_duels(rows: csr_array, weight: Floats) -> SparseInformation:
    """Return the information of comparisons between two bots each, of the given weights."""
    one, other = rows.indices[::2], rows.indices[1::2]
    first, second, weight = np.minimum(one, other), np.maximum(one, other), weight * rows.data[::2] ** 2
    if (first[1:] < first[:-1]).any():
        order = np.argsort(first, kind="stable")
        first, second, weight = first[order], second[order], weight[order]
    return SparseInformation(first, second, weight, rows.shape[1])


def fit_strengths(rows: csr_array, points: Floats, counts: Floats, null: Floats) -> Floats:
    """Return the maximum-likelihood strengths in nats, 0 in the directions of `null`.

    points, counts: of the first team in each comparison, and the number of its meetings; there must be a finite maximum
        (see `arena.ratings.connectivity`).
    null: see `information_matrix`.
    """
    if len(null) >= _SPARSE_FROM and _are_duels(rows):

        def sparse_step(strengths: Floats, slope: Floats) -> Floats:
            return _of_duels(rows, _weights(strengths, rows, counts)).solve(slope, _SPARSE_TOLERANCE)

        strengths = maximise_likelihood(rows, points, counts, np.zeros(len(null)), sparse_step)
        return np.subtract(strengths, null @ strengths)

    def newton_step(strengths: Floats, slope: Floats) -> Floats:
        return np.linalg.solve(information_matrix(strengths, rows, counts, null), slope).astype(np.float64)

    return maximise_likelihood(rows, points, counts, np.zeros(len(null)), newton_step)


NewtonStep = Callable[[Floats, Floats], Floats]
"""Divides a slope of the log-likelihood (second argument) by the information at given strengths (first argument)."""


def maximise_likelihood(
    rows: csr_array, points: Floats, counts: Floats, start: Floats, newton_step: NewtonStep
) -> Floats:
    """Return the maximum-likelihood strengths in nats, by Newton's method from `start`.

    rows, points, counts: as in `fit_strengths`. Directions that no comparison determines move only as `newton_step`
        moves them.
    """
    strengths = start
    likelihood = _likelihood(strengths, rows, points, counts)
    for _ in range(_MAX_STEPS):
        slope = rows.T @ (points - counts * expected_scores(strengths, rows))
        step = newton_step(strengths, slope)
        if np.abs(step).max(initial=0.0) < _TOLERANCE:
            return strengths + step
        # The likelihood is concave, so a fraction of every step increases it. (The slack is for rounding.)
        while (reached := _likelihood(strengths + step, rows, points, counts)) < likelihood - 1e-12 * abs(likelihood):
            step /= 2
        strengths, likelihood = strengths + step, reached
    raise RatingError(f"no ratings follow from these results: the strengths did not settle in {_MAX_STEPS} steps")


def _likelihood(strengths: Floats, rows: csr_array, points: Floats, counts: Floats) -> float:
    difference = rows @ strengths
    # log(expit(difference)), in a tenth of the time that scipy.special.log_expit takes
    log_score = np.minimum(difference, 0.0) - np.log1p(np.exp(-np.abs(difference)))
    # Summed without BLAS, whose threads wait for each other on a busy machine.
    return float((counts * log_score - (counts - points) * difference).sum())
