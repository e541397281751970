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
from arena.ratings.result import Team

T = TypeVar("T", bound=Hashable)

BITS = 16
"""Bits of the number of a team or bot, and of a table's size, within a key."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The teams that played, in an order that does not depend on that of the matches. A bot alone is a team of one."""

    bots: tuple[str, ...]
    """Sorted. A bot's number is its position."""
    teams: tuple[tuple[str, ...], ...]
    """Sorted: their members. A team's number is its position."""
    shares: csr_array
    """The share of each bot (column) in each team (row), 1 in all: a team is as strong as its members on average."""

    def by_bot(self, above: Ints, team: Ints, values: Ints) -> tuple[Ints, Ints]:
        """Return the sums of columns of `values` by `above << BITS | bot`, a value for every bot of its team."""
        members = self.shares[team]
        sizes = np.diff(members.indptr)
        return sum_by_key(np.repeat(above, sizes) << BITS | members.indices, np.repeat(values, sizes, axis=1))


class LineupBuilder:
    """Numbers teams as they come. Teams in which all bots have the same share are one, a bot and its copies too."""

    def __init__(self) -> None:
        self._bots: dict[str, int] = {}
        self._numbers: dict[Team, int] = {}
        self._teams: dict[tuple[str, ...], int] = {}
        self._members: list[list[int]] = []  # by team, the distinct bots

    def numbers(self, teams: list[Team]) -> Ints:
        """Return the number of each team. Raises ValueError for a team of nobody, and where there are too many."""
        numbers = self._numbers
        for team in dict.fromkeys(teams):
            if team not in numbers:
                numbers[team] = self._number(_reduced(team))
        return np.fromiter(map(numbers.__getitem__, teams), np.int64, len(teams))

    @property
    def teams(self) -> list[tuple[str, ...]]:
        """The teams so far, in the order of their numbers."""
        return list(self._teams)

    def bots(self, names: Iterable[str]) -> Ints:
        """Return the numbers of bots, each once, in the order in which they come."""
        return np.array([self._bots[name] for name in dict.fromkeys(names)], np.int64)

    def _number(self, team: tuple[str, ...]) -> int:
        if team not in self._teams:
            self._teams[team] = len(self._members)
            self._members.append([self._bots.setdefault(bot, len(self._bots)) for bot in dict.fromkeys(team)])
            if max(len(self._teams), len(self._bots)) > 1 << BITS:
                raise ValueError(f"at most {1 << BITS} bots, and as many teams of them, can be rated together")
        return self._teams[team]

    def present(self, tables: Ints) -> Ints:
        """Return the bots at each table, one after the other, each once for a table. tables: the teams, a row each."""
        members = [self._members[team] for team in tables.ravel().tolist()]
        bots = np.fromiter(chain.from_iterable(members), np.int64)
        table = np.repeat(np.arange(tables.size) // tables.shape[1], [len(team) for team in members])
        return np.unique(table << BITS | bots) & ((1 << BITS) - 1)

    def lineup(self) -> tuple[Lineup, Ints, Ints]:
        """Return the teams so far, and what the numbers of teams and of bots have become."""
        teams = sorted(self._teams)
        bots = {bot: place for place, bot in enumerate(sorted(self._bots))}
        shares = [Counter(team) for team in teams]
        columns = [bots[bot] for share in shares for bot in share]
        data = [count / len(team) for team, share in zip(teams, shares, strict=True) for count in share.values()]
        ends = np.cumsum([0, *map(len, shares)])
        lineup = Lineup(tuple(bots), tuple(teams), csr_array((data, columns, ends), (len(teams), len(bots))))
        return lineup, _places(self._teams, teams), _places(self._bots, bots)


def _reduced(team: Team) -> tuple[str, ...]:
    """Return the smallest team in which everybody has the same share, in order: (a, a) is a, (b, a, b, a) is (a, b)."""
    if isinstance(team, str):
        return (team,)
    if not team:
        raise ValueError("a team has at least one bot")
    counts = Counter(team)
    times = gcd(*counts.values())
    return tuple(bot for bot in sorted(counts) for _ in range(counts[bot] // times))


def _places(numbers: Mapping[T, int], order: Iterable[T]) -> Ints:
    """Return for each number the place of its key in `order`."""
    places = np.empty(len(numbers), np.int64)
    places[[numbers[key] for key in order]] = np.arange(len(numbers))
    return places
