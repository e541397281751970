"""SPRT: a sequential test of an Elo difference that stops as soon as the results are clear.

Two hypotheses about the Elo difference of A and B are compared: that it is elo0, or that it is elo1. One experiment is
a deal: the mean of A's points against B over all its matches, for any number of rotations and tables. The likelihood of
a hypothesis is the maximum over all distributions of such means with the expected mean (the generalised test, GSPRT),
so the luck of deals is accounted for.

Sources: A. Wald, "Sequential tests of statistical hypotheses" (1945), for the bounds; X. Li, J. Liu and Z. Ying,
"Generalized sequential probability ratio test for separate families of hypotheses" (2014); A. B. Owen, "Empirical
likelihood ratio confidence intervals for a single functional" (1988), for the best distribution with a given mean.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from arena.ratings.keyed_sums import Floats
from arena.values.stop_rule import check_test

if TYPE_CHECKING:
    from arena.ratings.lineup import Lineup
    from arena.ratings.totals import PairSums

PRIOR = 1e-3
"""Added to the count of each possible result: without it, unobserved results would have probability 0."""

MIN_DEALS = 10
"""The fewest deals for a verdict."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test: hypotheses in Elo, and the probabilities of a wrong verdict."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting elo1 where elo0 holds."""
    beta: float = 0.05
    """The probability of accepting elo0 where elo1 holds."""

    def __post_init__(self) -> None:
        """Raise RatingError for invalid hypotheses or error probabilities."""
        check_test(self.elo0, self.elo1, self.alpha, self.beta)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which elo0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which elo1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, deals: Mapping[float, int]) -> float:
        """Return the log-likelihood ratio of elo1 against elo0.

        deals: the number of deals by A's mean score against B, 0 to 1.
        """
        if not deals:
            return 0.0
        means = sorted({0.0, 1.0, *deals})
        values = np.array(means)
        counts = np.array([deals.get(value, 0) + PRIOR for value in means])
        total = counts.sum()
        share = counts / total
        distributions = [_most_likely(values, share, expected_mean(elo)) for elo in (self.elo0, self.elo1)]
        return float(total * share @ np.log(distributions[1] / distributions[0]))

    def verdict(self, deals: Mapping[float, int]) -> str:
        """Return "H1" (elo1 is accepted), "H0" (elo0 is), or "" while the test goes on."""
        if sum(deals.values()) < MIN_DEALS:
            return ""
        ratio = self.llr(deals)
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else ""


def expected_mean(elo: float) -> float:
    """Return the mean score against a bot that is `elo` weaker."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _most_likely(values: Floats, share: Floats, mean: float) -> Floats:
    """Return the distribution over `values` with the given mean under which `share` is most likely.

    It is share / (1 + x (value - mean)), where the unique x that gives the mean lies between the poles.
    """
    from scipy.optimize import brentq

    deviations = values - mean
    low, high = -1 / deviations.max(), -1 / deviations.min()
    slack = (high - low) * 1e-12

    def mean_deviation(x: float) -> float:
        return float(share @ (deviations / (1 + x * deviations)))

    x = brentq(mean_deviation, low + slack, high - slack)
    distribution: Floats = share / (1 + x * deviations)
    return distribution


def deal_scores(lineup: "Lineup", pairs: "PairSums", one: str, other: str) -> dict[float, int]:
    """Return the number of deals by the mean score of one bot against the other, 0 to 1.

    A better rank is a point, a tie half a point; deals in which the two did not meet do not count. Only teams
    that one of the two plays alone count.
    """
    if not {(one,), (other,)} <= set(lineup.teams):
        return {}
    low, high = sorted(map(lineup.teams.index, ((one,), (other,))))
    met = (pairs.first == low) & (pairs.second == high)
    means = np.round(pairs.points[met] / (2 * pairs.count[met]), 9)
    if lineup.teams[low] != (one,):
        means = np.round(1 - means, 9)
    values, counts = np.unique(means, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
