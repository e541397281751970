"""Who plays with whom where partners are drawn from the field: every two bots about equally often.

A place is where a bot sits in the cyclic order of a table, and the rotations of a deal move all bots on by one
seat at a time. Where the teams alternate around the table, as in every game of two against two, partners stay
partners in all rotations.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from referee.engine.chance import Chance

_TRIES = 24
"""Seatings of a table among which the best is taken, where bots sit at it several times."""


class Partners:
    """Draws partners, and remembers in how many matches every two bots were partners."""

    def __init__(self, teams: Sequence[int]) -> None:
        """Begin with nobody having met. teams: by seat, the number of its team."""
        self._teams = teams
        seats = len(teams)
        mates = [
            {(turn + place) % seats: team for place, team in enumerate(teams)} for turn in range(seats)
        ]  # by rotation: the team of each place
        self._bonds = {
            frozenset(pair): sum(team[pair[0]] == team[pair[1]] for team in mates)
            for pair in combinations(range(seats), 2)
        }
        self._together: Counter[tuple[int, int]] = Counter()
        self.places = sorted(range(seats), key=lambda place: (teams[place], place))
        """The places in the order in which they are filled: team by team."""

    def met(self, place: int, bot: int, seated: Mapping[int, int]) -> int:
        """Return how often `bot`, at that place, has had those for partners whom it would have now.

        seated: the bots that sit already, by place.
        """
        return sum(
            self._bonds[frozenset((place, other))] * self._together[_pair(bot, mate)] for other, mate in seated.items()
        )

    def seat(self, seated: Mapping[int, int], chance: Chance, table: int) -> list[int]:
        """Return the bots of a table in their cyclic order, and remember them as partners.

        seated: the bots by place, in teams. Within the teams their order is drawn anew, and which team sits where.
        Where a bot sits there several times, all is drawn anew: the teams are as different, and the partners as
        new to each other, as they come in a number of tries.
        """
        teams = [[seated[place] for place in self._of(team)] for team in sorted(set(self._teams))]
        tries = [self._drawn(teams, chance, table)]
        if len(set(seated.values())) < len(seated):
            tries = [self._shuffled(seated, chance, table, number) for number in range(_TRIES)]
        order = min(tries, key=lambda tried: (self._idle(tried), self._cost(tried)))
        for one, other in combinations(range(len(order)), 2):
            self._together[_pair(order[one], order[other])] += self._bonds[frozenset((one, other))]
        return order

    def _of(self, team: int) -> list[int]:
        return [place for place, number in enumerate(self._teams) if number == team]

    def _drawn(self, teams: Sequence[Sequence[int]], chance: Chance, table: int) -> list[int]:
        """Return the teams around the table: any order of teams of one size, and of the members of each."""
        mixed = [chance.shuffle(team, "schedule", "mates", table, number) for number, team in enumerate(teams)]
        slots = sorted(map(self._of, sorted(set(self._teams))), key=len)
        order = dict[int, int]()
        for slot, team in zip(slots, sorted(chance.shuffle(mixed, "schedule", "table", table), key=len), strict=True):
            order.update(zip(slot, team, strict=True))
        return [order[place] for place in range(len(order))]

    def _shuffled(self, seated: Mapping[int, int], chance: Chance, table: int, number: int) -> list[int]:
        return list(chance.shuffle(sorted(seated.values()), "schedule", "table", table, number))

    def _idle(self, order: Sequence[int]) -> int:
        """Return in how many rotations two teams are the same, so that nothing can be learned from them."""
        seats = len(order)
        idle = 0
        for turn in range(seats):
            teams = [
                sorted(order[(seat + turn) % seats] for seat in self._of(team)) for team in sorted(set(self._teams))
            ]
            idle += sum(one == other for one, other in combinations(teams, 2))
        return idle

    def _cost(self, order: Sequence[int]) -> int:
        return sum(
            self.met(place, bot, {other: order[other] for other in range(place)}) for place, bot in enumerate(order)
        )


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
