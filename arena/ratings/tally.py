"""Results of matches, added up per deal and pair of bots as they come."""

from collections.abc import Iterable
from itertools import chain, combinations

import numpy as np

from arena.ratings.result import Result
from arena.ratings.sums import Ints, Sums
from arena.ratings.totals import BITS, Totals, totals

_BLOCK = 1 << 14
"""Matches of one table size that are added up together."""

_DEALS = 1 << 31


class Tally:
    """Results added up. What it keeps grows with the deals and the pairs that met in each, not with the matches."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._codes: dict[str, int] = {}
        self._waiting: dict[int, list[Result]] = {}
        self._pairs = Sums(2)
        self._sittings = Sums(2)
        self._places = Sums(2)
        self._matches = Sums(1)
        self._played = 0
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Add one match.

        Raises ValueError for a result that cannot be one: fewer than two seats, ranks or scores
        that are not one per seat, a deal out of range.
        """
        deal, bots, ranks, scores = result
        seats = len(bots)
        if not 2 <= seats == len(ranks) == len(scores):
            raise ValueError(
                "a result needs two seats or more, with one rank and one score each, "
                f"not {seats} bots, {len(ranks)} ranks, {len(scores)} scores"
            )
        if not 0 <= deal < _DEALS:
            raise ValueError(f"the number of a deal is from 0 to {_DEALS - 1}, not {deal}")
        waiting = self._waiting.setdefault(seats, [])
        waiting.append(result)
        self._played += 1
        if len(waiting) == _BLOCK:
            self._add_block(seats)

    def _add_block(self, seats: int) -> None:
        """Move the waiting matches with this many seats into the sums."""
        waiting = self._waiting.pop(seats)
        deals = _column((result.deal,) for result in waiting)
        bots = self._numbers([bot for result in waiting for bot in result.bots]).reshape(-1, seats)
        ranks = _column(result.ranks for result in waiting).reshape(-1, seats)
        scores = _column(result.scores for result in waiting).reshape(-1, seats)
        # Twice the place: 2 for the first, 2 more for each better seat, 1 for each equal one.
        places = np.full(bots.shape, 2)
        for one, other in combinations(range(seats), 2):
            points = 1 + np.sign(ranks[:, other] - ranks[:, one])
            places[:, one] += 2 - points
            places[:, other] += points
            # Copies of one bot share its place in the ranking, so their comparison says nothing.
            met = bots[:, one] != bots[:, other]
            first, second = bots[met, one], bots[met, other]
            swapped = first > second
            low, high = np.where(swapped, second, first), np.where(swapped, first, second)
            points = np.where(swapped, 2 - points[met], points[met])
            self._pairs.add((deals[met] << BITS | low) << BITS | high, points, np.ones_like(points))
        each = np.ones(bots.size, np.int64)
        self._sittings.add((deals[:, None] << BITS | bots).ravel(), each, scores.ravel())
        self._places.add((bots << BITS | seats).ravel(), each, places.ravel())
        present = np.sort(bots, axis=1)
        present = present[np.diff(present, axis=1, prepend=-1) != 0]
        self._matches.add(present, np.ones_like(present))

    def _numbers(self, bots: list[str]) -> Ints:
        codes = self._codes
        for bot in dict.fromkeys(bots):
            codes.setdefault(bot, len(codes))
        if len(codes) > 1 << BITS:
            raise ValueError(f"at most {1 << BITS} bots can be rated together")
        return np.fromiter(map(codes.__getitem__, bots), np.int64)

    def totals(self) -> Totals:
        """Return all that was added so far; adding may go on afterwards."""
        for seats in list(self._waiting):
            self._add_block(seats)
        return totals(self._codes, self._played, self._matches, self._pairs, self._sittings, self._places)


def _column(values: Iterable[Iterable[int]]) -> Ints:
    return np.fromiter(chain.from_iterable(values), np.int64)
