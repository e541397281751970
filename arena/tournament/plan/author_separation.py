"""Tables at which no two bots of one author sit together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil

from arena.tournament.plan.seating import (
    Neighbours,
    Player,
    RoundRobin,
    Table,
)
from referee.engine.chance import Chance

_AHEAD = 3
"""Permutations of the field that are looked at for somebody who may sit down."""


class Apart(RoundRobin):
    """Everybody against everybody but those of the same author, as equally often as can be.

    Where two meet at a table it is the circle method without such pairs. At larger tables bots sit down by the same
    permutations as else, but who may not sit there yet waits for a later table, and comes before all others then.
    Where it cannot be helped (many have left), bots of one author sit together.
    """

    def __init__(self, bots: int, size: int, authors: Sequence[int], most: int = 1) -> None:
        """Fill tables of `size` from a field; authors: of each bot. most: the processes a bot needs for a place."""
        super().__init__(bots, size, most)
        self._authors = authors

    def __call__(self, chance: Chance) -> Iterator[Table]:
        if self._size != 2 or len(set(self._authors)) == 1:
            yield from super().__call__(chance)
            return
        neighbours = Neighbours(self._bots)
        pairs = (pair for pair in self._circle(chance) if self._differ(pair))
        for number, pair in enumerate(pairs):
            yield neighbours.order(pair, chance, number)

    def _differ(self, table: Sequence[Player]) -> bool:
        return len({self._authors[player.entrant] for player in table}) == len(table)

    def _least_met(self, chance: Chance) -> Iterator[list[Player]]:
        waiting: list[tuple[int, int]] = []  # permutation and bot
        drawn = 0
        met = [[0] * self._bots for _ in range(self._bots)]
        while True:
            seated: list[int] = []
            while len(seated) < self._size:
                here = {self._authors[bot] for bot in seated}
                turns = [turn for turn, (_, bot) in enumerate(waiting) if self._authors[bot] not in here]
                if not turns:
                    if not waiting or drawn - waiting[0][0] <= _AHEAD:
                        waiting += [
                            (drawn, bot) for bot in chance.shuffle(range(self._bots), "schedule", "field", drawn)
                        ]
                        drawn += 1
                        continue
                    turns = [turn for turn, (_, bot) in enumerate(waiting) if bot not in seated] or [0]
                turn = self._first(waiting, turns, [sum(met[bot][mate] for mate in seated) for _, bot in waiting])
                seated.append(waiting.pop(turn)[1])
            for one in seated:
                for other in seated:
                    met[one][other] += one != other
            yield [Player(bot, seated[:place].count(bot)) for place, bot in enumerate(seated)]

    def _first(self, waiting: Sequence[tuple[int, int]], turns: Sequence[int], familiar: Sequence[int]) -> int:
        """Return whose turn it is, of the oldest permutation.

        One whose author must sit at every table that is left of it goes first, then who met those at the table least.
        """
        oldest = waiting[turns[0]][0]
        left = [self._authors[bot] for permutation, bot in waiting if permutation == oldest]
        tables, of_author = ceil(len(left) / self._size), Counter(left)
        return min(
            (turn for turn in turns if waiting[turn][0] == oldest),
            key=lambda turn: (of_author[self._authors[waiting[turn][1]]] < tables, familiar[turn], turn),
        )
