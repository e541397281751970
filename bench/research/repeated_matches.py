"""Measure what repeated matches do to bars and tests, in simulated pairs of games from few openings.

    python -m bench.research.repeated_matches [TOURNAMENTS]      200 by default, some minutes

Two equal bots play pairs of games from openings that are drawn with replacement. A pair ends 1.5 : 0.5, 1 : 1 or
0.5 : 1.5 by its opening: bots without noise repeat the same pair for ever. With noise, part of the pairs end by chance,
and no two of those are alike. The truth is that of all openings there could be: the bots are equal. Where all pairs
begin alike it is that of this beginning.

Then leagues of equal bots, of which each does better from some openings than from others, whoever the opponent is.
"""

from math import log
from typing import NamedTuple

import click
import numpy as np

from arena.league.results.experiment_sums import SetNumbers
from arena.league.results.league_fit import LeagueFit
from arena.league.results.league_sums import LeagueSums
from arena.plan.schedule import Plan
from arena.ratings.experiments import Experiments, LoggedResult
from arena.ratings.ranking import ELO_PER_NAT, fit_ranking
from arena.ratings.tally import Tally
from arena.results.early_stopping import ACCEPTED, StopMonitor
from arena.values.result import Result
from arena.values.rows import ResultRow
from arena.values.stop_rule import StopRule

_SHARES = (0.3, 0.4, 0.3)
"""Of pairs that the first bot loses, ties and wins."""

_ENTRIES = 6
"""Of a league."""

_BATCHES = 10
"""Of a league: pairs repeat others mostly across batches."""

_BY_OPENING = 2.0
"""A pair is won whose bots differ by as much from its opening; each differs from the mean with a variance of 4."""

_BLOCK = 10
"""Pairs after which a test looks at the results."""


class Pairs(NamedTuple):
    """A tournament or a league that is simulated, in pairs of games from one opening."""

    openings: int
    """The number of openings of the book; 1: all pairs begin alike."""
    pairs: int
    """The number of pairs that are played."""
    noise: float
    """The share of the pairs that chance decides instead of the opening."""


class Played(NamedTuple):
    """The games of a tournament, a deal for each pair."""

    games: list[LoggedResult]
    truth: float
    """The true Elo of bot0 against the mean of the two bots."""


def play(plan: Pairs, random: np.random.Generator) -> Played:
    """Play a tournament."""
    by_opening = random.choice(3, plan.openings, p=_SHARES).tolist()
    drawn = random.integers(plan.openings, size=plan.pairs).tolist()
    by_chance = (random.random(plan.pairs) < plan.noise).tolist()
    chance = random.choice(3, plan.pairs, p=_SHARES).tolist()
    games: list[LoggedResult] = []
    for deal, opening in enumerate(drawn):
        points, story = (
            (chance[deal], f"pair {deal}") if by_chance[deal] else (by_opening[opening], f"opening {opening}")
        )
        name = f"opening {opening}" if plan.openings > 1 else ""
        for seat, teams in enumerate((("bot0", "bot1"), ("bot1", "bot0"))):
            decisive = points != 1 and seat == 0
            ranks = (1, 1) if not decisive else (1, 2) if points == 2 else (2, 1)
            games.append(LoggedResult(Result(deal, teams, ranks, (0, 0)), (story, seat), name))
    mean = 0.5 if plan.openings > 1 else 0.5 + (1 - plan.noise) * (by_opening[0] - 1) / 4
    return Played(games, ELO_PER_NAT * log(mean / (1 - mean)) / 2)


class PairPlayed(NamedTuple):
    """A pair of a league: both entries, the points of the first in the two games, its log, and from where it begins."""

    one: int
    other: int
    points: int
    log: str
    opening: str

    def matches(self, table: int) -> list[ResultRow]:
        """Return its two games, of which at most the first is won."""
        ranks = {0: (2, 1), 1: (1, 1), 2: (1, 2)}[self.points]
        seated = (self.one, self.other), (self.other, self.one)
        return [ResultRow(0, seats, (0, 0), rank, table) for seats, rank in zip(seated, (ranks, (1, 1)), strict=True)]

    def numbers(self, table: int) -> SetNumbers:
        """Return what tells whether it says anything new."""
        return SetNumbers.of(((match.entrants, self.log.encode()) for match in self.matches(table)), self.opening)


class Measured(NamedTuple):
    """A share that was measured in two ways."""

    shown: float
    """The share as arena counts experiments; NaN without any."""
    plain: float
    """The share if each pair were an experiment."""


def coverage(plan: Pairs, tournaments: int, random: np.random.Generator) -> Measured:
    """Return the share of bars that hold the true Elo. Tournaments without bars do not count."""
    held: tuple[list[bool], list[bool]] = ([], [])
    for _ in range(tournaments):
        matches, truth = play(plan, random)
        for found, tally in zip(
            held, (Experiments().tally(matches), Tally(game.result for game in matches)), strict=True
        ):
            (row,) = (row for row in fit_ranking(tally).rows if row.bot == "bot0")
            if row.ci95 is not None:
                found.append(abs(row.elo - truth) <= row.ci95)
    return Measured(*(float(np.mean(found)) if found else float("nan") for found in held))


def wrong_verdicts(plan: Pairs, tournaments: int, random: np.random.Generator) -> Measured:
    """Return the share of sequential tests of 0 against 50 Elo that accept 50 where bot0 is not the better."""
    rule = StopRule("sprt", 0, 50)
    schedule = Plan(bots=2, seats=2, rounds=plan.pairs, block=_BLOCK, secret=bytes(32))
    accepted, tests = [0, 0], 0
    for _ in range(tournaments):
        matches, truth = play(plan, random)
        if truth > 0:
            continue
        tests += 1

        def logged(numbers: range, matches: list[LoggedResult] = matches) -> list[LoggedResult]:
            return matches[numbers.start : numbers.stop]

        def results(numbers: range, matches: list[LoggedResult] = matches) -> list[Result]:
            return [match.result for match in matches[numbers.start : numbers.stop]]

        for place, read_logged in enumerate((logged, None)):
            monitor = StopMonitor(rule, ["bot0", "bot1"], schedule, results, read_logged=read_logged)
            monitor.add(range(len(matches)))
            verdict = monitor.evaluate()
            accepted[place] += verdict is not None and verdict.code == ACCEPTED
    return Measured(*(count / tests for count in accepted))


def play_league(plan: Pairs, random: np.random.Generator) -> list[list[PairPlayed]]:
    """Play the batches of a league."""
    form = random.normal(scale=2, size=(plan.openings, _ENTRIES))
    batches: list[list[PairPlayed]] = []
    for first in range(0, plan.pairs, plan.pairs // _BATCHES):
        batch = []
        for number in range(first, first + plan.pairs // _BATCHES):
            one, other = sorted(random.choice(_ENTRIES, 2, replace=False).tolist())
            opening = int(random.integers(plan.openings))
            log, difference = f"opening {opening}", form[opening, one] - form[opening, other]
            if random.random() < plan.noise:
                log, difference = f"pair {number}", random.normal(scale=2 * 2**0.5)
            name = f"opening {opening}" if plan.openings > 1 else ""
            points = 1 + int(difference > _BY_OPENING) - int(difference < -_BY_OPENING)
            batch.append(PairPlayed(one + 1, other + 1, points, log, name))
        batches.append(batch)
    return batches


def league_coverage(plan: Pairs, leagues: int, random: np.random.Generator) -> Measured:
    """Return the share of bars that hold the true Elo in leagues; those without bars do not count."""
    held: tuple[list[bool], list[bool]] = ([], [])
    for _ in range(leagues):
        shown, plain = LeagueFit(), LeagueFit()
        for batch in play_league(plan, random):
            matches = [match for table, pair in enumerate(batch) for match in pair.matches(table)]
            sets = {(table, 0): pair.numbers(table) for table, pair in enumerate(batch)}
            shown.add(LeagueSums.of_matches(matches, sets=sets).to_bytes())
            plain.add(LeagueSums.of_matches(matches).to_bytes())
        for found, fit in zip(held, (shown, plain), strict=True):
            rows = (row for row in fit.fit([1]).rows if row.entry != 1 and row.ci95 is not None)
            found += [abs(row.elo) <= row.ci95 for row in rows if row.ci95 is not None]
    return Measured(*(float(np.mean(found)) if found else float("nan") for found in held))


@click.command(help="Print what repeated matches do to bars and to sequential tests of two equal bots.")
@click.argument("tournaments", type=click.IntRange(min=1), default=200)
def main(tournaments: int) -> None:
    """Print a line for each number of openings and share of noise."""
    click.echo(f"Two equal bots, 200 pairs of games from few openings, {tournaments} tournaments each; in %")
    click.echo("                    bars that hold the truth   tests of 0:50 Elo that accept 50")
    click.echo("  openings  noise  as shown  a pair a deal   as shown  a pair a deal")
    for openings in (1, 8, 15, 38, 200):
        for noise in (0.0, 0.2, 1.0):
            plan = Pairs(openings, 200, noise)
            held = coverage(plan, tournaments, np.random.default_rng(openings))
            wrong = wrong_verdicts(plan, tournaments, np.random.default_rng(openings))
            numbers = [f"{100 * value:.1f}" if value == value else "no bars" for value in (*held, *wrong)]
            click.echo(
                f"{openings:>10}  {noise:<5g}  {numbers[0]:>8}  {numbers[1]:>13}   {numbers[2]:>8}  {numbers[3]:>13}"
            )
    click.echo(f"Leagues of {_ENTRIES} equal bots, 600 pairs in {_BATCHES} batches, {tournaments} leagues each; in %")
    click.echo("                    bars that hold the truth")
    click.echo("  openings  noise  as shown  a pair a deal")
    for openings, noises in ((1, (1.0,)), (8, (0.0,)), (15, (0.0, 0.2)), (38, (0.0, 0.2)), (200, (0.0, 1.0))):
        for noise in noises:
            held = league_coverage(Pairs(openings, 600, noise), tournaments, np.random.default_rng(openings))
            numbers = [f"{100 * value:.1f}" if value == value else "no bars" for value in held]
            click.echo(f"{openings:>10}  {noise:<5g}  {numbers[0]:>8}  {numbers[1]:>13}")


if __name__ == "__main__":
    main()
