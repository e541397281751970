"""Measure how often equal bots are called unequal, what stopping by the results costs, and what it does to estimates.

    python -m bench.research.error_rates [TOURNAMENTS]      200 by default, some minutes

Tournaments are simulated as in `bench.research.audit_simulation`: every deal in all rotations, with luck that depends
partly on the deal. Rules that end a tournament are the real ones (`arena.results.early_stopping`).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import click
import numpy as np

from arena.plan.schedule import Plan
from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import QUANTILE, fit_ranking
from arena.ratings.tally import Tally
from arena.results.early_stopping import ACCEPTED, StopMonitor
from arena.values.result import Result
from arena.values.stop_rule import ERROR_CONTROLS, StopRule
from bench.research.audit_simulation import tournament


class FalseClaims(NamedTuple):
    """In how many tables of equal bots somebody was called better."""

    los: int
    """The number of tables with a likelihood of superiority above 97.5 %."""
    adjusted: int
    """The number of tables with a bot that is better at a familywise error below 5 %."""
    neighbours: int
    """The number of tables with two neighbours in the ranking without ≈."""


def false_claims(tables: Iterable[Iterable[Result]]) -> FalseClaims:
    """Count the false claims in tournaments of equal bots."""
    counts = np.zeros(3, np.int64)
    for results in tables:
        table = fit_ranking(Tally(results))
        separated = any(row.separated for row in table.rows)
        counts += [bool((table.los > QUANTILE).any()), bool(table.superior.any()), separated]
    return FalseClaims(*counts.tolist())


class Stop(NamedTuple):
    """How a tournament went that its results may end."""

    rounds: int
    """The number of rounds that were played."""
    code: int
    """The code of the verdict; 0 without one."""
    is_right: bool
    """Whether the order of the ranking is the true one."""
    estimate: tuple[float, float, float, float] | None = None
    """After a test, the corrected difference in Elo, the ends of its interval, and the plain difference; else None."""


def play(rule: StopRule, elo: Floats, size: int, block: int, blocks: int, seed: int) -> Stop:
    """Play one tournament until the rule ends it.

    elo: of the bots, the best first; equal ones have no right order.
    """
    bots, random = len(elo), np.random.default_rng(seed)
    plan = Plan(bots=bots, seats=size, rounds=block * blocks, block=block, secret=bytes(32))
    deals, known = block * plan.tables, Tally()

    def read(numbers: range) -> list[Result]:
        results = list(tournament(bots, size, deals, random, elo=elo, first_deal=numbers.start // plan.rotations))
        for result in results:
            known.add(result)
        return results

    monitor = StopMonitor(rule, [f"bot{number}" for number in range(bots)], plan, read)
    verdict = None
    for number in range(blocks):
        size_of_block = deals * plan.rotations
        monitor.add(range(number * size_of_block, (number + 1) * size_of_block))
        if (verdict := monitor.evaluate()) is not None:
            break
    order = [row.bot for row in fit_ranking(known).rows]
    is_right = len(set(elo.tolist())) == bots and order == [f"bot{place}" for place in np.argsort(-elo)]
    estimate = monitor.estimate
    numbers = None if estimate is None else (estimate.elo, estimate.low, estimate.high, estimate.plain)
    return Stop((number + 1) * block, verdict.code if verdict else 0, is_right, numbers)


def percentage(count: int, of: int) -> str:
    """Return a share in %, with its 95 % interval (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    low = 0.0 if count == 0 else float(betaincinv(count, of - count + 1, 0.025))
    high = 1.0 if count == of else float(betaincinv(count + 1, of - count, 0.975))
    return f"{100 * count / of:.1f} ({100 * low:.1f}-{100 * high:.1f})"


_TABLES = ((4, 4, 50), (8, 4, 100), (20, 4, 100), (20, 6, 400))
"""Bots, seats and deals of tables of equal bots."""

_FIELDS: tuple[tuple[str, Sequence[float], int, int], ...] = (
    ("equal", (0, 0), 2, 40),
    ("equal", (0, 0, 0), 3, 40),
    ("two are equal", (60, 0, 0), 3, 40),
    ("two are equal", (60, 60, 0, -60), 4, 40),
    ("20 Elo apart", (20, 0), 2, 200),
    ("40 Elo apart", (40, 0, -40), 3, 100),
    ("40 Elo apart", (60, 20, -20, -60), 4, 100),
)
"""Fields for --until-separated: a description, the Elo of the bots, the seats, and the most blocks of 50 rounds."""

_TESTS = (0.0, 30.0, 15.0, 60.0, 137.0)
"""True differences of the bots for a test of 0 against 30 Elo."""


@click.command(help="Print how often equal bots are called unequal, and what ending early costs and does to estimates.")
@click.argument("tournaments", type=click.IntRange(min=1), default=200)
def main(tournaments: int) -> None:
    """Print three tables."""
    _print_tables(tournaments)
    _print_separation(tournaments)
    _print_tests(tournaments)


def _print_tables(tournaments: int) -> None:
    click.echo(
        f"{tournaments} tables of equal bots each; in how many of 100 somebody was called better (95 % interval)"
    )
    click.echo(" bots  seats  deals  LOS > 97.5 %        adjusted (Holm)     neighbours without ≈")
    for bots, size, deals in _TABLES:
        random = np.random.default_rng(bots * size)
        equal = np.zeros(bots)
        found = false_claims(tournament(bots, size, deals, random, elo=equal) for _ in range(tournaments))
        shares = "  ".join(f"{percentage(count, tournaments):<18}" for count in found)
        click.echo(f"{bots:>5}  {size:>5}  {deals:>5}  {shares}".rstrip())


def _print_separation(tournaments: int) -> None:
    click.echo(f"\n--until-separated, tested every 50 rounds, {tournaments} tournaments each")
    click.echo(
        " bots  seats  most rounds  field           control     ended early, in %   falsely, in %       mean rounds"
    )
    for what, elo, size, blocks in _FIELDS:
        for control in ERROR_CONTROLS:
            rule, strengths = StopRule("separated", control=control), np.array(elo, np.float64)
            stops = [play(rule, strengths, size, 50, blocks, seed) for seed in range(tournaments)]
            ended = [stop for stop in stops if stop.code]
            wrong = sum(not stop.is_right for stop in ended)
            rounds = sum(stop.rounds for stop in stops) / tournaments
            click.echo(
                f"{len(elo):>5}  {size:>5}  {50 * blocks:>11}  {what:<14}  {control:<10}  "
                f"{percentage(len(ended), tournaments):<18}  {percentage(wrong, tournaments):<18}  {rounds:>11,.0f}"
            )


def _print_tests(tournaments: int) -> None:
    click.echo(f"\n--sprt elo0=0,elo1=30, tested every 50 rounds of 2 bots, {tournaments} tournaments each")
    click.echo(
        " true Elo  H1 accepted, in %   rounds  mean Elo: plain  corrected  above the truth, in %: plain  corrected"
        "           interval holds it, in %"
    )
    for truth in _TESTS:
        strengths = np.array((truth / 2, -truth / 2))
        stops = [play(StopRule("sprt", 0, 30), strengths, 2, 50, 400, seed) for seed in range(tournaments)]
        estimates = [stop.estimate for stop in stops if stop.estimate is not None]
        elo, low, high, plain = np.array(estimates).T
        rounds = np.mean([stop.rounds for stop in stops])
        accepted = percentage(sum(stop.code == ACCEPTED for stop in stops), tournaments)
        above = [percentage(int((values > truth).sum()), len(elo)) for values in (plain, elo)]
        holds = percentage(int(((low <= truth) & (truth <= high)).sum()), len(elo))
        click.echo(
            f"{truth:>9g}  {accepted:<18}  {rounds:>6,.0f}  {np.mean(plain):>15.1f}  {np.mean(elo):>9.1f}  "
            f"{above[0]:>28}  {above[1]:<18}  {holds}"
        )


if __name__ == "__main__":
    main()
