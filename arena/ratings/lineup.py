"""Teams by number, and the share of each bot in each of them."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from math import gcd
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.keyed_sums import Ints, sum_by_key
from arena.values.result import Team

T = TypeVar("T", bound=Hashable)

BITS = 16
"""Bits in a key for the number of a team or bot, and for the size of a table."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The teams that played, in an order independent of that of the matches. A bot alone is a team of one."""

    bots: tuple[str, ...]
    """The names of the bots, sorted. A bot's number is its position."""
    teams: tuple[tuple[str, ...], ...]
    """The members of each team, sorted. A team's number is its position."""
    shares: csr_array
    """The share of each bot (column) in each team (row); rows sum to 1: a team has the members' mean strength."""

    def by_bot(self, prefix: Ints, team: Ints, values: Ints) -> tuple[Ints, Ints]:
        """Sum columns of `values` by `prefix << BITS | bot`, each value counting for every bot of its team."""
        members = self.shares[team]
        sizes = np.diff(members.indptr)
        return sum_by_key(np.repeat(prefix, sizes) << BITS | members.indices, np.repeat(values, sizes, axis=1))


class LineupBuilder:
    """Numbers teams in order of appearance. Teams in which every bot has the same share are one team."""

    def __init__(self) -> None:
        self._bots: dict[str, int] = {}
        self._numbers: dict[Team, int] = {}
        self._teams: dict[tuple[str, ...], int] = {}
        self._members: list[list[int]] = []  # by team, the distinct bots

    def numbers(self, teams: list[Team]) -> Ints:
        """Return the number of each team. Raises ValueError for an empty team, or for too many teams or bots."""
        numbers = self._numbers
        for team in dict.fromkeys(teams):
            if team not in numbers:
                numbers[team] = self._number(_reduce(team))
        return np.fromiter(map(numbers.__getitem__, teams), np.int64, len(teams))

    @property
    def teams(self) -> list[tuple[str, ...]]:
        """The teams so far, in the order of their numbers."""
        return list(self._teams)

    def bots(self, names: Iterable[str]) -> Ints:
        """Return the numbers of distinct bots, in the order of `names`."""
        return np.array([self._bots[name] for name in dict.fromkeys(names)], np.int64)

    def _number(self, team: tuple[str, ...]) -> int:
        if team not in self._teams:
            self._teams[team] = len(self._members)
            self._members.append([self._bots.setdefault(bot, len(self._bots)) for bot in dict.fromkeys(team)])
            if max(len(self._teams), len(self._bots)) > 1 << BITS:
                raise ValueError(f"at most {1 << BITS} bots, and as many teams of them, can be rated together")
        return self._teams[team]

    def present(self, tables: Ints) -> Ints:
        """Return the distinct bots of each table, concatenated.

        tables: a row of teams for each table.
        """
        members = [self._members[team] for team in tables.ravel().tolist()]
        bots = np.fromiter(chain.from_iterable(members), np.int64)
        table = np.repeat(np.arange(tables.size) // tables.shape[1], [len(team) for team in members])
        return np.unique(table << BITS | bots) & ((1 << BITS) - 1)

    def lineup(self) -> tuple[Lineup, Ints, Ints]:
        """Return the sorted lineup, and the number in it of each team and of each bot of the builder."""
        teams = sorted(self._teams)
        bots = {bot: position for position, bot in enumerate(sorted(self._bots))}
        shares = [Counter(team) for team in teams]
        columns = [bots[bot] for share in shares for bot in share]
        data = [count / len(team) for team, share in zip(teams, shares, strict=True) for count in share.values()]
        ends = np.cumsum([0, *map(len, shares)])
        lineup = Lineup(tuple(bots), tuple(teams), csr_array((data, columns, ends), (len(teams), len(bots))))
        return lineup, _positions(self._teams, teams), _positions(self._bots, bots)


def _reduce(team: Team) -> tuple[str, ...]:
    """Return the smallest sorted team with the same shares: (a, a) becomes (a), (b, a, b, a) becomes (a, b)."""
    if isinstance(team, str):
        return (team,)
    if not team:
        raise ValueError("a team has at least one bot")
    counts = Counter(team)
    factor = gcd(*counts.values())
    return tuple(bot for bot in sorted(counts) for _ in range(counts[bot] // factor))


def _positions(numbers: Mapping[T, int], order: Iterable[T]) -> Ints:
    """Return for each number the position of its key in `order`."""
    positions = np.empty(len(numbers), np.int64)
    positions[[numbers[key] for key in order]] = np.arange(len(numbers))
    return positions
