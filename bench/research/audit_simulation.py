"""Measure how often audits accuse honest bots, and how often colluding ones, in simulated tournaments.

    python -m bench.research.audit_simulation [TOURNAMENTS]      200 by default, some minutes

Bots of known strengths play, with luck of which a part comes with the deal as in `bench.research.interval_coverage`.
Two of them may collude: "flow", one lets the other pass wherever it stands better, now and then; "together", both are
stronger wherever they sit at one table. "group": so are all bots of an author wherever two of them do.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import click
import numpy as np

from arena.ratings.collusion import find_suspicions
from arena.ratings.keyed_sums import Floats
from arena.ratings.pair_effects import EffectKind
from arena.ratings.ranking import ELO_PER_NAT
from arena.ratings.tally import Tally
from arena.values.result import Result
from bench.research.interval_coverage import true_elo

_CLASS, _GROUP = 80, 5
"""Bots of a large field that meet seldom, and how many each author has."""


class Plot(NamedTuple):
    """What the first bots do beyond playing for themselves."""

    kind: EffectKind
    """What they do, as the audit calls it: "flow", "together" or "group"."""
    much: float
    """Of a "flow", in which part of the matches one lets the other pass; of others, how many Elo they gain."""
    size: int = 2
    """How many bots take part; more than two in a "group" only."""


class Alarms(NamedTuple):
    """How often the audit said that bots stood out."""

    honest: float
    """The part of the tournaments in which bots that did nothing stood out."""
    guilty: float
    """The part of the tournaments in which those that colluded stood out."""


def tournament(
    bots: int,
    size: int,
    deals: int,
    random: np.random.Generator,
    plot: Plot | None = None,
    *,
    elo: Floats | None = None,
    first_deal: int = 0,
) -> Iterator[Result]:
    """Yield the matches of a simulated tournament at tables of `size`, every deal in all rotations.

    Of luck's variance 0.3 come with the deal and seat, and 0.3 with the deal and bot.

    elo: of the bots; by default spread from 100 to -100.
    first_deal: the number of the first deal.
    """
    from scipy.special import ndtr

    names = [f"bot{number}" for number in range(bots)]
    seated = np.argsort(random.random((deals, bots)), axis=1)[:, :size]
    cards, style = random.standard_normal((2, deals, size))
    strength = (true_elo(bots) if elo is None else elo)[seated] / ELO_PER_NAT
    at = [(seated == bot) for bot in (0, 1)]
    both = at[0].any(axis=1) & at[1].any(axis=1)
    if plot is not None and plot.kind == "together":
        strength = strength + (at[0] | at[1]) * both[:, None] * plot.much / ELO_PER_NAT
    elif plot is not None and plot.kind == "group":
        members = seated < plot.size
        several = members.sum(axis=1, keepdims=True) > 1
        strength = strength + members * several * plot.much / ELO_PER_NAT
    for rotation in range(size):
        own = random.standard_normal((deals, size))
        luck = ndtr(0.3**0.5 * np.roll(cards, rotation, axis=1) + 0.3**0.5 * style + 0.4**0.5 * own)
        result = strength - np.log(-np.log(luck))
        if plot is not None and plot.kind == "flow":
            one, other = (np.where(both, where.argmax(axis=1), 0) for where in at)
            deal = np.arange(deals)
            passes = both & (result[deal, one] > result[deal, other]) & (random.random(deals) < plot.much)
            first, second = result[deal, one].copy(), result[deal, other].copy()
            result[deal[passes], one[passes]], result[deal[passes], other[passes]] = second[passes], first[passes]
        ranks = 1 + np.argsort(np.argsort(-result, axis=1), axis=1)
        for number, (table, places) in enumerate(zip(seated.tolist(), ranks.tolist(), strict=True)):
            table, places = table[rotation:] + table[:rotation], places[rotation:] + places[:rotation]
            scores = tuple(size - place for place in places)
            yield Result(first_deal + number, tuple(names[bot] for bot in table), tuple(places), scores)


def alarms(
    tournaments: Iterable[Iterable[Result]],
    guilty: frozenset[str] = frozenset(),
    authors: Mapping[str, str] | None = None,
) -> Alarms:
    """Return how often honest bots stood out, and how often the `guilty` did.

    Bots of a group are accused together.

    authors: as `find_suspicions` takes them.
    """
    accused = caught = count = 0
    for results in tournaments:
        found = [suspicion for suspicion in find_suspicions(Tally(results), authors) if suspicion.stands_out]
        pairs = [set(suspicion.members or (suspicion.one, suspicion.other)) for suspicion in found]
        accused += any(pair != guilty for pair in pairs)
        caught += guilty in pairs
        count += 1
    return Alarms(accused / count, caught / count)


@click.command(help="Print how often audits accuse honest bots, and find two who collude.")
@click.argument("tournaments", type=click.IntRange(min=1), default=200)
def main(tournaments: int) -> None:
    """Print a line per field and way of colluding."""
    click.echo(f"{tournaments} tournaments each; in how many of 100 something stood out")
    click.echo(" bots  seats  deals  colluding         honest  guilty")
    plots = (None, Plot("flow", 0.3), Plot("together", 50.0))
    for bots, size, deals in ((3, 3, 200), (4, 4, 200), (6, 4, 200), (6, 6, 200), (8, 4, 400), (15, 15, 50)):
        for plot in plots:
            if plot is None or plot.kind == "flow" or bots > size:
                random = np.random.default_rng(bots)
                guilty = frozenset(("bot0", "bot1")) if plot else frozenset[str]()
                found = alarms((tournament(bots, size, deals, random, plot) for _ in range(tournaments)), guilty)
                what = f"{plot.kind} {plot.much:g}" if plot else "-"
                caught = f"{100 * found.guilty:>6.1f}" if plot else "     -"
                click.echo(f"{bots:>5}  {size:>5}  {deals:>5}  {what:<16}  {100 * found.honest:>6.1f}  {caught}")
    click.echo("\n80 bots at tables of 6, each author with 5 bots; the first author's help each other")
    click.echo("rounds  deals  Elo gained  honest  guilty")
    authors = {f"bot{number}": f"author{number // _GROUP}" for number in range(_CLASS)}
    for rounds in (20, 40):
        for gain in (0.0, 100.0, 200.0):
            random = np.random.default_rng(rounds)
            plot, deals = Plot("group", gain, _GROUP), rounds * (_CLASS // 6)
            guilty = frozenset(f"bot{number}" for number in range(_GROUP)) if gain else frozenset[str]()
            found = alarms((tournament(_CLASS, 6, deals, random, plot) for _ in range(tournaments)), guilty, authors)
            caught = f"{100 * found.guilty:>6.1f}" if gain else "     -"
            click.echo(f"{rounds:>6}  {deals:>5}  {gain:>10g}  {100 * found.honest:>6.1f}  {caught}")


if __name__ == "__main__":
    main()
