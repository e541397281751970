"""Standard errors of means of playouts."""

from collections.abc import Sequence
from math import sqrt

BATCHES = 8
"""Batches for the error of a mean of values that resemble their neighbours."""

MIN_PER_BATCH = 4
"""Values of a batch; with fewer the batch means say nothing."""


def standard_error(values: Sequence[float], low: float, high: float, *, independent: bool = True) -> float:
    """Return the standard error of the mean of at least one value between `low` and `high`.

    One value of each extreme is added to the sample, as Agresti and Coull do for proportions: otherwise the error of
    twenty wins in a row would be 0. Values that are not independent are also divided into consecutive batches
    (batch means); the larger of the two errors is returned.

    Source: A. Agresti and B. A. Coull, "Approximate is better than exact for interval estimation of binomial
    proportions", The American Statistician 52 (1998); for batch means S. Asmussen and P. W. Glynn, Stochastic
    Simulation (2007), IV.5.
    """
    count = len(values)
    error = sqrt(_variance([*values, low, high]) / count)
    if independent or count < BATCHES * MIN_PER_BATCH:
        return error
    size = count / BATCHES
    batches = [values[round(batch * size) : round((batch + 1) * size)] for batch in range(BATCHES)]
    means = [sum(batch) / len(batch) for batch in batches]
    return max(error, sqrt(_variance(means) / BATCHES))


def _variance(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)
