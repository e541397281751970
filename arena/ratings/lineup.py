"""Teams by number, and the share of each bot in each of them."""

from collections import Counter
from dataclasses import dataclass
from math import gcd

import numpy as np
from scipy.sparse import csr_array

from arena.ratings.result import Team
from arena.ratings.sums import Ints, reduce

BITS = 16
"""Bits of the number of a team or bot, and of a table's size, within a key."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The teams that played, in an order that does not depend on that of the matches. A bot alone is a team of one."""

    bots: tuple[str, ...]
    """Sorted. A bot's number is its position."""
    shares: csr_array
    """The share of each bot (column) in each team (row), 1 in all: a team is as strong as its members on average."""

    def by_bot(self, above: Ints, team: Ints, values: Ints) -> tuple[Ints, Ints]:
        """Return the sums of columns of `values` by `above << BITS | bot`, each value added for every bot of the team."""
        members = self.shares[team]
        sizes = np.diff(members.indptr)
        return reduce(np.repeat(above, sizes) << BITS | members.indices, np.repeat(values, sizes, axis=1))


class Entries:
    """Numbers teams as they come. Teams in which all bots have the same share are one, a bot and its copies too."""

    def __init__(self) -> None:
        self._numbers: dict[Team, int] = {}
        self._made_up: dict[tuple[str, ...], int] = {}

    def numbers(self, teams: list[Team]) -> Ints:
        """Return the number of each team. Raises ValueError for a team of nobody, and where there are too many."""
        numbers, made_up = self._numbers, self._made_up
        for team in dict.fromkeys(teams):
            if team not in numbers:
                numbers[team] = made_up.setdefault(_made_up(team), len(made_up))
        if len(made_up) > 1 << BITS:
            raise ValueError(f"at most {1 << BITS} bots, or teams of them, can be rated together")
        return np.fromiter(map(numbers.__getitem__, teams), np.int64)

    def lineup(self) -> tuple[Lineup, Ints]:
        """Return the teams so far, and for each number the position of its team."""
        teams = sorted(self._made_up)
        position = np.empty(len(teams), np.int64)
        position[[self._made_up[team] for team in teams]] = np.arange(len(teams))
        bots = tuple(sorted({bot for team in teams for bot in team}))
        column = {bot: number for number, bot in enumerate(bots)}
        entries = [
            (row, column[bot], count / len(team))
            for row, team in enumerate(teams)
            for bot, count in sorted(Counter(team).items())
        ]
        rows, columns, shares = zip(*entries, strict=True) if entries else ((), (), ())
        return Lineup(bots, csr_array((shares, (rows, columns)), (len(teams), len(bots)), np.float64)), position


def _made_up(team: Team) -> tuple[str, ...]:
    """Return the smallest team that is made up alike, in order: (a, a) is a, (b, a, b, a) is (a, b)."""
    if isinstance(team, str):
        return (team,)
    if not team:
        raise ValueError("a team needs a bot")
    counts = Counter(team)
    alike = gcd(*counts.values())
    return tuple(bot for bot in sorted(counts) for _ in range(counts[bot] // alike))
