"""Strengths with their covariance, clustered by deal.

The matches of one deal share its luck, and the comparisons of one match share all, so neither are independent. Deals
are: the residuals (points minus expected points) are summed per deal, and the variance of these sums gives the
covariance (the sandwich estimator: White 1980, Liang and Zeger 1986).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.bradley_terry import expected_scores, fit_strengths, information_matrix
from arena.ratings.connectivity import Connectivity, analyse_connectivity
from arena.ratings.keyed_sums import Bools, Floats, Ints
from arena.ratings.lineup import Lineup
from arena.ratings.totals import BotSums, PairSums, Totals

_CHUNK = 1 << 21
"""Products of residuals in memory at a time."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The joint fit of a field; one entry, row or column per bot, in nats."""

    strengths: Floats
    """The strength of each bot, with mean 0 over the reference of each group."""
    covariance: Floats
    """The covariance of the strengths, clustered by deal."""
    naive: Floats
    """The covariance if all comparisons were independent and the model exact."""
    deals: Ints
    """The number of deals in which each bot met another."""
    connectivity: Connectivity
    offset: Floats
    """The offset of an anchored scale, in Elo."""
    tie: float | None = None
    """Davidson's tie parameter, if fitted: two equal bots tie in tie / (2 + tie) of their matches."""


class ComparisonData(Protocol):
    """The data of comparisons: a tally's totals, or sums of deals of a kind."""

    @property
    def lineup(self) -> Lineup:
        """The teams, and the share of each bot in them."""

    @property
    def pairs(self) -> PairSums:
        """Comparisons per deal and pair of teams."""

    @property
    def sittings(self) -> BotSums:
        """Results per deal and bot."""


@dataclass(frozen=True, slots=True)
class DealSums:
    """The minimal implementation of `ComparisonData`."""

    lineup: Lineup
    pairs: PairSums
    sittings: BotSums


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The comparisons of teams summed over all deals: one row for each pair of teams that met.

    rows, points, counts: as `analyse_connectivity` takes them.
    """

    rows: csr_array
    points: Floats
    counts: Floats
    ties: Floats
    """The number of ties in each row."""
    of_pair: Ints
    """The row of each pair of the tally."""


def solve(totals: Totals, luck: Floats | None = None) -> Solution:
    """Fit all comparisons together.

    luck: for each pair of the tally, the points that the first team is estimated to owe to luck, which are subtracted;
        their mean over all deals must be 0. None: none.
    """
    comparisons = build_comparisons(totals)
    pair_luck = np.zeros(len(totals.pairs.deal)) if luck is None else luck

    def meat(expected: Floats) -> tuple[Floats, Ints]:
        return compute_meat(totals, comparisons, pair_residuals(totals, comparisons, expected) - pair_luck)

    comparison_luck = np.bincount(comparisons.of_pair, pair_luck, len(comparisons.counts)).astype(np.float64)
    return solve_comparisons(comparisons, comparison_luck, meat)


Meat = Callable[[Floats], tuple[Floats, Ints]]
"""Computes the inner matrix of the sandwich estimator, given the expected score of the first team in each comparison.

Returns the sum over deals of the products of every two bots' residuals (bots x bots), and the number of deals in which
each bot met another."""


def solve_comparisons(comparisons: Comparisons, luck: Floats, meat: Meat) -> Solution:
    """Fit comparisons.

    luck: the points that are subtracted from each comparison, as in `solve`.
    """
    rows, counts = comparisons.rows, comparisons.counts
    connectivity = analyse_connectivity(rows, comparisons.points, counts)
    # Between strong components all points went one way and the difference is infinite. One more tie between each two
    # teams that met gives the lower (">") or upper bound ("<") that is shown; Ordo does alike.
    extra = connectivity.open_ended.astype(float)
    points = comparisons.points - luck
    strengths = fit_strengths(rows, points + extra / 2, counts + extra, connectivity.null)

    null = connectivity.null
    bread = centre_rows(connectivity, np.linalg.inv(information_matrix(strengths, rows, counts + extra, null)) - null)
    products, deals = meat(expected_scores(strengths, rows))
    # Bessel's correction: n deals have n - 1 degrees of freedom.
    correction = np.sqrt(deals / np.maximum(deals - 1, 1))
    covariance = bread @ products @ bread.T * np.outer(correction, correction)
    naive = centre_rows(connectivity, bread.T).T
    return Solution(centre_rows(connectivity, strengths), covariance, naive, deals, connectivity, np.zeros(len(deals)))


def centre_rows(connectivity: Connectivity, values: Floats) -> Floats:
    """Shift the mean over the reference of each group to 0.

    values: one for each bot, or a row for each: then every column is shifted by itself.
    """
    group, members = connectivity.group, np.flatnonzero(connectivity.reference)
    groups = int(group.max(initial=-1)) + 1
    sizes = np.bincount(group[members], minlength=groups)
    shares = csr_array((1 / sizes[group[members]], (group[members], members)), (groups, len(group)))
    return np.subtract(values, np.asarray(shares @ values, np.float64)[group])


def build_comparisons(totals: ComparisonData) -> Comparisons:
    """Return the distinct comparisons of a tally."""
    pairs, shares = totals.pairs, totals.lineup.shares
    teams = shares.shape[0]
    met, of_pair = _distinct(pairs.first * teams + pairs.second, teams * teams)
    rows = shares[met // max(teams, 1)] - shares[met % max(teams, 1)]
    rows.eliminate_zeros()  # of bots in both teams
    columns = (pairs.points / 2, pairs.count, pairs.ties)
    points, counts, ties = (np.bincount(of_pair, column, len(met)).astype(np.float64) for column in columns)
    return Comparisons(csr_array(rows), points, counts, ties, of_pair)


def _distinct(keys: Ints, bound: int) -> tuple[Ints, Ints]:
    """Return the distinct keys, which are below `bound`, and the position of each key among them."""
    if bound > max(_CHUNK, len(keys)):
        return np.unique(keys, return_inverse=True)
    distinct = np.flatnonzero(np.bincount(keys, minlength=bound))
    position = np.empty(bound, np.int64)  # counting instead of sorting
    position[distinct] = np.arange(len(distinct))
    return distinct, position[keys]


def pair_residuals(totals: Totals, comparisons: Comparisons, expected: Floats) -> Floats:
    """Return the points minus the expected points of the first team in each pair of the tally."""
    pairs = totals.pairs
    residuals: Floats = pairs.points / 2 - pairs.count * expected[comparisons.of_pair]
    return residuals


def sum_by_bot(totals: ComparisonData, comparisons: Comparisons, values: Floats) -> tuple[Floats, Bools]:
    """Sum values of pairs by deal and bot, as in `sittings`; return also whether the bot met another in the deal."""
    pairs, sittings, bots = totals.pairs, totals.sittings, len(totals.lineup.bots)
    rows = comparisons.rows[comparisons.of_pair]
    sizes = np.diff(rows.indptr)
    keys = sittings.deal * bots + sittings.bot
    position = np.searchsorted(keys, np.repeat(pairs.deal, sizes) * bots + rows.indices)
    met = np.zeros(len(keys), np.bool_)
    met[position] = True
    sums: Floats = np.bincount(position, rows.data * np.repeat(values, sizes), len(keys)).astype(np.float64)
    return sums, met


def compute_meat(totals: ComparisonData, comparisons: Comparisons, residuals: Floats) -> tuple[Floats, Ints]:
    """Return the sum over deals of the products of every two bots' residuals, and per bot its deals with another."""
    sittings, bots = totals.sittings, len(totals.lineup.bots)
    residual, met = sum_by_bot(totals, comparisons, residuals)

    meat = np.zeros(bots * bots)
    for rows in group_by_size(sittings.deal):
        bot, value = sittings.bot[rows], residual[rows]
        cells = bot[:, :, None] * bots + bot[:, None, :]
        meat += np.bincount(cells.ravel(), (value[:, :, None] * value[:, None, :]).ravel(), bots * bots)
    return meat.reshape(bots, bots), np.bincount(sittings.bot[met], minlength=bots)


def group_by_size(deals: Ints) -> Iterator[Ints]:
    """Yield the positions of entries, a row for each deal; deals with equally many entries come together.

    deals: of each entry; the entries of a deal are contiguous. The size of each array is limited by `_CHUNK`.
    """
    starts = np.flatnonzero(np.diff(deals, prepend=-1))
    sizes = np.diff(starts, append=len(deals))
    for size in np.unique(sizes):
        step = max(1, _CHUNK // int(size * size))
        of_size = starts[sizes == size]
        for chunk in range(0, len(of_size), step):
            yield of_size[chunk : chunk + step, None] + np.arange(size)
