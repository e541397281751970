"""Crosstable: results by opponent, and results by seat."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.totals import Totals


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Points and meetings of each bot (row) against each other (column); a better rank is 1 point, a tie a half.

    Rows and columns are in the order of `bots`. With partners, a bot has its share of its team's points and meetings.
    """

    bots: tuple[str, ...]
    points: Floats
    meetings: Floats


def build_crosstable(totals: Totals, order: Sequence[str]) -> Crosstable:
    """Return the crosstable of a tally.

    order: that of the bots.
    """
    pairs, shares = totals.pairs, totals.lineup.shares.toarray()
    teams = len(shares)
    cell, size = pairs.first * teams + pairs.second, teams * teams
    doubled, meetings = (
        np.bincount(cell, column, size).reshape(teams, teams) for column in (pairs.points, pairs.count)
    )
    points = doubled / 2 + (meetings - doubled / 2).T
    numbers = [totals.lineup.bots.index(bot) for bot in order]
    selection = np.ix_(numbers, numbers)
    return Crosstable(
        tuple(order),
        (shares.T @ points @ shares)[selection],
        (shares.T @ (meetings + meetings.T) @ shares)[selection],
    )


@dataclass(frozen=True, slots=True)
class SeatResults:
    """Matches, mean score and mean place of each bot (row) in each seat (column); NaN if it never held the seat."""

    bots: tuple[str, ...]
    matches: Ints
    score: Floats
    place: Floats


def seat_results(totals: Totals, order: Sequence[str], scale: float = 1) -> SeatResults:
    """Return the results of each bot in each seat (of its team, if there are teams).

    order: that of the bots.
    scale: points of the score per displayed unit.
    """
    seats, bots = totals.seats, totals.lineup.bots
    shape = len(bots), int(seats.seat.max(initial=-1)) + 1
    cell = seats.bot * shape[1] + seats.seat
    numbers = [bots.index(bot) for bot in order]
    matches, score, place = (
        np.bincount(cell, column, shape[0] * shape[1]).reshape(shape)[numbers]
        for column in (seats.count, seats.score, seats.place)
    )
    with np.errstate(invalid="ignore"):
        return SeatResults(tuple(order), matches.astype(np.int64), score / matches / scale, place / 2 / matches)
