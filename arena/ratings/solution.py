"""Strengths with their covariance, clustered by deal.

The matches of one deal share its luck, and the comparisons inside one match share everything; so
neither counts as independent. What a deal says as a whole does: the residuals (points made less
points expected) are summed per deal, and the spread of these sums gives the covariance (the
"sandwich": White 1980, Liang and Zeger 1986).
"""

from dataclasses import dataclass

import numpy as np

from arena.ratings.connection import Connection, connect
from arena.ratings.strength import expected, information, strengths
from arena.ratings.sums import Floats, Ints
from arena.ratings.totals import Pairs, Totals

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
    connection: Connection


def solve(totals: Totals) -> Solution:
    """Fit all comparisons together."""
    pairs, bots = totals.pairs, len(totals.bots)
    points, counts = _tables(pairs, bots)
    connection = connect(points, counts)
    same = (connection.group[:, None] == connection.group).astype(float)
    same /= same.sum(axis=1)
    # Between circles all points went one way and the difference is infinite. One more comparison of each pair that
    # met, and it a tie, makes it the least (">") or most ("<") that the results allow; Ordo does alike.
    open_ended = (counts > 0) & ~connection.circle
    fitted = strengths(points + open_ended / 2, counts + open_ended, same)

    # Elo 0 is the mean of the reference: a weighted mean of the group's members is taken off each of them.
    share = (connection.group[:, None] == connection.group) * connection.reference.astype(float)
    centre = np.eye(bots) - share / np.maximum(share.sum(axis=1, keepdims=True), 1)
    bread = centre @ (np.linalg.inv(information(fitted, counts + open_ended, same)) - same)
    meat, deals = _meat(totals, expected(fitted))
    # As for any variance of a few values, n - 1 of the n deals are free.
    correction = np.sqrt(deals / np.maximum(deals - 1, 1))
    covariance = bread @ meat @ bread.T * np.outer(correction, correction)
    return Solution(centre @ fitted, covariance, bread @ centre.T, deals, connection)


def _tables(pairs: Pairs, bots: int) -> tuple[Floats, Floats]:
    """Return points and counts of each bot (row) against each other, over all deals."""
    cell = pairs.first * bots + pairs.second
    won, lost, count = (
        np.bincount(cell, twice, bots * bots).reshape(bots, bots) / 2
        for twice in (pairs.points, 2 * pairs.count - pairs.points, 2 * pairs.count)
    )
    return won + lost.T, count + count.T


def _meat(totals: Totals, chances: Floats) -> tuple[Floats, Ints]:
    """Return the sum over deals of the products of every two bots' residuals, and the deals each bot met another in."""
    pairs, sittings, bots = totals.pairs, totals.sittings, len(totals.bots)
    surplus = pairs.points / 2 - pairs.count * chances[pairs.first, pairs.second]
    seats = sittings.deal * bots + sittings.bot
    first = np.searchsorted(seats, pairs.deal * bots + pairs.first)
    second = np.searchsorted(seats, pairs.deal * bots + pairs.second)
    residual = np.bincount(first, surplus, len(seats)) - np.bincount(second, surplus, len(seats))
    met = np.zeros(len(seats), np.bool_)
    met[first] = met[second] = True

    meat = np.zeros(bots * bots)
    starts = np.flatnonzero(np.diff(sittings.deal, prepend=-1))
    sizes = np.diff(starts, append=len(seats))
    for size in np.unique(sizes):
        step = max(1, _CHUNK // int(size * size))
        of_size = starts[sizes == size]
        for chunk in range(0, len(of_size), step):
            rows = of_size[chunk : chunk + step, None] + np.arange(size)
            bot, value = sittings.bot[rows], residual[rows]
            cells = bot[:, :, None] * bots + bot[:, None, :]
            meat += np.bincount(cells.ravel(), (value[:, :, None] * value[:, None, :]).ravel(), bots * bots)
    return meat.reshape(bots, bots), np.bincount(sittings.bot[met], minlength=bots)
