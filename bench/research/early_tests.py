"""Measure how often sequential tests err that may end after a few pairs, and how long they are.

    python -m bench.research.early_tests [TESTS]      1000 by default, some minutes

Pairs are drawn from distributions of their five results, which are tilted until a hypothesis is exactly true, and
looked at as tournaments do (`arena.values.stop_rule`). Beside it stand tests that look at every pair, as managers of
chess do.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import click
import numpy as np

from arena.ratings.keyed_sums import Floats
from arena.ratings.sprt import MIN_DEALS, DealScores, Sprt, expected_mean
from arena.values.stop_rule import LOOK, Model, StopRule
from bench.research.error_rates import percentage

_CELLS = np.array((0.0, 0.25, 0.5, 0.75, 1.0))

SHAPES = {
    "few decided": (0.002, 0.098, 0.8, 0.098, 0.002),
    "half are ties": (0.05, 0.2, 0.5, 0.2, 0.05),
    "no ties": (0.25, 0.0, 0.5, 0.0, 0.25),
    "skewed": (0.12, 0.0, 0.28, 0.6, 0.0),
}
"""Shares of pairs by the points of the first engine (0, 1/2, 1, 3/2, 2), before they are tilted."""

HYPOTHESES: tuple[tuple[float, float, Model], ...] = (
    (0, 20, "logistic"),
    (0, 50, "logistic"),
    (0, 100, "logistic"),
    (-100, 100, "logistic"),
    (0, 20, "normalized"),
    (0, 100, "normalized"),
)
"""elo0, elo1 and the model."""

_MOST = 20_000
"""Pairs after which a test is given up."""


class Course(NamedTuple):
    """How tests went."""

    wrong: int
    """How many accepted the hypothesis that is false."""
    pairs: float
    """After how many pairs they ended, on average."""


def tilted(shape: Iterable[float], is_true: Callable[[Floats], float]) -> Floats:
    """Return a distribution of pairs, tilted exponentially until a hypothesis holds.

    is_true: returns 0 where it does, less where the first engine is too weak.
    """
    from scipy.optimize import brentq

    base = np.array(tuple(shape))

    def by(slope: float) -> Floats:
        weights = base * np.exp(slope * (_CELLS - 0.5))
        shares: Floats = weights / weights.sum()
        return shares

    return by(brentq(lambda slope: is_true(by(slope)), -60, 60))


def surplus(model: Model, elo: float) -> Callable[[Floats], float]:
    """Return what tells how far a distribution of pairs is from a difference in the Elo of a model."""

    def logistic(shares: Floats) -> float:
        return float(shares @ _CELLS) - expected_mean(elo)

    def normalized(shares: Floats) -> float:
        mean = float(shares @ _CELLS)
        spread = float(shares @ (_CELLS - mean) ** 2) ** 0.5
        return DealScores({0.5: 1}, 2).normalised(mean, spread) - elo

    return logistic if model == "logistic" else normalized


def course(sprt: Sprt, shares: Floats, wrong: str, looks: list[int], tests: int, random: np.random.Generator) -> Course:
    """Play tests.

    shares: of the five results of a pair.
    wrong: "H0" or "H1", the one that is false.
    looks: after how many pairs the results are looked at, ascending.
    """
    errors, pairs = 0, 0
    for _ in range(tests):
        counts, done, verdict = np.zeros(5, np.int64), 0, ""
        for look in looks:
            counts += random.multinomial(look - done, shares)
            done = look
            observed = zip(_CELLS.tolist(), counts.tolist(), strict=True)
            if verdict := sprt.verdict(DealScores.of({mean: count for mean, count in observed if count})):
                break
        errors += verdict == wrong
        pairs += done
    return Course(errors, pairs / tests)


@click.command(help="Print how often sequential tests err that may end after a few pairs, and how long they are.")
@click.argument("tests", type=click.IntRange(min=1), default=1000)
def main(tests: int) -> None:
    """Print a line for each hypothesis and shape."""
    click.echo(f"{tests} tests each, alpha = beta = 5 %: wrong verdicts in % (95 % interval), mean pairs")
    heads = f"{'elo0:elo1':<22}{'pairs':<15}{'H0 true':<18}{'pairs':>6}  {'H1 true':<18}{'pairs':>6}"
    click.echo(f"{heads}  every pair: wrong, pairs")
    ours, each = StopRule("sprt", 0, 1, look=LOOK).looks(_MOST, _MOST), list(range(MIN_DEALS, _MOST))
    few = max(tests // 5, 1)
    for elo0, elo1, model in HYPOTHESES:
        sprt = Sprt(elo0, elo1, model=model)
        for name, shape in SHAPES.items():
            random = np.random.default_rng(7)
            nulls, others = (tilted(shape, surplus(model, elo)) for elo in (elo0, elo1))
            null = course(sprt, nulls, "H1", ours, tests, random)
            other = course(sprt, others, "H0", ours, tests, random)
            finest = course(sprt, nulls, "H1", each, few, random)
            click.echo(
                f"{f'{elo0:g}:{elo1:g} {model}':<22}{name:<15}{percentage(null.wrong, tests):<18}{null.pairs:>6.0f}  "
                f"{percentage(other.wrong, tests):<18}{other.pairs:>6.0f}  {percentage(finest.wrong, few)}, "
                f"{finest.pairs:.0f}"
            )


if __name__ == "__main__":
    main()
