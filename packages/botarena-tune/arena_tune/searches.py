"""The searches by name.

spsa   two bots with opposite changes play each other; for any number of parameters, and no library is needed
tpe    the tree-structured Parzen estimator of Optuna: candidates play one opponent
grid   candidates on a grid, likewise, each once
"""

import itertools
from collections.abc import Sequence

from arena.values.installing import how_to_install
from arena_tune.course import Search
from arena_tune.errors import TuneError
from arena_tune.parameters import Parameter, Values
from arena_tune.plan import GRID, TPE, TunePlan
from arena_tune.spsa import Proposal, Spsa


def new_search(plan: TunePlan, secret: bytes) -> Search:
    """Return the search of a run, before its first iteration. Raises TuneError where its library is missing."""
    if plan.search == TPE:
        try:
            from arena_tune.tpe import Tpe
        except ModuleNotFoundError:
            raise TuneError(f"--search tpe needs Optuna: {how_to_install('botarena-tune[search]')}") from None
        return Tpe(plan.parameters, secret)
    if plan.search == GRID:
        return Grid(plan.parameters, plan.iterations)
    return Spsa(plan.parameters, plan.iterations, plan.rate, secret)


class Grid:
    """Candidates at equal distances, bounds included, each rated once."""

    def __init__(self, parameters: Sequence[Parameter], iterations: int) -> None:
        """Begin before the first one.

        iterations: how many there may be at most.
        """
        self._start: Values = tuple(float(each.start) for each in parameters)
        self._points = list(itertools.islice(grid(parameters, iterations), iterations))
        self.values = self._start
        self._best: float | None = None

    def ask(self, number: int) -> Proposal:
        """Return what an iteration plays: a candidate, and the start values."""
        return Proposal(self._points[number], self._start)

    def tell(self, number: int, proposal: Proposal, result: float) -> None:
        """Take the result of a candidate."""
        if self._best is None or result > self._best:
            self._best, self.values = result, proposal.one

    def tuned(self, path: Sequence[Values]) -> Values:
        """Return the candidate with the best result."""
        return self.values


def grid(parameters: Sequence[Parameter], most: int) -> "itertools.product[Values]":
    """Return the points of the finest grid that has at most so many, with as many for each parameter.

    Raises TuneError where that are not two for each parameter.
    """
    count = int(most ** (1 / len(parameters)) + 1e-9)
    if count < 2:
        raise TuneError(
            f"a grid of {len(parameters)} parameters has at least {2 ** len(parameters):,} points, one for each "
            f"iteration, and there are {most:,}: use --search spsa, or more --iterations"
        )
    return itertools.product(*(_points(each, count) for each in parameters))


def grid_size(parameters: Sequence[Parameter], most: int) -> int:
    """Return how many points such a grid has. Raises TuneError as `grid`."""
    return sum(1 for _ in grid(parameters, most))


def _points(parameter: Parameter, count: int) -> list[float]:
    width = (parameter.most - parameter.least) / (count - 1)
    return list(dict.fromkeys(float(parameter.played(parameter.least + width * place)) for place in range(count)))
