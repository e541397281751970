"""Ladder: new bots find their places in a list that stands.

The challengers are the first bots of the field, the others the standing list, best first. One challenger after the
other is placed by halving: it meets the bot in the middle of where it may belong and goes above it where it makes
more than half of the points against it, below it otherwise. At tables of more than two the bots next to that one in
the list sit there as well. Placed challengers belong to the list of those after them.
"""

from collections.abc import Iterable, Sequence

from arena.ratings import Result
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.multi_stage import MultiStage, Placing
from arena.tournament.plan.tie_break import Points


class Ladder(MultiStage):
    """A ladder with a standing list and challengers."""

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        super().__init__(definition, secret, decisions)
        self._standing = list(range(definition.challengers, len(self.names)))
        self._waiting = list(range(definition.challengers))
        self._low, self._high = 0, len(self._standing)

    def most_tables(self) -> int:
        first = len(self._standing)
        return sum((first + placed).bit_length() for placed in range(len(self._waiting)))

    def tables(self, stage: int) -> Sequence[Sequence[int]]:
        playing = self.decisions.playing(stage)
        for bot in [bot for bot in [*self._waiting, *self._standing] if bot not in playing]:
            self._remove(bot)
        if not self._waiting or not self._standing:
            return ()
        others = min(self.size - 1, len(self._standing))
        first = min(max(0, self._middle - others // 2), len(self._standing) - others)
        table = [self._waiting[0], *self._standing[first : first + others]]
        # Where the list is shorter than the table, its bots sit there several times.
        return [[*table, *(table[1 + extra % others] for extra in range(self.size - len(table)))]]

    def learn(self, results: Iterable[Result]) -> None:
        points = Points(len(self.names))
        points.add(results, self.number)
        if points.mean(self._waiting[0], [self._standing[self._middle]]) > 0.5:
            self._high = self._middle
        else:
            self._low = self._middle + 1
        self._place()

    def places(self) -> Placing:
        return [[self.names[bot]] for bot in [*self._standing, *self._waiting]]

    def _place(self) -> None:
        """Let the challenger into the list, where it is known which place is its."""
        if self._low == self._high:
            self._standing.insert(self._low, self._waiting.pop(0))
            self._low, self._high = 0, len(self._standing)

    def _remove(self, bot: int) -> None:
        """Take a bot that is withdrawn off the list, or from among the challengers."""
        if bot in self._waiting:
            if bot == self._waiting[0]:
                self._low, self._high = 0, len(self._standing)
            self._waiting.remove(bot)
            return
        place = self._standing.index(bot)
        self._standing.remove(bot)
        self._low -= place < self._low
        self._high -= place < self._high
        if self._waiting:
            self._place()

    @property
    def _middle(self) -> int:
        return (self._low + self._high) // 2
