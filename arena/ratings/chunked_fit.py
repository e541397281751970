"""Fit in chunks: errors clustered by other deals than the comparisons, with the matches read chunk by chunk.

How strong everybody is follows from all comparisons together, wherever they were made. How sure that is depends on what
counts as one experiment; so the same comparisons are given again, each with the deal to which it then belongs, and only
a portion of them is in memory at a time.
"""

from collections.abc import Callable, Iterable

import numpy as np

from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.lineup import Lineup
from arena.ratings.result import Result
from arena.ratings.solver import (
    Comparisons,
    DealSums,
    Solution,
    build_comparisons,
    compute_meat,
    solve_comparisons,
)
from arena.ratings.tally import Tally
from arena.ratings.totals import BotSums, PairSums, Totals


def solve_in_chunks(totals: Totals, portions: Callable[[], Iterable[Iterable[Result]]]) -> Solution:
    """Fit a tally, with the covariance clustered by other deals.

    totals: of all comparisons. portions: yields the matches with the other deals, in chunks that share no deal.
    """
    comparisons = build_comparisons(totals)
    teams = len(totals.lineup.teams)
    met = np.unique(totals.pairs.first * teams + totals.pairs.second)

    def meat(chances: Floats) -> tuple[Floats, Ints]:
        bots = len(totals.lineup.bots)
        products, deals = np.zeros((bots, bots)), np.zeros(bots, np.int64)
        for results in portions():
            portion = _numbered(Tally(results).totals(), totals.lineup)
            pairs = portion.pairs
            of_pair = np.searchsorted(met, pairs.first * teams + pairs.second)
            of_it = Comparisons(comparisons.rows, comparisons.points, comparisons.counts, comparisons.ties, of_pair)
            more, met_in = compute_meat(portion, of_it, pairs.points / 2 - pairs.count * chances[of_pair])
            products, deals = products + more, deals + met_in
        return products, deals

    return solve_comparisons(comparisons, np.zeros(len(comparisons.counts)), meat)


def _numbered(found: Totals, lineup: Lineup) -> DealSums:
    """Return totals with the numbers of a larger lineup; both are sorted, so what is in order stays so."""
    team = _places(found.lineup.teams, lineup.teams)
    bot = _places(found.lineup.bots, lineup.bots)
    pairs, sittings = found.pairs, found.sittings
    return DealSums(
        lineup,
        PairSums(pairs.deal, team[pairs.first], team[pairs.second], pairs.points, pairs.count, pairs.ties),
        BotSums(sittings.deal, bot[sittings.bot], sittings.count, sittings.score),
    )


def _places(names: Iterable[object], among: Iterable[object]) -> Ints:
    number = {name: place for place, name in enumerate(among)}
    return np.array([number[name] for name in names], np.int64)
