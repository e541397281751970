"""Measure what matchmaking gains over random tables, in simulated leagues of entries of known strengths.

    python -m bench.research.league_simulation [--quick]      some twenty minutes; --quick: two

Four tables:

    established   a field that has played 100 deals per entry goes on: matches to an equal error of order
    newcomers     entries join a field that has played 400 deals per entry: matches to an equal error of their order
    60 days       newcomers arrive all the time, one entry in ten is slow: order at the end, fewest deals in a week
    5,000         CPU time of draws

The error of order is by how many Elo the entries of a pair stand in the wrong order, on average over all pairs
(`bench.research.simulated_league.error_of_order`); the experiments are in `bench.research.league_experiments`.
"""

from collections.abc import Sequence
from itertools import product
from statistics import fmean, geometric_mean
from typing import NamedTuple

import click

from bench.research.league_experiments import Curve, draw_times, established, newcomers, two_months


class Size(NamedTuple):
    """How a field is simulated."""

    entries: int
    """The number of entries at the start."""
    repeats: int
    """The leagues per row of a table."""
    deals: int
    """The deals that each entry goes on for."""
    refit: int
    """The batches between two fits."""
    newcomers: int
    """The number of newcomers that join in the second table."""
    pause: int
    """The days between newcomers in the third table."""
    batches: int
    """The batches of a day in the third table."""


_SIZES = (Size(8, 200, 800, 1, 1, 6, 4), Size(50, 20, 3_200, 1, 4, 2, 10), Size(500, 2, 1_600, 4, 20, 1, 30))
_SEATS = (2, 4, 6)
_SPREADS = (200.0, 400.0)


def mean_curve(curves: Sequence[Curve]) -> Curve:
    """Return the mean of curves over the same numbers of matches."""
    errors = [fmean(values) for values in zip(*(curve.errors for curve in curves), strict=True)]
    return Curve(curves[0].matches, errors, curves[0].start, fmean(curve.draw for curve in curves))


def matches_ratio(matched: Curve, random: Curve) -> float:
    """Return which part of the matches of random tables is enough for equal errors: the mean of the last two points."""
    pairs = zip(matched.matches[-2:], matched.errors[-2:], strict=True)
    return geometric_mean([matches / random.matches_to(error) for matches, error in pairs])


@click.command(help="Print how many matches of random tables matchmaking saves, and that nobody starves.")
@click.option("--quick", is_flag=True, help="A fifth of the leagues, and none of 500 entries.")
@click.option("--with-truth", is_flag=True, help="Tell matchmaking the true strengths: as well as any could do.")
def main(quick: bool, with_truth: bool) -> None:
    """Print the tables."""
    sizes = [size._replace(repeats=size.repeats // 5) for size in _SIZES[:2]] if quick else _SIZES
    _print_established(sizes, with_truth)
    if not with_truth:
        _print_newcomers(sizes)
        _print_two_months(sizes)
        _print_costs()


def _print_established(sizes: Sequence[Size], with_truth: bool) -> None:
    click.echo("An established field: error of order at random tables and with matchmaking after as many matches,")
    click.echo("the part of the matches of random tables that is enough for an equal error, CPU time of a draw")
    click.echo("entries  seats  spread  leagues  deals each   random  matched  matches  draw, ms")
    for size in sizes:
        for seats, spread in product(_SEATS, _SPREADS):
            runs = [
                established(size.entries, seats, spread, size.deals, size.refit, (1, repeat), with_truth)
                for repeat in range(size.repeats)
            ]
            random, matched = (mean_curve([run[way] for run in runs]) for way in (0, 1))
            deals = matched.matches[-1] / size.entries
            click.echo(
                f"{size.entries:>7}  {seats:>5}  {spread:>6g}  {size.repeats:>7}  {deals:>10,.0f}  "
                f"{random.errors[len(matched.errors) - 1]:>7.4f}  {matched.errors[-1]:>7.4f}  "
                f"{matches_ratio(matched, random):>7.2f}  {1000 * matched.draw:>8.1f}"
            )


def _print_newcomers(sizes: Sequence[Size]) -> None:
    click.echo("\nNewcomers: deals and matches of a placement, error of their order after it,")
    click.echo("and the matches of the whole league after which random tables have placed them as well")
    click.echo("entries  seats  newcomers  deals  matches  error  random: matches  ratio")
    for size in sizes:
        for seats in _SEATS:
            runs = [
                newcomers(size.entries, seats, 200.0, size.newcomers, (2, repeat)) for repeat in range(size.repeats)
            ]
            deals, matches, error = (fmean(column) for column in list(zip(*runs, strict=True))[:3])
            random = mean_curve([run.random for run in runs]).matches_to(error)
            click.echo(
                f"{size.entries:>7}  {seats:>5}  {size.newcomers * size.repeats:>9}  {deals:>5.0f}  {matches:>7,.0f}  "
                f"{error:>5.1f}  {random:>15,.0f}  {matches / random:>5.3f}"
            )


def _print_two_months(sizes: Sequence[Size]) -> None:
    click.echo("\n60 days with newcomers, one entry in ten ten times as slow: error of order at the end, CPU time of")
    click.echo("the entries, fewest deals of an entry in any week (floor: 100)")
    click.echo(
        "entries  seats  leagues  random  matched  random: CPU, s  matched: CPU, s  fewest deals  of a slow entry"
    )
    for size in sizes:
        repeats = max(size.repeats // 10, 1)
        for seats in _SEATS:
            runs = [
                two_months(size.entries, seats, 200.0, size.pause, size.batches, (3, repeat))
                for repeat in range(repeats)
            ]
            matched, random, _, _, cpu, random_cpu = (fmean(column) for column in zip(*runs, strict=True))
            click.echo(
                f"{size.entries:>7}  {seats:>5}  {repeats:>7}  {random:>6.3f}  {matched:>7.3f}  {random_cpu:>14,.0f}  "
                f"{cpu:>15,.0f}  {min(run.fewest for run in runs):>12}  {min(run.fewest_slow for run in runs):>15}"
            )


def _print_costs() -> None:
    click.echo("\nCPU time of the slowest of 20 draws among 5,000 entries, in ms")
    click.echo("seats  standing  newcomers")
    for seats in (2, 4, 6, 15):
        standing, placing = draw_times(5_000, seats, 20, seats)
        click.echo(f"{seats:>5}  {1000 * standing:>8.0f}  {1000 * placing:>9.0f}")


if __name__ == "__main__":
    main()
