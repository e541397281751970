"""Separation: which comparisons of teams have no finite maximum-likelihood estimate.

For bots without partners Ford's condition answers this (`connectivity`). For teams, the directions in which the
likelihood never decreases form the recession cone: no team that took points from another falls behind it. If two teams
took points from each other, their difference is constant on the cone. A comparison whose difference can grow
along the cone has no finite estimate (Albert and Anderson 1984); all others have one.
"""

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Bools, Floats

_TOLERANCE = 1e-7
"""Smaller values are rounding errors: shares are fractions of small numbers."""


def reach_of_teams(rows: csr_array, won: Bools, lost: Bools) -> tuple[Bools, Bools, Floats]:
    """Return `reach`, `open_ended` and `null` of `arena.ratings.connectivity.Connectivity`.

    rows: the comparisons.
    won, lost: whether the first team took points, and whether the second did.
    """
    null_basis = _null_space(rows)
    null = null_basis @ null_basis.T
    two_way_null_basis = _null_space(rows[won & lost])  # directions in which no two-way difference changes
    one_way = won != lost
    slopes = (rows[one_way] @ two_way_null_basis) * np.where(won, 1.0, -1.0)[one_way, None]
    can_grow = _can_grow(slopes)
    open_ended = np.zeros(len(won), np.bool_)
    open_ended[one_way] = can_grow
    # Differences that cannot grow are constant on the cone; it spans the remaining directions.
    span = _null_space(slopes[~can_grow])
    return _bounded(two_way_null_basis @ span, slopes[can_grow] @ span), open_ended, null


def _null_space(rows: csr_array | Floats) -> Floats:
    """Return an orthonormal basis, as columns, of the null space of the rows."""
    squares = rows.T @ rows
    values, vectors = np.linalg.eigh(squares if isinstance(squares, np.ndarray) else squares.toarray())
    basis: Floats = vectors[:, values < _TOLERANCE * max(1.0, values.max(initial=0.0))]
    return basis


def _can_grow(slopes: Floats) -> Bools:
    """Return which rows can be positive in a direction in which none is negative.

    One direction makes all of them positive; the linear programme finds it by making as many as possible 1 or more.
    """
    from scipy.optimize import linprog

    can_grow: Bools = np.abs(slopes).max(axis=1, initial=0.0) > _TOLERANCE
    if can_grow.any():
        nonzero = slopes[can_grow]
        count, directions = nonzero.shape
        objective = np.concatenate((np.zeros(directions), -np.ones(count)))
        bounds = [(None, None)] * directions + [(0, 1)] * count
        solution = linprog(objective, np.hstack((-nonzero, np.eye(count))), np.zeros(count), bounds=bounds).x
        assert solution is not None  # 0 is feasible, and the objective is bounded
        can_grow[can_grow] = solution[directions:] > 0.5
    return can_grow


def _bounded(span: Floats, slopes: Floats) -> Bools:
    """Return whether each bot (row) can never fall behind each other along a cone.

    span: by bot, its strength along each direction of the cone's span.
    slopes: the rows that must not be negative. A difference is bounded where it is a sum of such rows with positive
        factors (Farkas).
    """
    from scipy.optimize import nnls

    reach = np.zeros((len(span), len(span)), np.bool_)
    representative = [
        next(other for other in range(bot + 1) if _same(span[bot], span[other])) for bot in range(len(span))
    ]
    for one in sorted(set(representative)):
        for other in sorted(set(representative)):
            difference = span[one] - span[other]
            is_bounded = one == other or (len(slopes) > 0 and nnls(slopes.T, difference)[1] < _TOLERANCE)
            reach[np.ix_([bot == one for bot in representative], [bot == other for bot in representative])] = is_bounded
    return reach


def _same(one: Floats, other: Floats) -> bool:
    return bool(np.abs(one - other).max(initial=0.0) < _TOLERANCE)
