"""SPSA: simultaneous perturbation stochastic approximation.

Spall, J. C. (1998): Implementation of the simultaneous perturbation algorithm for stochastic optimization. IEEE
Transactions on Aerospace and Electronic Systems 34 (3), 817-823. Two bots play each iteration, whatever the number of
parameters: one with all of them moved by a step up or down, at random, and one with all of them moved the other way.

The gains are those of fishtest, from what they are at the end of N iterations:

    c_k = step * (N / k)^gamma                                           by how much parameters are moved, k = 1 ... N
    a_k = rate * step^2 * ((A + N) / (A + k))^alpha                      how far a result carries them
    value += a_k / c_k * sign * (wins - losses)                         but by no more than c_k

So a parameter moves by `rate` steps for each win more than losses at the end, and further before. The last limit is
ours: where an iteration has hundreds of matches, and a step means many Elo, results would carry parameters from one
bound to the other (bench/research/tuning_searches.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import shake_256
from statistics import fmean

from arena_tune.parameters import Parameter, Values

ALPHA = 0.602
"""How soon results carry less far: the exponent that Spall advises for finite samples."""

GAMMA = 0.101
"""How soon parameters are moved by less, likewise."""

STABILITY = 0.1
"""A as a share of the iterations: before, results carry less far than they would."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an iteration plays."""

    one: Values
    """The values of one bot."""
    other: Values
    """Those of the other one."""
    signs: tuple[int, ...] = ()
    """Of SPSA: 1 where the first bot has the larger value of a parameter, and -1 where it has the smaller."""


LATE_SHARE = 4
"""The last iterations, one in so many, whose mean is the answer."""


def usual_rate(matches: int) -> float:
    """Return the rate of a run of so many matches in all: chance alone moves a parameter by about two steps."""
    return 2 / math.sqrt(matches)


def late(path: Sequence[Values]) -> Sequence[Values]:
    """Return the last quarter of the values after each iteration, one of them at least."""
    return path[-max(1, len(path) // LATE_SHARE) :]


class Spsa:
    """A search by SPSA: each iteration is asked for once, and told its result once, in order."""

    def __init__(self, parameters: Sequence[Parameter], iterations: int, rate: float, secret: bytes) -> None:
        """Begin with the start values.

        iterations: their number in all, on which the gains depend.
        rate: of parameters without their own.
        secret: from which the signs follow.
        """
        self._parameters = parameters
        self._iterations = iterations
        self._rate = rate
        self._secret = secret
        self.values: Values = tuple(float(each.start) for each in parameters)

    def ask(self, number: int) -> Proposal:
        """Return what an iteration plays. `number`: from 0."""
        signs = self.signs(number)
        steps = [sign * self._step(each, number) for each, sign in zip(self._parameters, signs, strict=True)]
        return Proposal(self._moved(steps), self._moved([-step for step in steps]), signs)

    def tell(self, number: int, proposal: Proposal, result: float) -> None:
        """Take the result of an iteration.

        result: the wins of the first bot less its losses.
        """
        changes = []
        for each, sign in zip(self._parameters, proposal.signs, strict=True):
            step = self._step(each, number)
            change = self._gain(each, number) / step * sign * result
            changes.append(min(max(change, -step), step))
        self.values = self._moved(changes)

    def tuned(self, path: Sequence[Values]) -> Values:
        """Return the mean of the last quarter, which chance moves less than the last values.

        Polyak, B. T., Juditsky, A. B. (1992): Acceleration of stochastic approximation by averaging. SIAM Journal on
        Control and Optimization 30 (4), 838-855.
        """
        return tuple(map(fmean, zip(*late(path), strict=True))) if path else self.values

    def signs(self, number: int) -> tuple[int, ...]:
        """Return the signs of an iteration: each is 1 or -1 with equal chances."""
        count = len(self._parameters)
        drawn = shake_256(self._secret + f"tune/signs/{number}".encode()).digest(-(-count // 8))
        return tuple(1 if drawn[place // 8] >> place % 8 & 1 else -1 for place in range(count))

    def _moved(self, by: Sequence[float]) -> Values:
        return tuple(
            each.bounded(value + change) for each, value, change in zip(self._parameters, self.values, by, strict=True)
        )

    def _step(self, parameter: Parameter, number: int) -> float:
        return parameter.step * math.pow(self._iterations / (number + 1), GAMMA)

    def _gain(self, parameter: Parameter, number: int) -> float:
        rate = self._rate if parameter.rate is None else parameter.rate
        late = STABILITY * self._iterations
        return rate * parameter.step**2 * math.pow((late + self._iterations) / (late + number + 1), ALPHA)
