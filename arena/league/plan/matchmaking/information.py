"""What deals tell about strengths.

The doubt about the order of two entries is by how many Elo they are expected to stand in the wrong order (the linear
loss of Chick and Inoue 2001): with a difference d of the ratings and s² the sum of their variances,

    doubt = s (φ(z) - z Φ(-z)),  z = |d| / s;      a drop of s² by one drops it by φ(z) / (2 s)

Under the Bradley-Terry model a comparison that one of two entries wins with probability p has the information
p (1 - p), per nat². Both curves are tables of integers, as libraries do not agree on the last digit of an exponential.
"""

from math import exp

import numpy as np

from arena.ratings.keyed_sums import Floats, Ints

SCALE = 1_000_000
"""What 1 is in the tables."""

STEPS, _WIDEST = 16, 5
"""Steps of the table of φ per unit of z, and the z beyond which it is 0."""

ELO_PER_NAT = 173.7178
"""400 / ln 10."""

_DEEPEST = 2_400
"""Elo beyond which a comparison is taken to tell as much as at this difference: a millionth."""

_INDEPENDENT = 0.45
"""What part of the information of independent comparisons those of one deal have, at tables of four where 0.3 of luck's
variance come with the deal and seat, and 0.3 with the deal and bot (`bench.research.simulated_league`)."""

DENSITY: Ints = np.array([round(SCALE * exp(-((step / STEPS) ** 2) / 2)) for step in range(STEPS * _WIDEST)] + [0])
"""√(2π) φ(z) by steps of z."""

_SPREADS = [round(SCALE / (2 + exp(elo / ELO_PER_NAT) + exp(-elo / ELO_PER_NAT))) for elo in range(_DEEPEST + 1)]
"""p (1 - p) by Elo."""


def information_per_deal(elo: int, seats: int) -> float:
    """Return what a deal in all rotations tells about the difference of two entries of a table, in 1 / Elo².

    elo: by how many their ratings differ.
    """
    unit = _INDEPENDENT * seats / (ELO_PER_NAT * ELO_PER_NAT)
    return unit * _SPREADS[min(abs(elo), _DEEPEST)] / SCALE


def variance_drop(variance: float, information: float) -> float:
    """Return by how much information about a strength drops its variance."""
    return variance * variance * information / (1 + variance * information)


def doubt_slope(elo: Ints, variance: Floats, place: int, own_variance: float) -> int:
    """Return by how much the doubts about one entry's order drop per unit of its variance; only ratios have a meaning.

    elo, variance: of all entries.
    place: of the entry in these.
    own_variance: of the entry.
    """
    spread = np.sqrt(variance + own_variance)
    steps = np.abs(elo - elo[place]) * STEPS / spread
    slopes = np.rint(DENSITY[np.minimum(steps, STEPS * _WIDEST).astype(np.int64)] / spread).astype(np.int64)
    slopes[place] = 0
    return int(slopes.sum())
