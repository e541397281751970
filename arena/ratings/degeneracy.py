"""Variances of estimates from deals without spread.

Deals that all end alike have no variance, yet they prove nothing: ten deals of two deterministic bots, or ten that
happen to agree, are no certainty. Where the spread of deals is smaller than a single deal can make it, the variance is
not estimated from deals, but is that of independent comparisons (the naive one).

The limit: n deals of m comparisons have the naive variance p (1 - p) / (n m) of the mean, and one deal that differs by
half a point gives a clustered one of at least (1 / 2)² / (n m)², which is 1 / (n m) of the naive one or more. So below
1 / n of it there is less than about one deal that differs; `python -m bench.research.interval_coverage` prints how
often bars hold the truth with it.
"""

import numpy as np

from arena.ratings.keyed_sums import Bools, Floats, Ints


def is_degenerate(variance: Floats, naive: Floats, deals: Ints) -> Bools:
    """Return where variances say nothing, as the deals they come from show no spread.

    What is known without any comparison, such as the Elo of an anchor, has no naive variance, and is not meant.

    variance
        Clustered by deal.
    naive
        What they would be if all comparisons were independent.
    deals
        The number of deals of each.
    """
    degenerate: Bools = (variance * np.maximum(deals, 1) <= naive) & (naive > 0)
    return degenerate


def at_least_naive(variance: Floats, naive: Floats, deals: Ints) -> Floats:
    """Return variances, but the naive ones where the deals show no spread. Parameters as in `is_degenerate`."""
    return np.where(is_degenerate(variance, naive, deals), naive, variance)
