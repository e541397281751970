"""The Bradley-Terry model: the strengths under which the results are most likely.

A bot of strength s (in nats) scores 1 / (1 + exp(-(s - t))) on average against one of strength t; a
tie counts as half a win. Newton's method with the exact Hessian: a handful of steps, where the usual
minorisation (Hunter 2004) takes hundreds.
"""

import numpy as np

from arena.ratings.sums import Floats

_STEPS = 200
"""Never needed: six or so are usual, and about one per nat of the widest difference the most."""

_CLOSE = 1e-6
"""The last step, in nats: each is about the square of the one before, so what remains is rounding."""


def expected(strengths: Floats) -> Floats:
    """Return the mean score of each bot (row) against each bot (column)."""
    from scipy.special import expit

    score: Floats = expit(strengths[:, None] - strengths)
    return score


def information(strengths: Floats, counts: Floats, same: Floats) -> Floats:
    """Return the Hessian of minus the log-likelihood, made regular.

    Only differences of strengths within a group mean anything, so the Hessian has one null vector
    per group; `same` (1 / size for two bots of one group, else 0) fills exactly these, which fixes
    the mean of every group's strengths at 0.
    """
    score = expected(strengths)
    weight = counts * score * score.T
    hessian: Floats = np.diag(weight.sum(axis=1)) - weight + same
    return hessian


def strengths(points: Floats, counts: Floats, same: Floats) -> Floats:
    """Return the most likely strengths in nats, with mean 0 in every group.

    points: points of each bot (row) against each other; every two that met are of one circle (see
        `arena.ratings.connection`), or the maximum is infinite.
    counts: their meetings, symmetric. same: see `information`.
    """
    found = np.zeros(len(points))
    height = _likelihood(found, points)
    for _ in range(_STEPS):
        slope = (points - counts * expected(found)).sum(axis=1)
        step = np.linalg.solve(information(found, counts, same), slope)
        if np.abs(step).max(initial=0.0) < _CLOSE:
            return found + step
        # The likelihood is concave, so some part of every step climbs. (The slack is for rounding.)
        while _likelihood(found + step, points) < height - 1e-12 * abs(height):
            step /= 2
        found = found + step
        height = _likelihood(found, points)
    raise ArithmeticError(f"the strengths did not settle in {_STEPS} steps")


def _likelihood(strengths: Floats, points: Floats) -> float:
    from scipy.special import log_expit

    return float((points * log_expit(strengths[:, None] - strengths)).sum())
