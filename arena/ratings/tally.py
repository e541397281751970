"""A tally: sums of results per deal and pair of teams, updated match by match."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np

from arena.ratings.integer_columns import join_keys, split_keys
from arena.ratings.keyed_sums import Ints, KeyedSums
from arena.ratings.lineup import BITS, LineupBuilder
from arena.ratings.repeats import Repeats
from arena.ratings.totals import Totals, build_totals
from arena.values.result import Result

_BLOCK = 1 << 14
"""Matches of one table size that are summed together."""

_DEALS = 1 << 31

_MASK = (1 << BITS) - 1


class Tally:
    """Sums of results. Its memory grows with the deals and the pairs that met in each, not with the matches."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._lineup = LineupBuilder()
        self._pending: dict[int, list[Result]] = {}
        self._pairs = KeyedSums(3)
        self._sittings = KeyedSums(2)
        self._places = KeyedSums(2)
        self._seats = KeyedSums(3)
        self._matches = KeyedSums(1)
        self._played = 0
        self.repeats: Repeats | None = None
        """What was found of repeated matches, where it was looked for."""
        self.by_set: Tally | None = None
        """The same matches, with an experiment for each set that repeats no other; None if no opening comes again."""
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Add one match.

        Raises ValueError for an invalid result: fewer than two teams, not one rank and score per
        team, a deal out of range.
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
        pending = self._pending.setdefault(size, [])
        pending.append(result)
        self._played += 1
        if len(pending) == _BLOCK:
            self._add_block(size)

    def _add_block(self, size: int) -> None:
        """Add the pending matches with `size` teams to the sums."""
        pending = self._pending.pop(size)
        deals = _column((result.deal,) for result in pending)
        teams = self._lineup.numbers([team for result in pending for team in result.teams]).reshape(-1, size)
        ranks = _column(result.ranks for result in pending).reshape(-1, size)
        scores = _column(result.scores for result in pending).reshape(-1, size)
        # Twice the place: 2 for the first, 2 more for each better team, 1 for each equal one.
        places = np.full(teams.shape, 2)
        for one, other in combinations(range(size), 2):
            points = 1 + np.sign(ranks[:, other] - ranks[:, one])
            places[:, one] += 2 - points
            places[:, other] += points
            # Copies of one bot, or teams of the same bots, have one rating, so their comparison is meaningless.
            met = teams[:, one] != teams[:, other]
            first, second = teams[met, one], teams[met, other]
            swapped = first > second
            low, high = np.where(swapped, second, first), np.where(swapped, first, second)
            points = np.where(swapped, 2 - points[met], points[met])
            tied = (points == 1).astype(np.int64)
            self._pairs.add((deals[met] << BITS | low) << BITS | high, points, np.ones_like(points), tied)
        ones = np.ones(teams.size, np.int64)
        self._sittings.add((deals[:, None] << BITS | teams).ravel(), ones, scores.ravel())
        self._places.add((teams << BITS | size).ravel(), ones, places.ravel())
        self._seats.add((teams << BITS | np.arange(size)).ravel(), ones, scores.ravel(), places.ravel())
        bots = self._lineup.present(teams)
        self._matches.add(bots, np.ones_like(bots))

    def totals(self) -> Totals:
        """Return the sums of all results added so far."""
        self._flush()
        return build_totals(
            self._lineup,
            self._played,
            self._matches,
            self._pairs,
            self._sittings,
            self._places,
            self._seats,
            self.repeats,
        )

    def state(self) -> tuple[dict[str, Any], list[Ints]]:
        """Return the sums as a JSON header and columns, as `add_state` takes them; the teams are sorted."""
        self._flush()
        columns: list[Ints] = []
        for sums in self._sums():
            keys, values = sums.total()
            columns += [*split_keys(keys), *values]
        teams = self._lineup.teams
        header = {"played": self._played, "teams": teams}
        if teams == sorted(teams):
            return header, columns
        sorted_tally = Tally()
        sorted_tally._lineup.numbers(sorted(teams))
        sorted_tally.add_state(header, columns)
        return sorted_tally.state()

    def deals(self) -> list[int]:
        """Return the numbers of the deals added so far, ascending."""
        self._flush()
        return [int(deal) for deal in np.unique(self._sittings.total()[0] >> BITS)]

    def merge(self, other: "Tally", names: Mapping[str, str], deals: Sequence[int]) -> None:
        """Add the sums of another tally, with bots renamed and deals renumbered.

        names: the new name of each bot, all different.
        deals: the new number of each deal, in the order of `deals()`.
        """
        header, columns = other.state()
        renamed = [[names[bot] for bot in team] for team in header["teams"]]
        self.add_state({**header, "teams": renamed}, columns, dict(zip(other.deals(), deals, strict=True)))

    def add_state(
        self, header: Mapping[str, Any], columns: Sequence[Ints], deals: Mapping[int, int] | None = None
    ) -> None:
        """Add the state of another tally.

        deals: the new number of each of its deals; None: they stay.
        """
        teams = self._lineup.numbers([tuple(team) for team in header["teams"]])
        bots = self._lineup.bots([bot for team in header["teams"] for bot in team])
        at = iter(columns)
        pairs, sittings, places, seats, matches = (
            (join_keys(next(at), next(at), next(at)), np.array([next(at) for _ in range(sums.columns)]))
            for sums in self._sums()
        )
        keys, (points, count, ties) = pairs
        one, other = teams[keys >> BITS & _MASK], teams[keys & _MASK]
        swapped = one > other
        low, high = np.where(swapped, other, one), np.where(swapped, one, other)
        keys = (_renumber(keys >> 2 * BITS, deals) << BITS | low) << BITS | high
        self._pairs.add(keys, np.where(swapped, 2 * count - points, points), count, ties)
        keys, values = sittings
        self._sittings.add(_renumber(keys >> BITS, deals) << BITS | teams[keys & _MASK], *values)
        for sums, (keys, values) in ((self._places, places), (self._seats, seats)):
            sums.add(teams[keys >> BITS] << BITS | keys & _MASK, *values)
        keys, values = matches
        self._matches.add(bots[keys], *values)
        self._played += header["played"]

    def _sums(self) -> tuple[KeyedSums, ...]:
        return self._pairs, self._sittings, self._places, self._seats, self._matches

    def _flush(self) -> None:
        """Add all pending matches to the sums."""
        for size in list(self._pending):
            self._add_block(size)


def _renumber(numbers: Ints, deals: Mapping[int, int] | None) -> Ints:
    """Replace numbers of deals by new numbers; None: no change."""
    if deals is None:
        return numbers
    distinct, position = np.unique(numbers, return_inverse=True)
    return np.fromiter(map(deals.__getitem__, distinct.tolist()), np.int64, len(distinct))[position]


def _column(values: Iterable[Iterable[int]]) -> Ints:
    return np.fromiter(chain.from_iterable(values), np.int64)
