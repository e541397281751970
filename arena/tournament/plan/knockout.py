"""Knockout: the better half of every table goes on, until one table is left.

The field is in the order of its seeds. In every stage the best meet the last: with t tables the seeds are dealt to
and fro (1 to t, then t to 1, ...), so that of two each the first meets the last. At tables of two the first stage has
as many matches as it takes to leave a power of two; elsewhere those who are too many for whole tables have a bye, the
best first. Who made more points against the others at the table goes on; of equals, whoever the rules for ties say:
without others the higher score in the game, then the better seed.

Who is withdrawn loses its table, or goes before the next stage. Where those who are left no longer fill a table, the
event ends and they share the first place.
"""

from collections.abc import Iterable, Sequence

from arena.ratings import Result
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.multi_stage import MultiStage, Placing
from arena.tournament.plan.tie_break import KNOCKOUT, Points, TieBreaker


class Knockout(MultiStage):
    """A knockout of the whole field."""

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        super().__init__(definition, secret, decisions)
        self._left = list(range(len(self.names)))
        self._playing: list[list[int]] = []
        self._places: Placing = []

    def most_tables(self) -> int:
        left, tables = len(self.names), 0
        while left > 1:
            tables += self._count(left)
            left -= self._leaving(left)
        return tables

    def tables(self, stage: int) -> Sequence[Sequence[int]]:
        still = self.decisions.playing(stage)
        if gone := [self.names[bot] for bot in self._left if bot not in still]:
            self._left = [bot for bot in self._left if bot in still]
            self._places.insert(0, gone)
        if len(self._left) < self.size:
            return ()
        count = self._count(len(self._left))
        playing = self._left[len(self._left) - count * self.size :]
        self._playing = [[] for _ in range(count)]
        for place, bot in enumerate(playing):
            lap, at = divmod(place, count)
            self._playing[at if lap % 2 == 0 else count - 1 - at].append(bot)
        return self._playing

    def learn(self, results: Iterable[Result]) -> None:
        points = Points(len(self.names))
        points.add(results, self.number)
        ranking = TieBreaker(points, self.rules or KNOCKOUT, self.lots)
        gone = self.decisions.dropped
        results_at: list[tuple[int, float, list[float], int]] = []  # place at the table, points, rules, seed
        for table in self._playing:
            staying = [
                bot for place in ranking.places((bot for bot in table if bot not in gone), table) for bot in place
            ]
            for place, bot in enumerate([*staying, *sorted(gone.intersection(table))]):
                made = 2.0 if bot in gone else -points.mean(bot, table)
                results_at.append((place, made, [-key for key in ranking.keys(bot)], bot))
        leaving = sorted(results_at)[len(results_at) - self._leaving(len(self._left)) :]
        by_place: dict[int, list[int]] = {}
        for place, *_, bot in leaving:
            by_place.setdefault(place, []).append(bot)
            self._left.remove(bot)
        lost = [[self.names[bot] for bot in sorted(by_place[place])] for place in sorted(by_place)]
        self._places = [*lost, *self._places]

    def places(self) -> Placing:
        left = [self.names[bot] for bot in self._left]
        return [*([left] if left else []), *self._places]

    def _leaving(self, left: int) -> int:
        """Return how many lose in a stage: all but one at the last table, and never too many to fill it."""
        if left == self.size:
            return left - 1
        return min(self._count(left) * (self.size - max(1, self.size // 2)), left - self.size)

    def _count(self, left: int) -> int:
        """Return the tables of a stage with so many bots left."""
        if self.size == 2:
            below = 1 << (left - 1).bit_length() - 1  # the power of two that this stage leaves
            return left - below
        return left // self.size
