"""Measure how near searches come to the best parameters, where the Elo of each candidate is known and matches noisy.

    python -m bench.research.tuning_searches [REPEATS]      40 by default, some minutes
    python -m bench.research.tuning_searches --gains        SPSA with other rates, and numbers of iterations

The Elo of a bot falls with the square of the distance of its parameters from the best ones, which are drawn anew for
each repeat, as the weights of the parameters are. It begins 100 Elo below the best. A match is won by chance, as its
Elo says, so that N matches measure a difference with an error of 347 / sqrt(N) Elo. Every search has the same
matches, and what counts is the Elo that its answer lacks in truth. SPSA is ours, by its usual gains, as `arena tune`
runs it; the searches of Optuna and Nevergrad, where these are installed (optuna, cmaes, nevergrad), rate candidates
against the bot as it began, 128 matches at a time.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec

import click
import numpy as np
from arena_tune.course import Course
from arena_tune.parameters import Parameter
from arena_tune.spsa import Spsa, usual_rate

START_ELO = -100.0
"""Below the best."""

BUDGETS = (4_000, 32_000)
"""Matches of a run."""

SIZES = (2, 8)
"""Numbers of parameters."""

BATCH = 128
"""Matches of a candidate."""


class Problem:
    """A bot whose Elo is known.

    parameters: from 0 to 1, which start in the middle.
    """

    def __init__(self, size: int, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self._best = 0.5 + self.chance.uniform(0.15, 0.4, size) * self.chance.choice([-1, 1], size)
        weights = self.chance.uniform(0.2, 1.0, size)
        self._weights = weights * START_ELO / float(weights @ (self._best - 0.5) ** 2)
        self.parameters = [Parameter.make(f"p{n}", 0.5, 0, 1, is_integer=False) for n in range(size)]

    def elo(self, values: Sequence[float]) -> float:
        """Return the Elo of values, 0 at best."""
        return float(self._weights @ (np.asarray(values) - self._best) ** 2)

    def play(self, one: Sequence[float], other: Sequence[float], matches: int) -> int:
        """Return wins less losses of a bot against another one."""
        expected = 1 / (1 + 10 ** ((self.elo(other) - self.elo(one)) / 400))
        return 2 * int(self.chance.binomial(matches, expected)) - matches


Search = Callable[[Problem, int], Sequence[float]]
"""Returns the values that a search finds with so many matches."""


def spsa(iterations: int, rate: float = 1.0, side_by_side: int = 2, average: bool = True) -> Search:
    """Return SPSA.

    rate: as a multiple of the usual one.
    average: whether its answer is the mean of the last quarter, and not the last value.
    """

    def search(problem: Problem, budget: int) -> Sequence[float]:
        matches = budget // iterations
        plan = Spsa(problem.parameters, iterations, rate * usual_rate(budget), problem.chance.bytes(32))
        course = Course(plan, iterations, side_by_side)
        while not course.is_over:
            number, proposal = next(course.open())
            course.finish(number, problem.play(proposal.one, proposal.other, matches))
        return course.tuned if average else course.values

    return search


def optuna(name: str) -> Search:
    """Return a search of Optuna, by the name of its sampler."""
    import optuna as library

    library.logging.set_verbosity(library.logging.ERROR)

    def search(problem: Problem, budget: int) -> Sequence[float]:
        sampler = getattr(library.samplers, name)(seed=int(problem.chance.integers(2**31)))
        study = library.create_study(direction="maximize", sampler=sampler)
        start = [each.start for each in problem.parameters]
        for _ in range(budget // BATCH):
            trial = study.ask()
            values = [trial.suggest_float(each.name, each.least, each.most) for each in problem.parameters]
            study.tell(trial, problem.play(values, start, BATCH) / BATCH)
        return [study.best_params[each.name] for each in problem.parameters]

    return search


def nevergrad(name: str) -> Search:
    """Return a search of Nevergrad, by the name of its optimiser."""
    import nevergrad as library

    def search(problem: Problem, budget: int) -> Sequence[float]:
        size = len(problem.parameters)
        array = library.p.Array(init=[0.5] * size).set_bounds(0, 1)
        array.random_state.seed(int(problem.chance.integers(2**31)))
        optimizer = library.optimizers.registry[name](array, budget=budget // BATCH)
        for _ in range(budget // BATCH):
            asked = optimizer.ask()
            optimizer.tell(asked, -problem.play(asked.value, [0.5] * size, BATCH) / BATCH)
        return list(optimizer.recommend().value)

    return search


def searches() -> Iterator[tuple[str, Search]]:
    """Yield the searches that are compared."""
    yield "SPSA, 100 iterations", spsa(100)
    yield "SPSA, 500 iterations", spsa(500)
    if find_spec("optuna") is not None:
        yield "Optuna TPE", optuna("TPESampler")
        yield "Optuna random", optuna("RandomSampler")
        if find_spec("cmaes") is not None:
            yield "Optuna CMA-ES", optuna("CmaEsSampler")
    if find_spec("nevergrad") is not None:
        for name in ("SPSA", "TBPSA", "OptimisticNoisyOnePlusOne"):
            yield f"Nevergrad {name}", nevergrad(name)


def gains() -> Iterator[tuple[str, Search]]:
    """Yield SPSA with other gains."""
    for iterations in (50, 200, 1000):
        for rate in (0.25, 0.5, 1.0, 2.0):
            for average in (False, True):
                mean = ", mean of the last quarter" if average else ""
                yield f"{iterations} iterations, rate x {rate:g}{mean}", spsa(iterations, rate, average=average)
    yield "200 iterations, 1 at a time", spsa(200, side_by_side=1)
    yield "200 iterations, 8 side by side", spsa(200, side_by_side=8)


@click.command()
@click.argument("repeats", type=click.IntRange(min=2), default=40)
@click.option("--gains", "has_gains", is_flag=True, help="Compare gains of SPSA.")
def main(repeats: int, has_gains: bool) -> None:
    """Print the Elo that each search lacks, with its standard error."""
    warnings.simplefilter("ignore")
    columns = [(size, budget) for size in SIZES for budget in BUDGETS]
    click.echo(" | ".join(["search", *(f"{size} parameters, {budget:,} matches" for size, budget in columns)]))
    for name, search in gains() if has_gains else searches():
        cells = []
        for size, budget in columns:
            lacking = [-(each := Problem(size, seed)).elo(search(each, budget)) for seed in range(repeats)]
            cells.append(f"{np.mean(lacking):5.1f} ± {np.std(lacking, ddof=1) / repeats**0.5:.1f}")
        click.echo(" | ".join([name, *cells]))


if __name__ == "__main__":
    main()
