"""SPRT: a sequential test of an Elo difference that stops as soon as the results are clear.

Two hypotheses about the Elo difference of A and B are compared: that it is elo0, or that it is elo1. One experiment is
a deal: the mean of A's points against B over all its matches, for any number of rotations and tables. The likelihood of
a hypothesis is the maximum over all distributions of such means that fulfil it (the generalised test, GSPRT), so the
luck of deals is accounted for. What a hypothesis fixes is the model's:

    logistic      the expected mean score: that of Elo
    normalized    the t-value, (expected mean - 1/2) / standard deviation of a deal's mean

Sources: A. Wald, "Sequential tests of statistical hypotheses" (1945), for the bounds; X. Li, J. Liu and Z. Ying,
"Generalized sequential probability ratio test for separate families of hypotheses" (2014); A. B. Owen, "Empirical
likelihood ratio confidence intervals for a single functional" (1988), for the best distribution with a given mean;
M. Van den Bergh, "Comments on normalized Elo" (2021), 4.1, for the best one with a given t-value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import log, sqrt
from typing import TYPE_CHECKING, Self

import numpy as np

from arena.ratings.keyed_sums import Floats
from arena.values.stop_rule import Model, check_test

if TYPE_CHECKING:
    from arena.ratings.lineup import Lineup
    from arena.ratings.totals import PairSums

PRIOR = 1e-3
"""The count of each possible result that was not observed: otherwise it would have probability 0."""

MIN_DEALS = 8
"""The fewest deals for a verdict."""

NELO_PER_UNIT = 800 / log(10)
"""Normalised Elo for each standard deviation of a match by which the mean score is above 1/2. Close to equality it is
Elo where half of the matches are ties, and less where fewer are."""

_MOST_CELLS = 49
"""The most possible results of a deal that are told apart: those of all orders of four bots."""

_STEPS = 50
"""The most steps to the best distribution with a given t-value; mostly four to eight are enough."""


@dataclass(slots=True)
class DealScores:
    """The deals in which two bots met, by the mean score of the first."""

    counts: dict[float, int] = field(default_factory=dict)
    """The number of deals by the mean score, 0 to 1."""
    comparisons: int = 0
    """The number of comparisons of the two in all these deals."""

    @classmethod
    def of(cls, counts: Mapping[float, int], each: int = 2) -> Self:
        """Return deals of equal size.

        counts: the number of deals by the mean score.
        each: the comparisons of each deal: 2 for a pair of matches.
        """
        return cls(dict(counts), each * sum(counts.values()))

    def add(self, other: "DealScores") -> None:
        """Add further deals."""
        for mean, count in other.counts.items():
            self.counts[mean] = self.counts.get(mean, 0) + count
        self.comparisons += other.comparisons

    @property
    def deals(self) -> int:
        """The number of deals."""
        return sum(self.counts.values())

    @property
    def size(self) -> float:
        """The mean number of comparisons of a deal."""
        return self.comparisons / self.deals if self.counts else 0.0

    def cells(self) -> tuple[Floats, Floats]:
        """Return the possible mean scores of a deal, ascending, and the count of each, `PRIOR` where there is none.

        Where deals have too many comparisons to tell all results apart, or not all as many, these are the observed
        ones, and 0 and 1.
        """
        observed = {0.0, 1.0, *self.counts}
        if (intervals := 2 * self.size) < _MOST_CELLS and intervals.is_integer():
            grid = {round(cell / intervals, 9) for cell in range(int(intervals) + 1)}
            if observed <= grid:
                observed = grid
        means = sorted(observed)
        return np.array(means), np.array([self.counts.get(mean) or PRIOR for mean in means])

    def normalised(self, mean: float, spread: float) -> float:
        """Return the normalised Elo of a mean score.

        spread: the standard deviation of a deal's mean.
        """
        return NELO_PER_UNIT * (mean - 0.5) / (spread * sqrt(self.size))

    def nelo(self) -> tuple[float, float] | None:
        """Return the normalised Elo of the first bot, and half the width of its 95 % interval.

        The interval counts that the spread was estimated as well (delta method). None with fewer than `MIN_DEALS`
        deals, or if all had the same mean.
        """
        from scipy.special import stdtrit

        count = self.deals
        if count < MIN_DEALS or len(self.counts) < 2:
            return None
        means, weights = np.array(list(self.counts)), np.array(list(self.counts.values())) / count
        mean = float(weights @ means)
        spread = sqrt(float(weights @ (means - mean) ** 2) * count / (count - 1))
        deviations, t_value = (means - mean) / spread, (mean - 0.5) / spread
        influence = deviations - t_value / 2 * (deviations**2 - 1)
        error = sqrt(float(weights @ influence**2) / (count - 1))
        half_width = float(stdtrit(count - 1, 0.975)) * error
        return self.normalised(mean, spread), half_width * NELO_PER_UNIT / sqrt(self.size)


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test: hypotheses in Elo, and the probabilities of a wrong verdict."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting elo1 where elo0 holds."""
    beta: float = 0.05
    """The probability of accepting elo0 where elo1 holds."""
    model: Model = "logistic"
    """What elo0 and elo1 are: Elo, or normalised Elo."""

    def __post_init__(self) -> None:
        """Raise RatingError for invalid hypotheses or error probabilities."""
        check_test(self.elo0, self.elo1, self.alpha, self.beta, self.model)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which elo0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which elo1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    @property
    def unit(self) -> str:
        """What elo0 and elo1 are, for people."""
        return "Elo" if self.model == "logistic" else "nElo"

    def llr(self, scores: DealScores) -> float:
        """Return the log-likelihood ratio of elo1 against elo0."""
        if not scores.counts:
            return 0.0
        means, counts = scores.cells()
        total = counts.sum()
        share = counts / total
        fit: Callable[[float], Floats]
        if self.model == "logistic":
            hypotheses = expected_mean(self.elo0), expected_mean(self.elo1)
            fit = lambda mean: _with_mean(means, share, mean)  # noqa: E731
        else:
            root = sqrt(scores.size)
            hypotheses = root * self.elo0 / NELO_PER_UNIT, root * self.elo1 / NELO_PER_UNIT
            fit = lambda t_value: _with_t_value(means, share, t_value)  # noqa: E731
        null, alternative = map(fit, hypotheses)
        return float(total * share @ np.log(alternative / null))

    def means(self, scores: DealScores, spread: float) -> tuple[float, float]:
        """Return the expected mean scores under elo0 and elo1.

        spread: the standard deviation of a deal's mean.
        """
        if self.model == "logistic":
            return expected_mean(self.elo0), expected_mean(self.elo1)
        unit = sqrt(scores.size) * spread / NELO_PER_UNIT
        return 0.5 + self.elo0 * unit, 0.5 + self.elo1 * unit

    def verdict(self, scores: DealScores) -> str:
        """Return "H1" (elo1 is accepted), "H0" (elo0 is), or "" while the test goes on."""
        if scores.deals < MIN_DEALS:
            return ""
        ratio = self.llr(scores)
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else ""


def expected_mean(elo: float) -> float:
    """Return the mean score against a bot that is `elo` weaker."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _with_mean(values: Floats, share: Floats, mean: float) -> Floats:
    """Return the distribution over `values` with the given mean under which `share` is most likely."""
    return _orthogonal(values - mean, share)


def _with_t_value(values: Floats, share: Floats, t_value: float) -> Floats:
    """Return the distribution over `values` with the given t-value against 1/2 under which `share` is most likely.

    The t-value is not linear in the distribution, so that its tangent takes its place, again and again, first at the
    best distribution whose mean has the t-value with the spread that was observed.
    """
    middle = float(share @ values)
    spread = sqrt(float(share @ (values - middle) ** 2))
    result = _with_mean(values, share, min(max(0.5 + t_value * spread, 0.01), 0.99))
    for _ in range(_STEPS):
        mean = float(result @ values)
        spread = sqrt(float(result @ (values - mean) ** 2))
        tangent = values - 0.5 - t_value * spread * (1 + ((values - mean) / spread) ** 2) / 2
        if not tangent.min() < 0 < tangent.max():
            break
        before, result = result, _orthogonal(tangent, share)
        if np.abs(result - before).max() < 1e-10:
            break
    return result


def _orthogonal(deviations: Floats, share: Floats) -> Floats:
    """Return the distribution under which `share` is most likely, of those with which `deviations` have the mean 0.

    It is share / (1 + x deviation), where the unique x that gives the mean lies between the poles.
    """
    from scipy.optimize import brentq

    low, high = -1 / deviations.max(), -1 / deviations.min()
    slack = (high - low) * 1e-12

    def mean_deviation(x: float) -> float:
        return float(share @ (deviations / (1 + x * deviations)))

    x = brentq(mean_deviation, low + slack, high - slack)
    distribution: Floats = share / (1 + x * deviations)
    return distribution


def deal_scores(lineup: "Lineup", pairs: "PairSums", one: str, other: str) -> DealScores:
    """Return the deals in which two bots met, by the mean score of one against the other.

    A better rank is a point, a tie half a point; deals in which the two did not meet do not count. Only teams
    that one of the two plays alone count.
    """
    if not {(one,), (other,)} <= set(lineup.teams):
        return DealScores()
    low, high = sorted(map(lineup.teams.index, ((one,), (other,))))
    met = (pairs.first == low) & (pairs.second == high)
    means = np.round(pairs.points[met] / (2 * pairs.count[met]), 9)
    if lineup.teams[low] != (one,):
        means = np.round(1 - means, 9)
    values, counts = np.unique(means, return_counts=True)
    return DealScores(dict(zip(values.tolist(), counts.tolist(), strict=True)), int(pairs.count[met].sum()))
