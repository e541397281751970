"""Who did how against whom, and in which seat."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings.result import Result
from arena.ratings.sums import Floats, Ints
from arena.ratings.totals import Totals


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Points of each bot (row) against each other (column): 1 for a better rank, a half for a tie; and the meetings.

    Rows and columns are in the order of `bots`. With partners, a bot has its part of its team's points and meetings.
    """

    bots: tuple[str, ...]
    points: Floats
    meetings: Floats


def crosstable(totals: Totals, order: Sequence[str]) -> Crosstable:
    """Return the crosstable of a tally, with the bots in the order that is wanted."""
    pairs, shares = totals.pairs, totals.lineup.shares.toarray()
    teams = len(shares)
    points, meetings = np.zeros((teams, teams)), np.zeros((teams, teams))
    np.add.at(points, (pairs.first, pairs.second), pairs.points / 2)
    np.add.at(points, (pairs.second, pairs.first), pairs.count - pairs.points / 2)
    np.add.at(meetings, (pairs.first, pairs.second), pairs.count)
    places = [totals.lineup.bots.index(bot) for bot in order]
    chosen = np.ix_(places, places)
    return Crosstable(
        tuple(order),
        (shares.T @ points @ shares)[chosen],
        (shares.T @ (meetings + meetings.T) @ shares)[chosen],
    )


@dataclass(frozen=True, slots=True)
class BySeat:
    """What each bot (row) did in each seat (column): matches, mean score, mean place; NaN where it never sat."""

    bots: tuple[str, ...]
    matches: Ints
    score: Floats
    place: Floats


def by_seat(results: Iterable[Result], order: Sequence[str], scale: float = 1) -> BySeat:
    """Return what each bot did in each seat (of its team, where there are teams), the bots in the order wanted.

    scale: how many points of a score make one of the unit in which it is told.
    """
    row = {bot: place for place, bot in enumerate(order)}
    sums: list[list[list[float]]] = [[] for _ in order]  # by bot and seat: matches, scores, places
    for result in results:
        for seat, (team, rank, score) in enumerate(zip(result.teams, result.ranks, result.scores, strict=True)):
            place = rank + (result.ranks.count(rank) - 1) / 2
            for bot in {team} if isinstance(team, str) else set(team):
                mine = sums[row[bot]]
                while len(mine) <= seat:
                    mine.append([0.0, 0.0, 0.0])
                mine[seat][0] += 1
                mine[seat][1] += score
                mine[seat][2] += place
    seats = max(map(len, sums), default=0)
    table = np.array([mine + [[0.0, 0.0, 0.0]] * (seats - len(mine)) for mine in sums]).reshape(len(order), seats, 3)
    matches = table[:, :, 0]
    with np.errstate(invalid="ignore"):
        return BySeat(
            tuple(order), matches.astype(np.int64), table[:, :, 1] / matches / scale, table[:, :, 2] / matches
        )
