"""Comparisons between bots as the rows that the fit takes."""

from itertools import combinations

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Floats


def between(points: Floats, counts: Floats) -> tuple[csr_array, Floats, Floats]:
    """Return rows, points and counts, given the points of each bot (row) against each other, and their meetings."""
    bots = len(points)
    met = [pair for pair in combinations(range(bots), 2) if counts[pair]]
    rows = np.zeros((len(met), bots))
    for row, (one, other) in enumerate(met):
        rows[row, one], rows[row, other] = 1, -1
    return csr_array(rows), np.array([points[pair] for pair in met]), np.array([counts[pair] for pair in met])
