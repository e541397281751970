"""The spread of results from deal to deal: what a sandwich estimator has between its two inverses.

For each experiment the residuals of its entries (points minus expected points), for each two of them multiplied and
summed over all experiments; see `arena.ratings.solver`. Where each deal is one, it follows from the sums of each kind
of deal, as its deals have the same expected points.
"""

from collections.abc import Iterable

import numpy as np
from scipy.sparse import csr_array

from arena.league.results.deal_kinds import DealKinds
from arena.league.results.field_comparisons import places_of
from arena.ratings.keyed_sums import Floats, Ints

_Block = tuple[Ints, Floats]
"""The entries of kinds (kinds x size), by place in the field, and their products (kinds x size x size)."""


class ResidualProducts:
    """The sum over experiments of the products of every two entries' residuals: a sparse matrix.

    kinds: of deals that are experiments of their own.
    entries: of the field, ascending.
    strengths: of each, in nats.
    residuals: of the other experiments, a row for each.
    """

    def __init__(self, kinds: Iterable[DealKinds], entries: Ints, strengths: Floats, residuals: csr_array) -> None:
        self._size = len(entries)
        self._blocks = [residual_products(of_size, entries, strengths) for of_size in kinds]
        self._residuals = residuals

    def __matmul__(self, vector: Floats) -> Floats:
        product: Floats = self._residuals.T @ (self._residuals @ vector)
        for bots, products in self._blocks:
            product += np.bincount(bots.ravel(), np.einsum("kij,kj->ki", products, vector[bots]).ravel(), self._size)
        return product

    def diagonal(self) -> Floats:
        """Return the products of each entry with itself."""
        diagonal: Floats = np.asarray(self._residuals.multiply(self._residuals).sum(axis=0))
        for bots, products in self._blocks:
            diagonal += np.bincount(bots.ravel(), np.einsum("kii->ki", products).ravel(), self._size)
        return diagonal

    def of_pairs(self, first: Ints, second: Ints) -> Floats:
        """Return the products of pairs of entries."""
        if not len(first):
            return np.zeros(0)
        pairs = first * self._size + second
        wanted, place = np.unique(pairs, return_inverse=True)
        sums = np.zeros(len(wanted) + 1)
        for bots, products in self._blocks:
            cells = (bots[:, :, None] * self._size + bots[:, None, :]).ravel()
            places = np.minimum(np.searchsorted(wanted, cells), len(wanted) - 1)
            places = np.where(wanted[places] == cells, places, len(wanted))
            sums += np.bincount(places, products.ravel(), len(sums))
        columns = self._residuals.tocsc()
        values: Floats = sums[place] + columns[:, first].multiply(columns[:, second]).sum(axis=0)
        return values

    def to_dense(self) -> Floats:
        """Return the whole matrix."""
        dense = np.zeros(self._size * self._size)
        for bots, products in self._blocks:
            cells = bots[:, :, None] * self._size + bots[:, None, :]
            dense += np.bincount(cells.ravel(), products.ravel(), len(dense))
        whole: Floats = dense.reshape(self._size, self._size) + (self._residuals.T @ self._residuals).toarray()
        return whole

    def root(self) -> csr_array:
        """Return a matrix of which the product with its own transpose is this one."""
        elements = self._residuals.tocoo()
        rows: list[Ints] = [elements.col.astype(np.int64)]
        columns: list[Ints] = [elements.row.astype(np.int64)]
        values: list[Floats] = [elements.data]
        width = self._residuals.shape[0]
        for bots, products in self._blocks:
            eigenvalues, vectors = np.linalg.eigh(products)
            factors = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))[:, None, :]
            rows.append(np.broadcast_to(bots[:, :, None], factors.shape).ravel())
            column = width + np.arange(bots.size).reshape(len(bots), 1, -1)
            columns.append(np.broadcast_to(column, factors.shape).ravel())
            values.append(factors.ravel())
            width += bots.size
        places = np.concatenate(rows), np.concatenate(columns)
        return csr_array((np.concatenate(values), places), (self._size, width))


def residual_products(kinds: DealKinds, entries: Ints, strengths: Floats) -> _Block:
    """Return the entries of each kind, by place in the field, and the products of every two of them.

    kinds: of one size.
    entries: of the field, ascending.
    strengths: of each, in nats.
    """
    from scipy.special import expit

    bots = places_of(entries, kinds.entries)
    deals = kinds.deals.astype(np.float64)
    counts, won = (np.ascontiguousarray(column.T, np.float64) for column in (kinds.counts, kinds.points))
    by_seat = strengths[bots].T
    points, due = np.zeros(by_seat.shape), np.zeros(by_seat.shape)  # in all deals, and in each
    for pair, (one, other) in enumerate(zip(*kinds.pairs, strict=True)):
        expected = counts[pair] * expit(by_seat[one] - by_seat[other])
        due[one] += expected
        due[other] += counts[pair] - expected
        points[one] += won[pair] / 2
        points[other] += counts[pair] * deals - won[pair] / 2
    products = np.empty((len(bots), kinds.size, kinds.size))
    for of_points, (one, other) in zip(kinds.products.T, zip(*kinds.squares, strict=True), strict=True):
        # The sum over deals of (x - e)(y - f) for points x and y that differ by deal, due e and f that do not.
        product = of_points / 4 - points[one] * due[other] - due[one] * points[other]
        products[:, one, other] = products[:, other, one] = product + deals * due[one] * due[other]
    return bots, products
