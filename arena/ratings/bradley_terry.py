"""The Bradley-Terry model: the strengths under which the results are most likely.

A team of strength s (in nats), the mean of its members', scores 1 / (1 + exp(-(s - t))) on average against one
of strength t; a tie counts as half a win. Newton's method with the exact Hessian: a handful of steps, where the
usual minorisation (Hunter 2004) takes hundreds.

Comparisons are given as the rows of a matrix: the share of each bot (column) in the first team, less that in
the second. Times the strengths of the bots that is the difference s - t.
"""

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.errors import RatingError
from arena.ratings.keyed_sums import Floats

_STEPS = 200
"""Never needed: six or so are usual, and about one per nat of the widest difference the most."""

_CLOSE = 1e-6
"""The last step, in nats: each is about the square of the one before, so what remains is rounding."""


def expected_scores(strengths: Floats, rows: csr_array) -> Floats:
    """Return the mean score of the first team in each comparison."""
    from scipy.special import expit

    score: Floats = expit(rows @ strengths)
    return score


def information_matrix(strengths: Floats, rows: csr_array, counts: Floats, null: Floats) -> Floats:
    """Return the Hessian of minus the log-likelihood, made regular.

    Only some differences of strengths mean anything, so the Hessian is blind in some directions; `null`, the
    projection on these, fills exactly them. Where nobody has partners the strengths of a group that met may all
    rise together, and filling that fixes their mean at 0.
    """
    weight = counts * expected_scores(strengths, rows) * expected_scores(-strengths, rows)
    hessian: Floats = (rows.T @ rows.multiply(weight[:, None])).toarray() + null
    return hessian


def fit_strengths(rows: csr_array, points: Floats, counts: Floats, null: Floats) -> Floats:
    """Return the most likely strengths in nats, with nothing in the directions of which the results say nothing.

    points: of the first team in each comparison, of as many meetings as `counts` says; there must be a finite maximum
        (see `arena.ratings.connectivity`). null: see `information_matrix`.
    """
    found = np.zeros(len(null))
    height = _likelihood(found, rows, points, counts)
    for _ in range(_STEPS):
        slope = rows.T @ (points - counts * expected_scores(found, rows))
        step = np.linalg.solve(information_matrix(found, rows, counts, null), slope)
        if np.abs(step).max(initial=0.0) < _CLOSE:
            return found + step
        # The likelihood is concave, so some part of every step climbs. (The slack is for rounding.)
        while _likelihood(found + step, rows, points, counts) < height - 1e-12 * abs(height):
            step /= 2
        found = found + step
        height = _likelihood(found, rows, points, counts)
    raise RatingError(f"no ratings follow from these results: the strengths did not settle in {_STEPS} steps")


def _likelihood(strengths: Floats, rows: csr_array, points: Floats, counts: Floats) -> float:
    from scipy.special import log_expit

    difference = rows @ strengths
    return float(points @ log_expit(difference) + (counts - points) @ log_expit(-difference))
