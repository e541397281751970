"""Measure how often error bars hold the true value, in simulated tournaments with known strengths.

    python -m bench.research.interval_coverage [TOURNAMENTS]      1000 by default, some minutes

Bots of known strengths play; a seat's luck has a part that comes with the deal and seat (the cards),
a part that comes with the deal and bot (this deal suits its style), and a part of its own. The first
two come back in every rotation of the deal, so matches of one deal are not independent; yet the
chance of one bot beating another in any one match is exactly the Bradley-Terry model's, so that the
true Elo is known. A 95 % bar should hold it 95 times in 100. So it is with mixed teams of two.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import click
import numpy as np

from arena.ratings.keyed_sums import Floats
from arena.ratings.ranking import ELO_PER_NAT, fit_ranking, half_widths
from arena.ratings.solver import solve
from arena.ratings.tally import Tally
from arena.values.result import Result

_SPREAD = 100.0
"""Elo of the best bot; the others are evenly spread down to its negative."""


class Coverage(NamedTuple):
    """Which part of the bars held the true Elo."""

    clustered: float
    """The part among the bars that arena shows."""
    naive: float
    """The part among bars as if all comparisons were independent (normal quantile)."""


def true_elo(players: int) -> Floats:
    """Return the strengths of the simulated field."""
    return np.linspace(_SPREAD, -_SPREAD, players)


def tournament(
    players: int, deals: int, rotate: bool, random: np.random.Generator, by_seat: float = 0.3, by_bot: float = 0.3
) -> Iterator[Result]:
    """Yield the matches of a simulated tournament of `players` bots at one table.

    rotate: every deal is played in all cyclic rotations; otherwise once, in random seats.
    by_seat, by_bot: the shares of luck's variance that come with the deal and seat, and the deal and bot.
    """
    from scipy.special import ndtr

    rotations = players if rotate else 1
    shift = np.arange(players)[:, None] + np.arange(rotations)
    start = np.argsort(random.random((deals, players)), axis=1)
    bots = start[:, shift % players].transpose(0, 2, 1)  # deal, rotation, seat
    cards = random.standard_normal((deals, 1, players))
    style = np.take_along_axis(random.standard_normal((deals, 1, players)), bots, axis=2)
    own = random.standard_normal(bots.shape)
    luck = ndtr(by_seat**0.5 * cards + by_bot**0.5 * style + (1 - by_seat - by_bot) ** 0.5 * own)
    # Luck is uniform and, within a match, independent. As Gumbel noise its differences are logistic, which is
    # Bradley-Terry exactly.
    result = true_elo(players)[bots] / ELO_PER_NAT - np.log(-np.log(luck))
    ranks = 1 + np.argsort(np.argsort(-result, axis=2), axis=2)
    names = [f"bot{number}" for number in range(players)]
    for deal in range(deals):
        for seated, places in zip(bots[deal].tolist(), ranks[deal].tolist(), strict=True):
            scores = tuple(players - place for place in places)
            yield Result(deal, tuple(names[bot] for bot in seated), tuple(places), scores)


def mixed_tournament(players: int, deals: int, random: np.random.Generator) -> Iterator[Result]:
    """Yield the matches of a simulated tournament of `players` bots, two against two with partners drawn.

    Each deal is played by four of them, who take turns at all four seats and keep their partners. A team is as strong
    as its members on average; of its luck 0.3 come with the deal and its seats, and 0.3 with the deal and its members.
    """
    from scipy.special import ndtr

    bots = np.argsort(random.random((deals, players)), axis=1)[:, :4]
    strength = true_elo(players)[bots].reshape(-1, 2, 2).mean(axis=2) / ELO_PER_NAT  # deal, team
    style = random.standard_normal((deals, 2, 2)).sum(axis=2) / 2**0.5
    cards = random.standard_normal((deals, 2))
    names = [f"bot{number}" for number in range(players)]
    for _ in range(4):
        cards = cards[:, ::-1]  # the teams change seats
        luck = ndtr(0.3**0.5 * cards + 0.3**0.5 * style + 0.4**0.5 * random.standard_normal((deals, 2)))
        result = strength - np.log(-np.log(luck))
        won = (result[:, 0] > result[:, 1]).tolist()
        for deal, seated in enumerate(bots.tolist()):
            a, b, c, d = (names[bot] for bot in seated)
            yield Result(deal, ((a, b), (c, d)), (1, 2) if won[deal] else (2, 1), (0, 0))


def coverage(players: int, tournaments: Iterable[Iterable[Result]]) -> Coverage:
    """Return how many of the bars of simulated tournaments of `players` bots hold the true Elo."""
    truth = {f"bot{number}": elo for number, elo in enumerate(true_elo(players))}
    clustered = naive = bars = 0
    for results in tournaments:
        tally = Tally(results)
        assumed = dict(
            zip(sorted(truth), 1.96 * ELO_PER_NAT * np.sqrt(np.diag(solve(tally.totals()).naive)), strict=True)
        )
        for row in fit_ranking(tally).rows:
            if row.ci95 is not None:
                bars += 1
                clustered += abs(row.elo - truth[row.bot]) <= row.ci95
                naive += abs(row.elo - truth[row.bot]) <= assumed[row.bot]
    return Coverage(clustered / bars, naive / bars)


def few_outcomes(deals: int, rare: float, random: np.random.Generator) -> Iterator[Result]:
    """Yield pairs of games of two bots that end 1.5 : 0.5, but 0.5 : 1.5 with probability `rare`.

    So do engines without noise on the same opening, and bots whose deals have few outcomes.
    """
    for deal, reverse in enumerate((random.random(deals) < rare).tolist()):
        yield Result(deal, ("bot0", "bot1"), (2, 1) if reverse else (1, 2), (0, 0))
        yield Result(deal, ("bot0", "bot1"), (1, 1), (0, 0))


class FewOutcomes(NamedTuple):
    """Which part of the bars held the true Elo."""

    shown: float
    """The part among the bars that arena shows."""
    plain: float
    """The part among bars by the spread of deals alone."""


def coverage_of_few(deals: int, rare: float, tournaments: int, random: np.random.Generator) -> FewOutcomes:
    """Return how often bars of `few_outcomes` hold the true Elo."""
    mean = 0.75 * (1 - rare) + 0.25 * rare
    truth = ELO_PER_NAT * float(np.log(mean / (1 - mean))) / 2
    shown = plain = 0
    for _ in range(tournaments):
        tally = Tally(few_outcomes(deals, rare, random))
        (row,) = (row for row in fit_ranking(tally).rows if row.bot == "bot0")
        solution = solve(tally.totals())
        spread = half_widths(np.diag(solution.covariance), solution.deals)[0] * ELO_PER_NAT
        assert row.ci95 is not None
        shown += abs(row.elo - truth) <= row.ci95 + 1e-6
        plain += abs(row.elo - truth) <= spread + 1e-6
    return FewOutcomes(shown / tournaments, plain / tournaments)


@click.command(
    help="Print which part of 95 % bars hold the true Elo, by players and rotations; mixed: two against two."
)
@click.argument("tournaments", type=click.IntRange(min=1), default=1000)
def main(tournaments: int) -> None:
    """Print a line per number of players and way of playing."""
    click.echo(f"{tournaments} tournaments of 50 deals each; how many of 100 bars of 95 % hold the true Elo")
    click.echo("  players  rotations  clustered  naive")
    for players in (2, 4, 6, 8):
        for rotate in (True, False):
            random = np.random.default_rng(players)
            found = coverage(players, (tournament(players, 50, rotate, random) for _ in range(tournaments)))
            _echo(str(players), "all" if rotate else "none", found)
    for players in (4, 6, 8):
        random = np.random.default_rng(players)
        found = coverage(players, (mixed_tournament(players, 50, random) for _ in range(tournaments)))
        _echo(f"{players} mixed", "all", found)
    click.echo("Two bots, pairs of games that end 1.5 : 0.5 and seldom 0.5 : 1.5")
    click.echo("  deals  seldom  as shown  by the spread of deals alone")
    for deals in (10, 20, 50, 200):
        for rare in (0.0, 0.01, 0.05, 0.1, 0.3):
            few = coverage_of_few(deals, rare, tournaments, np.random.default_rng(deals))
            click.echo(f"{deals:>7}  {rare:<6g}  {100 * few.shown:>8.1f}  {100 * few.plain:>5.1f}")


def _echo(players: str, rotations: str, found: Coverage) -> None:
    click.echo(f"{players:>9}  {rotations:<9}  {100 * found.clustered:>9.1f}  {100 * found.naive:>5.1f}")


if __name__ == "__main__":
    main()
