"""Results of matches, added up per deal and pair of teams as they come."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np

from arena.ratings.integer_columns import join_keys, split_keys
from arena.ratings.keyed_sums import Ints, KeyedSums
from arena.ratings.lineup import BITS, LineupBuilder
from arena.ratings.result import Result
from arena.ratings.totals import Totals, build_totals

_BLOCK = 1 << 14
"""Matches of one table size that are added up together."""

_DEALS = 1 << 31

_MASK = (1 << BITS) - 1


class Tally:
    """Results added up. What it keeps grows with the deals and the pairs that met in each, not with the matches."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._entries = LineupBuilder()
        self._waiting: dict[int, list[Result]] = {}
        self._pairs = KeyedSums(3)
        self._sittings = KeyedSums(2)
        self._places = KeyedSums(2)
        self._seats = KeyedSums(3)
        self._matches = KeyedSums(1)
        self._played = 0
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Add one match.

        Raises ValueError for a result that cannot be one: fewer than two teams, ranks or scores
        that are not one per team, a deal out of range.
        """
        deal, teams, ranks, scores = result
        size = len(teams)
        if not 2 <= size == len(ranks) == len(scores):
            raise ValueError(
                "a result needs two teams or more, with one rank and one score each, "
                f"not {size} teams, {len(ranks)} ranks, {len(scores)} scores"
            )
        if not 0 <= deal < _DEALS:
            raise ValueError(f"the number of a deal is from 0 to {_DEALS - 1}, not {deal}")
        waiting = self._waiting.setdefault(size, [])
        waiting.append(result)
        self._played += 1
        if len(waiting) == _BLOCK:
            self._add_block(size)

    def _add_block(self, size: int) -> None:
        """Move the waiting matches with this many teams into the sums."""
        waiting = self._waiting.pop(size)
        deals = _column((result.deal,) for result in waiting)
        teams = self._entries.numbers([team for result in waiting for team in result.teams]).reshape(-1, size)
        ranks = _column(result.ranks for result in waiting).reshape(-1, size)
        scores = _column(result.scores for result in waiting).reshape(-1, size)
        # Twice the place: 2 for the first, 2 more for each better team, 1 for each equal one.
        places = np.full(teams.shape, 2)
        for one, other in combinations(range(size), 2):
            points = 1 + np.sign(ranks[:, other] - ranks[:, one])
            places[:, one] += 2 - points
            places[:, other] += points
            # Copies of one bot share its place in the ranking, so their comparison says nothing; and so with teams.
            met = teams[:, one] != teams[:, other]
            first, second = teams[met, one], teams[met, other]
            swapped = first > second
            low, high = np.where(swapped, second, first), np.where(swapped, first, second)
            points = np.where(swapped, 2 - points[met], points[met])
            tied = (points == 1).astype(np.int64)
            self._pairs.add((deals[met] << BITS | low) << BITS | high, points, np.ones_like(points), tied)
        each = np.ones(teams.size, np.int64)
        self._sittings.add((deals[:, None] << BITS | teams).ravel(), each, scores.ravel())
        self._places.add((teams << BITS | size).ravel(), each, places.ravel())
        self._seats.add((teams << BITS | np.arange(size)).ravel(), each, scores.ravel(), places.ravel())
        present = self._entries.present(teams)
        self._matches.add(present, np.ones_like(present))

    def totals(self) -> Totals:
        """Return all that was added so far; adding may go on afterwards."""
        self._settle()
        return build_totals(
            self._entries, self._played, self._matches, self._pairs, self._sittings, self._places, self._seats
        )

    def state(self) -> tuple[dict[str, Any], list[Ints]]:
        """Return all that was added so far, as JSON values and columns that `absorb` takes; the teams in order."""
        self._settle()
        columns: list[Ints] = []
        for sums in self._sums():
            keys, values = sums.total()
            columns += [*split_keys(keys), *values]
        teams = self._entries.teams
        header = {"played": self._played, "teams": teams}
        if teams == sorted(teams):
            return header, columns
        ordered = Tally()
        ordered._entries.numbers(sorted(teams))
        ordered.absorb(header, columns)
        return ordered.state()

    def deals(self) -> list[int]:
        """Return the numbers of the deals so far, ascending."""
        self._settle()
        return [int(deal) for deal in np.unique(self._sittings.total()[0] >> BITS)]

    def take(self, other: "Tally", names: Mapping[str, str], deals: Sequence[int]) -> None:
        """Add all that another tally added, with other names for its bots and other numbers for its deals.

        names: no two bots get the same. deals: one for each of its deals, as `deals` returns them.
        """
        header, columns = other.state()
        renamed = [[names[bot] for bot in team] for team in header["teams"]]
        self.absorb({**header, "teams": renamed}, columns, dict(zip(other.deals(), deals, strict=True)))

    def absorb(
        self, header: Mapping[str, Any], columns: Sequence[Ints], deals: Mapping[int, int] | None = None
    ) -> None:
        """Add all that another tally added. deals: what the numbers of its deals become; without it they stay."""
        teams = self._entries.numbers([tuple(team) for team in header["teams"]])
        bots = self._entries.bots([bot for team in header["teams"] for bot in team])
        at = iter(columns)
        pairs, sittings, places, seats, matches = (
            (join_keys(next(at), next(at), next(at)), np.array([next(at) for _ in range(sums.columns)]))
            for sums in self._sums()
        )
        keys, (points, count, ties) = pairs
        one, other = teams[keys >> BITS & _MASK], teams[keys & _MASK]
        swapped = one > other
        low, high = np.where(swapped, other, one), np.where(swapped, one, other)
        keys = (_renumbered(keys >> 2 * BITS, deals) << BITS | low) << BITS | high
        self._pairs.add(keys, np.where(swapped, 2 * count - points, points), count, ties)
        keys, values = sittings
        self._sittings.add(_renumbered(keys >> BITS, deals) << BITS | teams[keys & _MASK], *values)
        for sums, (keys, values) in ((self._places, places), (self._seats, seats)):
            sums.add(teams[keys >> BITS] << BITS | keys & _MASK, *values)
        keys, values = matches
        self._matches.add(bots[keys], *values)
        self._played += header["played"]

    def _sums(self) -> tuple[KeyedSums, ...]:
        return self._pairs, self._sittings, self._places, self._seats, self._matches

    def _settle(self) -> None:
        """Move all that waits into the sums."""
        for size in list(self._waiting):
            self._add_block(size)


def _renumbered(found: Ints, deals: Mapping[int, int] | None) -> Ints:
    """Return numbers of deals, which come in order, as what they become."""
    if deals is None:
        return found
    known, at = np.unique(found, return_inverse=True)
    return np.fromiter(map(deals.__getitem__, known.tolist()), np.int64, len(known))[at]


def _column(values: Iterable[Iterable[int]]) -> Ints:
    return np.fromiter(chain.from_iterable(values), np.int64)
