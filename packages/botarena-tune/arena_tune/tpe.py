"""The tree-structured Parzen estimator of Optuna, asked and told.

Bergstra, J., Bardenet, R., Bengio, Y., Kégl, B. (2011): Algorithms for hyper-parameter optimization. NIPS 24.
A sampler draws from a generator of its own. So that a run can go on after a kill as if nothing had been, each
candidate is drawn by a new one, whose seed follows from the secret of the run.
"""

import hmac
from collections.abc import Sequence

import optuna
from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
from optuna.samplers import TPESampler
from optuna.trial import Trial

from arena_tune.parameters import Parameter, Values
from arena_tune.spsa import Proposal

optuna.logging.set_verbosity(optuna.logging.ERROR)


class Tpe:
    """A search by it: candidates against the start values."""

    def __init__(self, parameters: Sequence[Parameter], secret: bytes) -> None:
        """Begin before the first candidate."""
        self._parameters = parameters
        self._secret = secret
        self._start: Values = tuple(float(each.start) for each in parameters)
        self._space: dict[str, BaseDistribution] = {each.name: _distribution(each) for each in parameters}
        self._study = optuna.create_study(direction="maximize", sampler=self._sampler(0))
        self._trials: dict[int, Trial] = {}
        self.values = self._start
        self._best: float | None = None

    def ask(self, number: int) -> Proposal:
        """Return what an iteration plays: a candidate, and the start values."""
        self._study.sampler = self._sampler(number)
        self._trials[number] = trial = self._study.ask(self._space)
        return Proposal(tuple(float(trial.params[each.name]) for each in self._parameters), self._start)

    def tell(self, number: int, proposal: Proposal, result: float) -> None:
        """Take the result of a candidate."""
        self._study.tell(self._trials.pop(number), result)
        if self._best is None or result > self._best:
            self._best, self.values = result, proposal.one

    def tuned(self, path: Sequence[Values]) -> Values:
        """Return the candidate with the best result."""
        return self.values

    def _sampler(self, number: int) -> TPESampler:
        drawn = hmac.digest(self._secret, f"tune/candidate/{number}".encode(), "sha256")
        return TPESampler(seed=int.from_bytes(drawn[:4], "big"))


def _distribution(parameter: Parameter) -> BaseDistribution:
    if parameter.is_integer:
        return IntDistribution(int(parameter.least), int(parameter.most))
    return FloatDistribution(parameter.least, parameter.most)
