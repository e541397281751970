"""The variances of strengths: of all differences to the mean of a reference, and of those of pairs of bots.

There are three estimates: exact, sampled and local ones.

With H the information and M the products of residuals, the covariance of the strengths is H⁻¹ M H⁻¹
(`arena.ratings.solver`).

- Exact: by the inverse of H. Time grows with the cube of the field, memory with its square.
- Sampled: random vectors z with covariance M are drawn, and the squares of H⁻¹ z averaged (Bekas, Kokiopoulou and Saad
  2007). Each solution goes together with z / diag(H), whose variance is known: most of the error of a sample is common
  to both and can be subtracted (a control variate). What remains is estimated from the samples.
- Local: that known variance. It takes the opponents for known, so it is too small where they are not, and leaves out
  what is known of a bot through them.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from arena.league.results.residual_products import ResidualProducts
from arena.ratings.keyed_sums import Bools, Floats, Ints
from arena.ratings.sparse_information import SparseInformation

MIN_SAMPLES, MAX_SAMPLES = 192, 1536
"""Random vectors of a sampled estimate: a multiple of the first."""

TARGET = 0.02
"""The error of widths that is small enough."""

_CHUNK = 16
"""Vectors in memory at a time."""

_TOLERANCE = 1e-6
"""The tolerance of the solutions of samples. With 1e-3, widths were up to 15 % too small in a field of 1,500 where only
neighbours met: what distant entries differ by is settled last."""


def _no_bots() -> Ints:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Scale:
    """From what strengths are measured, and which are compared."""

    zero: Ints
    """The bots whose mean is 0."""
    centre: Ints
    """The reference of `arena.ratings.connectivity`, from which strengths are measured before they are corrected."""
    correction: Floats
    """Bessel's correction of each bot: the root of n / (n - 1) for its n deals."""
    first: Ints = field(default_factory=_no_bots)
    """The first bot of each pair. The variances of the differences of pairs follow those of the bots."""
    second: Ints = field(default_factory=_no_bots)
    """The second bot of each pair."""

    def relative(self, rows: Floats) -> Floats:
        """Return the difference of each row, one for each bot, to the mean of those of `zero`, with corrections."""
        corrected: Floats = (rows - rows[self.centre].mean(axis=0)) * self.correction[:, None]
        relative: Floats = corrected - corrected[self.zero].mean(axis=0)
        return relative

    def with_differences(self, rows: Floats) -> Floats:
        """Return the rows, one for each bot, followed by the difference of those of each pair."""
        return np.concatenate((rows, rows[self.first] - rows[self.second]))


class SampledVariances(NamedTuple):
    """Sampled variances, and the standard error of each."""

    variances: Floats
    errors: Floats
    samples: int
    """The number of random vectors from which they were estimated."""

    def width_error(self, bots: Bools | slice = slice(None)) -> float:
        """Return the root of the mean square of the relative standard errors of widths.

        bots: the bots whose widths count.
        """
        variances, errors = self.variances[bots], self.errors[bots]
        relative = errors[variances > 0] / variances[variances > 0] / 2
        return float(np.sqrt((relative**2).sum() / max(len(relative), 1)))


def exact_variances(information: SparseInformation, products: ResidualProducts, group: Ints, scale: Scale) -> Floats:
    """Return the variance of the difference of each strength to zero, and of the difference of each pair.

    group: the group of each bot: the information says nothing of differences between groups. Only the variances of the
        group of zero mean anything.
    """
    inverse = information.to_dense()
    members = np.bincount(group)
    # The null space: made regular with entries like its own, so that nothing is lost by rounding.
    inverse += (group[:, None] == group) * (information.diagonal.mean() / members[group])
    inverse = cho_solve(cho_factor(inverse, overwrite_a=True), np.eye(len(group)), overwrite_b=True)
    influence = scale.relative(inverse)  # of the residuals (columns) on the difference of each bot (rows)
    spread = scale.with_differences(influence @ products.to_dense())
    variances: Floats = np.einsum("ij,ij->i", spread, scale.with_differences(influence))
    return variances


def sampled_variances(
    information: SparseInformation, products: ResidualProducts, scale: Scale, target: float = TARGET
) -> SampledVariances:
    """Return estimates of `exact_variances`, the same for the same sums.

    target: the error of widths at which sampling ends, before `MAX_SAMPLES`: see `SampledVariances.width_error`.
    """
    random = np.random.default_rng(0)
    root = products.root()
    known = local_variances(information, products, scale)
    sums = np.zeros((5, len(known)))
    for count in range(_CHUNK, MAX_SAMPLES + 1, _CHUNK):
        drawn = root @ (random.integers(0, 2, (root.shape[1], _CHUNK), np.int8) * 2.0 - 1.0)
        square = scale.with_differences(scale.relative(information.solve(drawn, _TOLERANCE))) ** 2
        local = drawn * (scale.correction / information.diagonal)[:, None]
        local = scale.with_differences(local - local[scale.zero].mean(axis=0)) ** 2
        for row, values in zip(sums, (square, local, square**2, square * local, local**2), strict=True):
            row += values.sum(axis=1)
        if count % MIN_SAMPLES == 0:
            estimate = _regression_estimate(sums / count, known, count)
            if estimate.width_error() <= target:
                break
    return estimate


def _regression_estimate(means: Floats, known: Floats, samples: int) -> SampledVariances:
    """Return the mean of squares, with the local ones as a control variate, and its standard error.

    means: of squares, local squares, their squares and product, by row; see `sampled_variances`.
    known: of which the local squares are samples.
    """
    mean, local_mean = means[:2]
    spread, covariance, local_spread = means[2:] - (mean**2, mean * local_mean, local_mean**2)
    slope = covariance / np.maximum(local_spread, np.finfo(float).tiny)
    estimate = mean + slope * (known - local_mean)
    rest = np.maximum(spread - slope * covariance, 0.0)
    return SampledVariances(np.where(estimate > 0, estimate, mean), np.sqrt(rest / (samples - 2)), samples)


def local_variances(information: SparseInformation, products: ResidualProducts, scale: Scale) -> Floats:
    """Return what `exact_variances` would be if only the own results of a bot or pair, and of zero, were uncertain."""
    factors = scale.correction / information.diagonal
    share = np.zeros(len(factors))
    share[scale.zero] = factors[scale.zero] / len(scale.zero)
    common = products @ share
    own = products.diagonal() * factors**2
    relative = own - 2 * common * factors + share @ common
    first, second = scale.first, scale.second
    covariance = products.of_pairs(first, second) * factors[first] * factors[second]
    variances: Floats = np.concatenate((relative, own[first] + own[second] - 2 * covariance))
    return np.maximum(variances, 0.0)
