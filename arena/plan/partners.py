"""Partners drawn from the field: every two bots are partners about equally often.

A position is a bot's index in the cyclic order of a table. The rotations of a deal move all bots on by one seat at a
time. Where teams alternate around the table, partners stay partners in all rotations; elsewhere they change, and each
rotation counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations


class Partners:
    """Counts the matches in which every two bots were partners, and chooses orders that balance the counts."""

    def __init__(self, bots: int, teams: Sequence[int]) -> None:
        """Start with all counts at zero.

        bots: how many are in the field.
        teams: by seat, the number of its team.
        """
        seats = range(len(teams))
        self.fill_order = sorted(seats, key=lambda position: (teams[position], position))
        """The positions in the order in which they are filled: team by team."""
        self._rotations = [
            [[(seat + turn) % len(teams) for seat in seats if teams[seat] == team] for team in sorted(set(teams))]
            for turn in seats
        ]  # by rotation: the positions of each team
        self._shared_rotations = Counter(
            pair for rotation in self._rotations for team in rotation for pair in combinations(sorted(team), 2)
        )  # by pair of positions: in how many rotations the two are partners
        self._counts = [[0] * bots for _ in range(bots)]

    def partnerships(self, position: int, seated: Mapping[int, int]) -> list[int]:
        """Return for each bot how often its partners at `position` have been its partners before.

        seated: the bots that are seated already, by position.
        """
        totals = [0] * len(self._counts)
        for other, bot in seated.items():
            if matches := self._shared_rotations[min(position, other), max(position, other)]:
                totals = [total + matches * count for total, count in zip(totals, self._counts[bot], strict=True)]
        return totals

    def add(self, order: Sequence[int]) -> None:
        """Count the partners at a table of bots in this order."""
        for (one, other), matches in self._shared_rotations.items():
            self._counts[order[one]][order[other]] += matches
            if order[one] != order[other]:
                self._counts[order[other]][order[one]] += matches

    def best_order(self, orders: Iterable[Sequence[int]]) -> Sequence[int]:
        """Return the order with the fewest meetings of identical teams, then with the fewest repeated partners.

        Teams of the same bots cannot be compared; they only arise if bots sit at a table several times.
        """
        return min(orders, key=lambda order: (self._identical_teams(order), self._repeats(order)))

    def _identical_teams(self, order: Sequence[int]) -> int:
        """Return how many pairs of teams consist of the same bots, over all rotations."""
        identical = 0
        for rotation in self._rotations:
            teams = [sorted(order[position] for position in team) for team in rotation]
            identical += sum(one == other for one, other in combinations(teams, 2))
        return identical

    def _repeats(self, order: Sequence[int]) -> int:
        """Return how often the partners in an order were partners before."""
        return sum(
            matches * self._counts[order[one]][order[other]] for (one, other), matches in self._shared_rotations.items()
        )
