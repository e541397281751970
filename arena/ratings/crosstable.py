"""Crosstable: results by opponent, and results by seat."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings.keyed_sums import Floats, Ints
from arena.ratings.totals import Totals


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Points of each bot (row) against each other (column): 1 for a better rank, a half for a tie; and the meetings.

    Rows and columns are in the order of `bots`. With partners, a bot has its part of its team's points and meetings.
    """

    bots: tuple[str, ...]
    points: Floats
    meetings: Floats


def build_crosstable(totals: Totals, order: Sequence[str]) -> Crosstable:
    """Return the crosstable of a tally, with the bots in the order that is wanted."""
    pairs, shares = totals.pairs, totals.lineup.shares.toarray()
    teams = len(shares)
    cell, size = pairs.first * teams + pairs.second, teams * teams
    won, meetings = (np.bincount(cell, each, size).reshape(teams, teams) for each in (pairs.points, pairs.count))
    points = won / 2 + (meetings - won / 2).T
    places = [totals.lineup.bots.index(bot) for bot in order]
    chosen = np.ix_(places, places)
    return Crosstable(
        tuple(order),
        (shares.T @ points @ shares)[chosen],
        (shares.T @ (meetings + meetings.T) @ shares)[chosen],
    )


@dataclass(frozen=True, slots=True)
class SeatResults:
    """What each bot (row) did in each seat (column): matches, mean score, mean place; NaN where it never sat."""

    bots: tuple[str, ...]
    matches: Ints
    score: Floats
    place: Floats


def seat_results(totals: Totals, order: Sequence[str], scale: float = 1) -> SeatResults:
    """Return what each bot did in each seat (of its team, where there are teams), the bots in the order wanted.

    scale: how many points of a score make one of the unit in which it is told.
    """
    seats, bots = totals.seats, totals.lineup.bots
    shape = len(bots), int(seats.seat.max(initial=-1)) + 1
    cell = seats.bot * shape[1] + seats.seat
    chosen = [bots.index(bot) for bot in order]
    matches, score, place = (
        np.bincount(cell, each, shape[0] * shape[1]).reshape(shape)[chosen]
        for each in (seats.count, seats.score, seats.place)
    )
    with np.errstate(invalid="ignore"):
        return SeatResults(tuple(order), matches.astype(np.int64), score / matches / scale, place / 2 / matches)
