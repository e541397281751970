"""Swiss: in every stage those sit together who have done about equally well, and who have not met as far as can be.

Bots are ranked by the part of their points that they made so far (a bye changes nothing). Those who are too many for
whole tables have a bye: the last of those who had the fewest. The others fill tables from the top, each time with
whoever met the table least, then with whoever stands next; then bots of different tables change places as long as
that means fewer repeated meetings, or as many between bots that stand closer.

Who enters later begins with half of the points; tables become no more for it, so there are more byes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product

from arena.ratings import Result
from arena.tournament.plan.authors import authors_of
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.multi_stage import MultiStage, Placing
from arena.tournament.plan.tie_break import Points, TieBreaker
from referee.engine.chance import Chance


class Swiss(MultiStage):
    """A Swiss of so many stages."""

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        super().__init__(definition, secret, decisions)
        self._stages = definition.stages
        self._points = Points(len(self.names))
        self._byes = [0] * len(self.names)
        began = Chance(secret).shuffle(range(self.began), "schedule", "swiss")
        self._order = [*began, *range(self.began, len(self.names))]  # who enters later stands below equals
        self._authors = authors_of(definition) or tuple(range(len(self.names)))
        self._together = [[0] * len(self.names) for _ in self.names]

    def most_tables(self) -> int:
        return self._stages * (self.began // self.size)

    def tables(self, stage: int) -> Sequence[Sequence[int]]:
        if stage == self._stages:
            return ()
        playing = self.decisions.playing(stage)
        ranked = [bot for bot in self._ranked() if bot in playing]
        count = min(len(ranked), self.began) // self.size
        byes = len(ranked) - count * self.size
        out = sorted(ranked, key=lambda bot: (self._byes[bot], -ranked.index(bot)))[:byes]
        for bot in out:
            self._byes[bot] += 1
        tables = self._fill([bot for bot in ranked if bot not in out])
        for table in tables:
            for one, other in combinations(table, 2):
                self._together[one][other] += 1
                self._together[other][one] += 1
        return tables

    def learn(self, results: Iterable[Result]) -> None:
        self._points.add(results, self.number)

    def places(self) -> Placing:
        counting = [bot for bot in self._order if self.names[bot] not in self.decisions.omitted]
        ranked = TieBreaker(self._points, self.rules, self.lots).places(counting)
        return [[self.names[bot] for bot in place] for place in ranked]

    def _ranked(self) -> list[int]:
        return sorted(self._order, key=lambda bot: -self._points.mean(bot))

    def _fill(self, ranked: list[int]) -> list[list[int]]:
        standing = {bot: place for place, bot in enumerate(ranked)}
        waiting = ranked[:]
        tables = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.size:
                best = min(
                    waiting,
                    key=lambda bot: (
                        self._clashes([*table, bot]),
                        sum(self._together[bot][mate] for mate in table),
                        standing[bot],
                    ),
                )
                waiting.remove(best)
                table.append(best)
            tables.append(table)
        self._improve(tables, standing)
        if any(map(self._clashes, tables)):  # those of one author in a row, dealt out, sit at different tables
            count = len(tables)
            by_author = Counter(self._authors[bot] for bot in ranked)
            row = sorted(ranked, key=lambda bot: (-by_author[self._authors[bot]], self._authors[bot], standing[bot]))
            tables = [row[place::count] for place in range(count)]
            self._improve(tables, standing)
        return tables

    def _clashes(self, table: Sequence[int]) -> int:
        """Return how many at a table are too many of their authors."""
        return len(table) - len({self._authors[bot] for bot in table})

    def _improve(self, tables: list[list[int]], standing: dict[int, int]) -> None:
        """Change places between tables for as long as that is for the better."""
        while (change := self._best_change(tables, standing)) is not None:
            one, here, other, there = change
            one[here], other[there] = other[there], one[here]

    def _best_change(
        self, tables: list[list[int]], standing: dict[int, int]
    ) -> tuple[list[int], int, list[int], int] | None:
        """Return the two places whose bots had best change them; None where no change is for the better."""
        best, found = (0, 0, 0), None
        for one, other in combinations(tables, 2):
            before = self._cost(one, standing), self._cost(other, standing)
            for here, there in product(range(len(one)), range(len(other))):
                after = (
                    self._cost([*one[:here], other[there], *one[here + 1 :]], standing),
                    self._cost([*other[:there], one[here], *other[there + 1 :]], standing),
                )
                clashes, repeats, apart = (_sum(after, part) - _sum(before, part) for part in range(3))
                if (clashes, repeats, apart) < best:
                    best, found = (clashes, repeats, apart), (one, here, other, there)
        return found

    def _cost(self, table: list[int], standing: dict[int, int]) -> tuple[int, int, int]:
        """Return who clashes at a table, how often those there met before, and how far apart they stand (squared)."""
        pairs = list(combinations(table, 2))
        repeats = sum(self._together[one][other] ** 2 for one, other in pairs)
        return self._clashes(table), repeats, sum((standing[one] - standing[other]) ** 2 for one, other in pairs)


def _sum(costs: Iterable[tuple[int, int, int]], part: int) -> int:
    return sum(cost[part] for cost in costs)
