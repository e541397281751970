"""Who plays with whom where partners are drawn from the field: every two bots about equally often.

A place is where a bot sits in the cyclic order of a table. The rotations of a deal move all bots on by one seat
at a time: where teams alternate around the table, partners stay partners in all of them; elsewhere they change,
and each rotation counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations


class Partners:
    """Remembers in how many matches every two bots were partners, and finds those who were least."""

    def __init__(self, bots: int, teams: Sequence[int]) -> None:
        """Begin with nobody having met. bots: in the field. teams: by seat, the number of its team."""
        seats = range(len(teams))
        self.places = sorted(seats, key=lambda place: (teams[place], place))
        """The places in the order in which they are filled: team by team."""
        self._turns = [
            [[(seat + turn) % len(teams) for seat in seats if teams[seat] == team] for team in sorted(set(teams))]
            for turn in seats
        ]  # for each rotation the places of each team
        self._bonds = Counter(
            pair for turn in self._turns for team in turn for pair in combinations(sorted(team), 2)
        )  # in how many rotations two places are partners
        self._together = [[0] * bots for _ in range(bots)]

    def met(self, place: int, seated: Mapping[int, int]) -> list[int]:
        """Return for each bot of the field how often it has had those for partners whom it would have at `place`.

        seated: the bots that sit already, by place.
        """
        met = [0] * len(self._together)
        for other, mate in seated.items():
            if matches := self._bonds[min(place, other), max(place, other)]:
                met = [sofar + matches * together for sofar, together in zip(met, self._together[mate], strict=True)]
        return met

    def remember(self, order: Sequence[int]) -> None:
        """Count those as partners who are at a table of bots in this order."""
        for (one, other), matches in self._bonds.items():
            self._together[order[one]][order[other]] += matches
            if order[one] != order[other]:
                self._together[order[other]][order[one]] += matches

    def best(self, orders: Iterable[Sequence[int]]) -> Sequence[int]:
        """Return the order in which the fewest teams meet their like, and then partners have met least.

        Teams of the same bots cannot be compared; they can only come about where bots sit at a table several times.
        """
        return min(orders, key=lambda order: (self._idle(order), self._familiar(order)))

    def _idle(self, order: Sequence[int]) -> int:
        idle = 0
        for turn in self._turns:
            teams = [sorted(order[place] for place in team) for team in turn]
            idle += sum(one == other for one, other in combinations(teams, 2))
        return idle

    def _familiar(self, order: Sequence[int]) -> int:
        return sum(matches * self._together[order[one]][order[other]] for (one, other), matches in self._bonds.items())
