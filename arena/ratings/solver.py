"""Strengths with their covariance, clustered by deal.

The matches of one deal share its luck, and the comparisons inside one match share everything; so
neither counts as independent. What a deal says as a whole does: the residuals (points made less
points expected) are summed per deal, and the spread of these sums gives the covariance (the
"sandwich": White 1980, Liang and Zeger 1986).
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
"""Products of residuals held at once."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The joint fit of a field; one entry, row or column per bot, in nats."""

    strengths: Floats
    """With mean 0 over the reference of each group."""
    covariance: Floats
    """Clustered by deal."""
    naive: Floats
    """What the covariance would be, were all comparisons independent and the model exact."""
    deals: Ints
    """In how many deals a bot met another."""
    connection: Connectivity
    offset: Floats
    """What an anchor adds, in Elo."""
    tie: float | None = None
    """Davidson's parameter, where ties have one: two equal bots tie in tie / (2 + tie) of their matches."""


class ComparisonData(Protocol):
    """What is compared: a tally's totals, or deals of which like ones are one."""

    @property
    def lineup(self) -> Lineup:
        """The teams, and the share of each bot in them."""

    @property
    def pairs(self) -> PairSums:
        """Comparisons per deal and pair of teams."""

    @property
    def sittings(self) -> BotSums:
        """Who sat in which deal."""


@dataclass(frozen=True, slots=True)
class DealSums:
    """What `ComparisonData` asks for, and no more."""

    lineup: Lineup
    pairs: PairSums
    sittings: BotSums


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The comparisons of teams summed over all deals: one row for each pair of teams that met.

    rows, points, counts: as `analyse_connectivity` takes them. ties: how many of the comparisons were ties.
    """

    rows: csr_array
    points: Floats
    counts: Floats
    ties: Floats
    of_pair: Ints
    """For each of the tally's pairs, its row."""


def solve(totals: Totals, luck: Floats | None = None) -> Solution:
    """Fit all comparisons together.

    luck: for each of the tally's pairs, the points that the first is thought to owe to luck, which are taken away; over
        all deals they must be 0 on average. None of them without it.
    """
    comparisons = build_comparisons(totals)
    owed = np.zeros(len(totals.pairs.deal)) if luck is None else luck

    def meat(chances: Floats) -> tuple[Floats, Ints]:
        return compute_meat(totals, comparisons, pair_residuals(totals, comparisons, chances) - owed)

    taken = np.bincount(comparisons.of_pair, owed, len(comparisons.counts)).astype(np.float64)
    return solve_comparisons(comparisons, taken, meat)


Meat = Callable[[Floats], tuple[Floats, Ints]]
"""Computes the inner matrix of the sandwich estimator, given the expected score of the first team in each comparison.

Returns the sum over deals of the products of every two bots' residuals (bots x bots), and the number of deals in which
each bot met another."""


def solve_comparisons(comparisons: Comparisons, owed: Floats, meat: Meat) -> Solution:
    """Fit comparisons. owed: the points of each that are taken away, as in `solve`."""
    rows, counts = comparisons.rows, comparisons.counts
    connection = analyse_connectivity(rows, comparisons.points, counts)
    # Between circles all points went one way and the difference is infinite. One more comparison of each two teams that
    # met, and it a tie, makes it the least (">") or most ("<") that the results allow; Ordo does alike.
    more = connection.open_ended.astype(float)
    points = comparisons.points - owed
    fitted = fit_strengths(rows, points + more / 2, counts + more, connection.null)

    centre = centring_matrix(connection)
    null = connection.null
    bread = centre @ (np.linalg.inv(information_matrix(fitted, rows, counts + more, null)) - null)
    products, deals = meat(expected_scores(fitted, rows))
    # As for any variance of a few values, n - 1 of the n deals are free.
    correction = np.sqrt(deals / np.maximum(deals - 1, 1))
    covariance = bread @ products @ bread.T * np.outer(correction, correction)
    return Solution(centre @ fitted, covariance, bread @ centre.T, deals, connection, np.zeros(len(deals)))


def centring_matrix(connection: Connectivity) -> Floats:
    """Return the matrix that makes Elo 0 the mean of the reference of each group."""
    share = (connection.group[:, None] == connection.group) * connection.reference.astype(float)
    centre: Floats = np.eye(len(share)) - share / np.maximum(share.sum(axis=1, keepdims=True), 1)
    return centre


def build_comparisons(totals: ComparisonData) -> Comparisons:
    """Return the comparisons of a tally, no two alike."""
    pairs, shares = totals.pairs, totals.lineup.shares
    teams = shares.shape[0]
    met, of_pair = _distinct(pairs.first * teams + pairs.second, teams * teams)
    rows = shares[met // max(teams, 1)] - shares[met % max(teams, 1)]
    rows.eliminate_zeros()  # of partners whom both teams have
    sums = [np.bincount(of_pair, each, len(met)) for each in (pairs.points / 2, pairs.count, pairs.ties)]
    points, counts, ties = (np.asarray(each, np.float64) for each in sums)
    return Comparisons(csr_array(rows), points, counts, ties, of_pair)


def _distinct(keys: Ints, bound: int) -> tuple[Ints, Ints]:
    """Return the distinct keys, which are below `bound`, and the place of each key among them."""
    if bound > max(_CHUNK, len(keys)):
        return np.unique(keys, return_inverse=True)
    met = np.flatnonzero(np.bincount(keys, minlength=bound))
    place = np.empty(bound, np.int64)  # counting instead of sorting
    place[met] = np.arange(len(met))
    return met, place[keys]


def pair_residuals(totals: Totals, comparisons: Comparisons, chances: Floats) -> Floats:
    """Return the points made less the points expected of the first team in each of the tally's pairs."""
    pairs = totals.pairs
    made: Floats = pairs.points / 2 - pairs.count * chances[comparisons.of_pair]
    return made


def sum_by_bot(totals: ComparisonData, comparisons: Comparisons, values: Floats) -> tuple[Floats, Bools]:
    """Return the sums over each sitting (deal and bot) of values of the pairs, and whether it met another bot there."""
    pairs, sittings, bots = totals.pairs, totals.sittings, len(totals.lineup.bots)
    shared = comparisons.rows[comparisons.of_pair]
    sizes = np.diff(shared.indptr)
    seats = sittings.deal * bots + sittings.bot
    seat = np.searchsorted(seats, np.repeat(pairs.deal, sizes) * bots + shared.indices)
    met = np.zeros(len(seats), np.bool_)
    met[seat] = True
    sums: Floats = np.bincount(seat, shared.data * np.repeat(values, sizes), len(seats)).astype(np.float64)
    return sums, met


def compute_meat(totals: ComparisonData, comparisons: Comparisons, residuals: Floats) -> tuple[Floats, Ints]:
    """Return the sum over deals of the products of every two bots' residuals, and the deals each bot met another in."""
    sittings, bots = totals.sittings, len(totals.lineup.bots)
    residual, met = sum_by_bot(totals, comparisons, residuals)

    meat = np.zeros(bots * bots)
    for rows in group_by_size(sittings.deal):
        bot, value = sittings.bot[rows], residual[rows]
        cells = bot[:, :, None] * bots + bot[:, None, :]
        meat += np.bincount(cells.ravel(), (value[:, :, None] * value[:, None, :]).ravel(), bots * bots)
    return meat.reshape(bots, bots), np.bincount(sittings.bot[met], minlength=bots)


def group_by_size(deals: Ints) -> Iterator[Ints]:
    """Yield the places of the entries of deals, a row for each deal, deals with equally many entries together.

    deals: of each entry, those of one deal together. So many are yielded at once as can be multiplied in little memory.
    """
    starts = np.flatnonzero(np.diff(deals, prepend=-1))
    sizes = np.diff(starts, append=len(deals))
    for size in np.unique(sizes):
        step = max(1, _CHUNK // int(size * size))
        of_size = starts[sizes == size]
        for chunk in range(0, len(of_size), step):
            yield of_size[chunk : chunk + step, None] + np.arange(size)
