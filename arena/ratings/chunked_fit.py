"""Fit in chunks: errors clustered by other deals than the comparisons, with the matches read chunk by chunk.

The strengths follow from all comparisons together, whatever their deals. Their covariance depends on what counts as
one experiment: the same comparisons are read again, with other deals as clusters, one chunk in memory at a time.
"""

from collections.abc import Callable, Iterable

import numpy as np

from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.lineup import Lineup
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
from arena.values.result import Result


def solve_in_chunks(totals: Totals, chunks: Callable[[], Iterable[Iterable[Result]]]) -> Solution:
    """Fit a tally, with the covariance clustered by other deals.

    totals: of all comparisons.
    chunks: yields the matches with the other deals, in chunks that share no deal.
    """
    comparisons = build_comparisons(totals)
    teams = len(totals.lineup.teams)
    met_keys = np.unique(totals.pairs.first * teams + totals.pairs.second)

    def meat(expected: Floats) -> tuple[Floats, Ints]:
        bots = len(totals.lineup.bots)
        products, deals = np.zeros((bots, bots)), np.zeros(bots, np.int64)
        for results in chunks():
            chunk = _renumber(Tally(results).totals(), totals.lineup)
            pairs = chunk.pairs
            of_pair = np.searchsorted(met_keys, pairs.first * teams + pairs.second)
            chunk_comparisons = Comparisons(
                comparisons.rows, comparisons.points, comparisons.counts, comparisons.ties, of_pair
            )
            chunk_products, chunk_deals = compute_meat(
                chunk, chunk_comparisons, pairs.points / 2 - pairs.count * expected[of_pair]
            )
            products, deals = products + chunk_products, deals + chunk_deals
        return products, deals

    return solve_comparisons(comparisons, np.zeros(len(comparisons.counts)), meat)


def _renumber(totals: Totals, lineup: Lineup) -> DealSums:
    """Return totals with the numbers of a larger lineup; both are sorted, so the order of the sums stays valid."""
    team = _positions(totals.lineup.teams, lineup.teams)
    bot = _positions(totals.lineup.bots, lineup.bots)
    pairs, sittings = totals.pairs, totals.sittings
    return DealSums(
        lineup,
        PairSums(pairs.deal, team[pairs.first], team[pairs.second], pairs.points, pairs.count, pairs.ties),
        BotSums(sittings.deal, bot[sittings.bot], sittings.count, sittings.score),
    )


def _positions(names: Iterable[object], among: Iterable[object]) -> Ints:
    number = {name: place for place, name in enumerate(among)}
    return np.array([number[name] for name in names], np.int64)
