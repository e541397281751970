"""Separation: which comparisons of teams have no finite maximum-likelihood estimate.

For bots without partners Ford's condition answers this (`connectivity`). For teams, the directions in which the
likelihood never decreases form the recession cone: no team that took points from another falls behind it. Where two
teams took points from each other, their difference is constant on the cone. A comparison whose difference can grow
along the cone has no finite estimate (Albert and Anderson 1984); all others have one.
"""

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Bools, Floats

_ZERO = 1e-7
"""What is less is rounding: shares are fractions of small numbers."""


def reach_of_teams(rows: csr_array, won: Bools, lost: Bools) -> tuple[Bools, Bools, Floats]:
    """Return `reach`, `open_ended` and `null` of `arena.ratings.connectivity.Connectivity`.

    rows: the comparisons. won, lost: whether the first team took points, and whether it left any.
    """
    silent = _blind(rows)
    null = silent @ silent.T
    free = _blind(rows[won & lost])  # a basis of all directions in which no two-way result can change
    one_way = won != lost
    slopes = (rows[one_way] @ free) * np.where(won, 1.0, -1.0)[one_way, None]
    grows = _growing(slopes)
    open_ended = np.zeros(len(won), np.bool_)
    open_ended[one_way] = grows
    # What cannot grow cannot change either: the cone spans the directions that are left.
    within = _blind(slopes[~grows])
    return _bounded(free @ within, slopes[grows] @ within), open_ended, null


def _blind(rows: csr_array | Floats) -> Floats:
    """Return an orthonormal basis, as columns, of what all rows are blind for."""
    squares = rows.T @ rows
    values, vectors = np.linalg.eigh(squares if isinstance(squares, np.ndarray) else squares.toarray())
    basis: Floats = vectors[:, values < _ZERO * max(1.0, values.max(initial=0.0))]
    return basis


def _growing(slopes: Floats) -> Bools:
    """Return which rows can be positive where none is negative.

    There is one direction in which all of them are: the linear programme makes as many as possible 1 or more.
    """
    from scipy.optimize import linprog

    grows: Bools = np.abs(slopes).max(axis=1, initial=0.0) > _ZERO
    if grows.any():
        used = slopes[grows]
        count, directions = used.shape
        goal = np.concatenate((np.zeros(directions), -np.ones(count)))
        bounds = [(None, None)] * directions + [(0, 1)] * count
        best = linprog(goal, np.hstack((-used, np.eye(count))), np.zeros(count), bounds=bounds).x
        assert best is not None  # standing still is always allowed, and the goal has an end
        grows[grows] = best[directions:] > 0.5
    return grows


def _bounded(span: Floats, slopes: Floats) -> Bools:
    """Return whether each bot (row) can never fall behind each other along a cone.

    span: by bot, its strength along each direction of the cone's span. slopes: the rows that must not be negative. A
    difference is bounded where it is a sum of such rows with positive factors (Farkas).
    """
    from scipy.optimize import nnls

    reach = np.zeros((len(span), len(span)), np.bool_)
    first = [next(other for other in range(bot + 1) if _same(span[bot], span[other])) for bot in range(len(span))]
    for one in sorted(set(first)):
        for other in sorted(set(first)):
            difference = span[one] - span[other]
            held = one == other or (len(slopes) > 0 and nnls(slopes.T, difference)[1] < _ZERO)
            reach[np.ix_([bot == one for bot in first], [bot == other for bot in first])] = held
    return reach


def _same(one: Floats, other: Floats) -> bool:
    return bool(np.abs(one - other).max(initial=0.0) < _ZERO)
