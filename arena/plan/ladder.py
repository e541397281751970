"""Ladder: new bots are placed in a standing list.

The challengers are the first bots of the field; the others are the standing list, best first. Challengers are placed
one after another by binary search: a challenger meets the bot in the middle of the part of the list where it may
belong. If it makes more than half of the points against that bot it goes above it, otherwise below it. At tables of
more than two, the neighbours of that bot in the list play as well. A challenger that has been placed is part of the
list for the next one.
"""

from collections.abc import Iterable, Sequence

from arena.language.message import Message
from arena.plan.decisions import Decisions
from arena.plan.multi_stage import MultiStage, Placing, ResultReader
from arena.plan.stage_names import ladder_stage
from arena.plan.tie_break import PointTotals
from arena.ratings import Result
from arena.values.definition import Definition


class Ladder(MultiStage):
    """A ladder: a standing list and its challengers."""

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        super().__init__(definition, secret, decisions)
        self._standing = list(range(definition.challengers, len(self.names)))
        self._challengers = list(range(definition.challengers))
        self._low, self._high = 0, len(self._standing)

    def max_tables(self) -> int:
        standing = len(self._standing)
        return sum((standing + placed).bit_length() for placed in range(len(self._challengers)))

    def draw_tables(self, stage: int) -> Sequence[Sequence[int]]:
        participants = self.decisions.participants(stage)
        for bot in [bot for bot in [*self._challengers, *self._standing] if bot not in participants]:
            self._remove(bot)
        if not self._challengers or not self._standing:
            return ()
        others = min(self.table_size - 1, len(self._standing))
        first = min(max(0, self._middle - others // 2), len(self._standing) - others)
        table = [self._challengers[0], *self._standing[first : first + others]]
        # If the list is shorter than the table, its bots hold several seats.
        return [[*table, *(table[1 + extra % others] for extra in range(self.table_size - len(table)))]]

    def stage_name(self, stage: int, read: ResultReader) -> Message | None:
        return ladder_stage(stage)

    def add_results(self, results: Iterable[Result]) -> None:
        points = PointTotals(len(self.names))
        points.add(results, self.index_by_name)
        if points.share(self._challengers[0], [self._standing[self._middle]]) > 0.5:
            self._high = self._middle
        else:
            self._low = self._middle + 1
        self._place_challenger()

    def final_places(self) -> Placing:
        return [[self.names[bot]] for bot in [*self._standing, *self._challengers]]

    def _place_challenger(self) -> None:
        """Insert the challenger into the standing list if its place is known."""
        if self._low == self._high:
            self._standing.insert(self._low, self._challengers.pop(0))
            self._low, self._high = 0, len(self._standing)

    def _remove(self, bot: int) -> None:
        """Remove a withdrawn bot from the challengers or the standing list."""
        if bot in self._challengers:
            if bot == self._challengers[0]:
                self._low, self._high = 0, len(self._standing)
            self._challengers.remove(bot)
            return
        index = self._standing.index(bot)
        self._standing.remove(bot)
        self._low -= index < self._low
        self._high -= index < self._high
        if self._challengers:
            self._place_challenger()

    @property
    def _middle(self) -> int:
        return (self._low + self._high) // 2
