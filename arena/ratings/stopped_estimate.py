"""The Elo difference after a sequential test, corrected for the fact that the results decided when it stopped.

The plain estimate of a test that stopped at a bound is biased away from it: luck that carried the results over the
bound is part of them. Here the ways in which the test could have ended are ordered by how much they speak for the first
bot: first those that crossed the upper bound, the earlier the more, then by the mean at the last look, then those that
crossed the lower bound. The estimate is the difference under which the actual end, or one that speaks more for the
first bot, has probability 1/2 (it is too high as often as too low), and the interval has the differences under which
that is between 2.5 and 97.5 %. Looks that were never taken do not matter, so the planned number of rounds does not.

The log-likelihood ratio is treated as a random walk with normal steps of the estimated variance. The probabilities of
its paths between the bounds follow look by look by numerical integration.

Sources: D. Siegmund, "Estimation following sequential tests" (1978), for the order; A. A. Tsiatis, G. L. Rosner and
C. R. Mehta, "Exact confidence intervals following a group sequential test" (1984); P. Armitage, C. K. McPherson and
B. C. Rowe, "Repeated significance tests on accumulating data" (1969), for the integration.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite, log10, sqrt
from typing import Any

import numpy as np

from arena.ratings.elo_text import elo_text
from arena.ratings.keyed_sums import Floats
from arena.ratings.sprt import MIN_DEALS, DealScores, Sprt

_PANEL_NODES = 12
"""Nodes of the Gauss-Legendre rule in each panel of the continuation region."""

_PANEL_WIDTH = 6.0
"""Width of a panel, in standard deviations of the smallest step. The rule's error of a step's density is below 1e-7."""

_MAX_PANELS = 128

_REACH = 9.0
"""Standard deviations of a step beyond which its density counts as 0."""

_MAX_DEVIATION = 0.8
"""How far the mean may be from the middle of the hypotheses, in standard deviations of a deal's mean."""

_MAX_DOUBLINGS = 30
"""How many times the bracket of an estimate is widened."""

_SAME_BOUND = 0.002
"""Relative difference below which the bound of a look is that of all later ones."""


@dataclass(frozen=True, slots=True)
class StoppedEstimate:
    """The Elo difference of the first bot to the second after a sequential test.

    A value is infinite where the mean is 0 or 1.
    """

    elo: float
    """The median-unbiased estimate."""
    low: float
    """The lower bound of the 95 % interval."""
    high: float
    """The upper bound of the 95 % interval."""
    plain: float
    """The Elo of the mean, without correction."""
    looks: int
    """The number of looks so far."""
    deals: int
    """The number of deals in which the two bots met."""

    def __str__(self) -> str:
        """Return the estimate for people."""
        elo, low, high = (elo_text(value, decimals=1) for value in (self.elo, self.low, self.high))
        return f"{elo} Elo, 95 % interval {low} to {high}"

    def to_json(self, one: str, other: str) -> dict[str, Any]:
        """Return JSON values; infinite numbers are None.

        one, other: the names of the two bots.
        """
        numbers = {"elo": self.elo, "low": self.low, "high": self.high, "plain": self.plain}
        rounded = {name: round(value, 2) if isfinite(value) else None for name, value in numbers.items()}
        return {"bot": one, "against": other, **rounded, "looks": self.looks, "deals": self.deals}


def estimate_stopped(sprt: Sprt, looks: Sequence[int], scores: DealScores) -> StoppedEstimate | None:
    """Return the estimate after the latest look of a test.

    None with too few deals, if all had the same mean, or if the difference is so large that the model does not hold:
    the variance is taken about the middle of the hypotheses, so that far from it the test stops otherwise.

    looks: the number of deals at each look, the latest last.
    scores: of the deals at the latest look.
    """
    means, counts = np.array(list(scores.counts)), np.array(list(scores.counts.values()), np.float64)
    count = int(counts.sum()) if len(means) else 0
    taken = [look for look in dict.fromkeys(looks) if look >= MIN_DEALS]  # before that the test cannot stop
    if count < MIN_DEALS or not taken:
        return None
    mean = float(means @ counts / count)
    spread = sqrt(float(counts @ (means - mean) ** 2) / (count - 1))
    if spread < 1e-9:
        return None
    score0, score1 = sprt.means(scores, spread)
    middle = (score0 + score1) / 2
    if len(taken) > 1 and abs(mean - middle) > _MAX_DEVIATION * spread:
        return None
    unit = spread / (score1 - score0)
    bounds = np.array([_bounds(sprt, look, unit, middle / spread, (1 - middle) / spread) for look in taken])
    walk = _StoppedWalk(taken, bounds, count * (mean - middle) / spread)
    try:
        elo, low, high = (_elo(middle + spread * walk.drift(probability)) for probability in (0.5, 0.025, 0.975))
    except ArithmeticError:
        return None
    return StoppedEstimate(elo, low, high, _elo(mean), len(taken), count)


def _elo(mean: float) -> float:
    if not 0 < mean < 1:
        return inf if mean >= 1 else -inf
    return -400 * log10(1 / mean - 1)


def _bounds(sprt: Sprt, look: int, unit: float, lowest: float, highest: float) -> tuple[float, float]:
    """Return the sums, of deviations from the middle of the hypotheses in standard deviations, at which a test stops.

    With n deals and a mean deviation of x the log-likelihood ratio is about n x / (1 + x²) / unit, as the variance is
    about the middle. Where no x reaches a bound, the test stops at the largest deviation, `lowest` or `highest`.
    """
    bounds = []
    for ratio, limit in ((sprt.lower, -lowest), (sprt.upper, highest)):
        full = look / (2 * ratio * unit)
        deviation = full - sqrt(full**2 - 1) * (1 if full > 0 else -1) if abs(full) > 1 else limit
        deviation = deviation if abs(deviation) < abs(limit) else limit
        bound, asymptote = deviation * look, ratio * unit
        bounds.append(asymptote if abs(bound - asymptote) < _SAME_BOUND * abs(asymptote) else bound)
    return bounds[0], bounds[1]


_Band = tuple[slice, Floats]
"""Which nodes of a look reach a panel of the next one, and the density of the step (node of the panel, node)."""


def _quadrature(bounds: Floats, panels: int) -> tuple[Floats, Floats]:
    """Return nodes and weights for integrals between two bounds."""
    nodes, weights = np.polynomial.legendre.leggauss(_PANEL_NODES)
    width = (bounds[1] - bounds[0]) / panels
    return (bounds[0] + width * (np.arange(panels)[:, None] + (nodes + 1) / 2)).ravel(), np.tile(
        weights * width / 2, panels
    )


class _StoppedWalk:
    """A random walk with steps of variance 1, looked at after certain numbers of steps, and stopped at two bounds."""

    def __init__(self, looks: Sequence[int], bounds: Floats, end: float) -> None:
        """Compute the density at each look but the last, between the bounds.

        looks: the numbers of steps, ascending.
        bounds: lower and upper, a row for each look.
        end: where the walk was at the last one.
        """
        self._looks, self._upper, self._end = np.array(looks, np.float64), bounds[:, 1], end
        self._reference = end / self._looks[-1]
        """The drift under which the densities are computed; those of others follow by their likelihood ratio."""
        steps = np.diff(self._looks, prepend=0.0)
        self._steps = steps[1:]
        widest = float((bounds[:, 1] - bounds[:, 0]).max())
        panels = int(np.clip(widest / (_PANEL_WIDTH * sqrt(steps.min())), 4, _MAX_PANELS))
        before, weights = _quadrature(bounds[0], panels)
        density = self._step(before, steps[0])
        rows = [(before, weights, density)]
        bands, made_for = list[_Band](), None
        for step, one, other in zip(steps[1:-1], bounds[:-1], bounds[1:], strict=False):
            nodes, weights = _quadrature(other, panels)
            if made_for != (made_for := (step, *one, *other)):
                bands = [*self._bands(rows[-1][0], nodes, step)]
            mass = rows[-1][1] * rows[-1][2]
            rows.append((nodes, weights, np.concatenate([density @ mass[reached] for reached, density in bands])))
        self._nodes, self._weights, self._densities = (np.array(column) for column in zip(*rows, strict=True))

    def _step(self, distance: Floats, step: float) -> Floats:
        """Return the density of a step's distance under the reference drift.

        step: the variance of the step.
        """
        density: Floats = np.exp(-((distance - self._reference * step) ** 2) / (2 * step)) / np.sqrt(2 * np.pi * step)
        return density

    def _bands(self, before: Floats, nodes: Floats, step: float) -> Iterator[_Band]:
        """Yield for each panel of nodes which of those of the look before reach it, and the density of these steps."""
        reach, shift = _REACH * sqrt(step), self._reference * step
        for panel in nodes.reshape(-1, _PANEL_NODES):
            low, high = np.searchsorted(before, (panel[0] - shift - reach, panel[-1] - shift + reach)).tolist()
            yield slice(low, high), self._step(panel[:, None] - before[low:high], step)

    def at_least(self, drift: float) -> float:
        """Return the probability of an end that speaks as much for an upward drift as the actual one, or more.

        Raises FloatingPointError where it cannot be computed.
        """
        from scipy.special import ndtr

        if not len(self._steps):
            return float(ndtr((drift * self._looks[0] - self._end) / sqrt(self._looks[0])))
        before = self._looks[:-1, None]
        tilt = (drift - self._reference) * self._nodes - (drift**2 - self._reference**2) * before / 2
        with np.errstate(over="raise"):
            mass = self._densities * self._weights * np.exp(tilt)
        targets = np.append(self._upper[1:-1], self._end)
        step = self._steps[:, None]
        crossings = mass * ndtr((self._nodes + drift * step - targets[:, None]) / np.sqrt(step))
        first = float(ndtr((drift * self._looks[0] - self._upper[0]) / sqrt(self._looks[0])))
        return first + float(crossings.sum())

    def drift(self, probability: float) -> float:
        """Return the drift under which `at_least` is `probability`. Raises FloatingPointError."""
        from scipy.optimize import brentq

        # Far from the reference drift the likelihood ratios would magnify errors of the densities.
        low = self._bracket(-1, lambda drift: self.at_least(drift) <= probability)
        high = self._bracket(1, lambda drift: self.at_least(drift) >= probability)
        return float(brentq(lambda drift: self.at_least(drift) - probability, low, high, xtol=1e-8))

    def _bracket(self, sign: int, is_beyond: Callable[[float], bool]) -> float:
        """Return a drift on one side of the reference that is beyond a solution. Raises FloatingPointError."""
        width = 1 / sqrt(self._looks[-1])
        for doubling in range(_MAX_DOUBLINGS):
            drift = float(self._reference) + sign * width * 2.0**doubling
            if is_beyond(drift):
                return drift
        raise FloatingPointError("the estimate is not between any two drifts")
