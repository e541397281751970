"""The information of comparisons between two bots each, as a sparse matrix: for fields of thousands.

Without partners the Hessian of minus the log-likelihood is a weighted Laplacian: only bots that met have an entry.
Systems are solved by conjugate gradients, scaled by the diagonal (Hestenes and Stiefel 1952): a factorisation would
fill the matrix, as everybody meets everybody over others.
"""

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Floats, Ints

_MAX_ROUNDS, _MAX_ROUNDS_PER_BOT = 100, 10
"""The most rounds of conjugate gradients. Some 15 are usual; without rounding one for each bot would always do."""

_ROUNDING = 1e-12
"""A rest that moves bots by less than this, in nats, is one of rounding."""


class SparseInformation:
    """The information matrix of a field.

    first, second: the bots of each pair that met, first < second, sorted.
    weight: the information of each pair: meetings times p (1 - p).
    bots: their number.
    """

    def __init__(self, first: Ints, second: Ints, weight: Floats, bots: int) -> None:
        starts = np.searchsorted(first, np.arange(bots + 1))
        self._upper = csr_array((weight, second, starts), (bots, bots))
        diagonal = (np.bincount(first, weight, bots) + np.bincount(second, weight, bots)).astype(np.float64)
        self._met = diagonal > 0
        self.diagonal: Floats = np.where(self._met, diagonal, 1.0)

    def __matmul__(self, vectors: Floats) -> Floats:
        """Return the product with one vector, or with the columns of a matrix."""
        product: Floats = _by_row(self.diagonal, vectors) - self._upper @ vectors - self._upper.T @ vectors
        return product

    def to_dense(self, *, bare: bool = False) -> Floats:
        """Return the whole matrix.

        bare: whether bots who met nobody have 0 on the diagonal, not 1.
        """
        upper = self._upper.toarray().astype(np.float64)
        dense: Floats = np.negative(upper + upper.T)
        np.fill_diagonal(dense, np.where(self._met, self.diagonal, 0.0) if bare else self.diagonal)
        return dense

    def solve(self, right: Floats, tolerance: float) -> Floats:
        """Return x with `self @ x = right`, for one right side or several columns of them.

        right: sums to 0 over every group of bots that can be compared; x is one of the solutions, which differ by a
            constant in each group.
        tolerance: how small the rest of each column must be, relative to the column.
        """
        columns = right[:, None] if right.ndim == 1 else right
        solution, rest = np.zeros_like(columns), columns.copy()
        scaled = rest / self.diagonal[:, None]
        direction, square = scaled, (rest * scaled).sum(axis=0)
        enough = np.maximum(tolerance**2 * square, _ROUNDING**2 * self.diagonal.sum())
        for _ in range(_MAX_ROUNDS + _MAX_ROUNDS_PER_BOT * len(columns)):
            is_open = square > enough
            if not is_open.any():
                return solution.reshape(right.shape)
            image = self @ direction
            length = np.where(is_open, square / np.where(is_open, (direction * image).sum(axis=0), 1.0), 0.0)
            solution += length * direction
            rest -= length * image
            scaled = rest / self.diagonal[:, None]
            previous, square = square, np.where(is_open, (rest * scaled).sum(axis=0), square)
            direction = scaled + np.where(is_open, square / np.where(is_open, previous, 1.0), 0.0) * direction
        # Weights so different that rounding keeps the rounds from an end: slow, but always possible.
        return np.linalg.lstsq(self.to_dense(), right)[0].astype(np.float64)


def _by_row(factors: Floats, vectors: Floats) -> Floats:
    product: Floats = (vectors.T * factors).T
    return product
