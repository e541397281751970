"""Swiss: in every stage bots with about equal points sit together that have met as little as possible.

Bots are ranked by their share of the points so far; a bye changes nothing. Bots that do not fill a whole table have a
bye: the lowest ranked of those with the fewest byes. The others fill the tables from the top: to each table comes the
bot that has met it least, then the one ranked next. Then bots of different tables are swapped as long as that leaves
fewer repeated meetings, or as many between bots ranked closer together.

A bot that enters late starts with half of the points. There are never more tables than at the start, so late entries
mean more byes.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product

from arena.language.message import Message
from arena.plan.author_separation import author_numbers
from arena.plan.decisions import Decisions
from arena.plan.multi_stage import MultiStage, Placing, ResultReader
from arena.plan.stage_names import swiss_stage
from arena.plan.tie_break import PointTotals, TieBreaker
from arena.ratings import Result
from arena.values.definition import Definition
from referee.engine.chance import Chance


class Swiss(MultiStage):
    """A Swiss with a fixed number of stages."""

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        super().__init__(definition, secret, decisions)
        self._stages = definition.stages
        self._points = PointTotals(len(self.names))
        self._byes = [0] * len(self.names)
        initial_order = Chance(secret).shuffle(range(self.initial_bots), "schedule", "swiss")
        self._order = [*initial_order, *range(self.initial_bots, len(self.names))]  # late entrants rank below equals
        self._authors = author_numbers(definition) or tuple(range(len(self.names)))
        self._meetings = [[0] * len(self.names) for _ in self.names]

    def max_tables(self) -> int:
        return self._stages * (self.initial_bots // self.table_size)

    def draw_tables(self, stage: int) -> Sequence[Sequence[int]]:
        if stage == self._stages:
            return ()
        participants = self.decisions.participants(stage)
        ranked = [bot for bot in self._rank() if bot in participants]
        count = min(len(ranked), self.initial_bots) // self.table_size
        byes = len(ranked) - count * self.table_size
        with_bye = sorted(ranked, key=lambda bot: (self._byes[bot], -ranked.index(bot)))[:byes]
        for bot in with_bye:
            self._byes[bot] += 1
        tables = self._fill_tables([bot for bot in ranked if bot not in with_bye])
        for table in tables:
            for one, other in combinations(table, 2):
                self._meetings[one][other] += 1
                self._meetings[other][one] += 1
        return tables

    def stage_name(self, stage: int, read: ResultReader) -> Message | None:
        return swiss_stage(stage, self._stages) if stage < self._stages else None

    def add_results(self, results: Iterable[Result]) -> None:
        self._points.add(results, self.index_by_name)

    def final_places(self) -> Placing:
        counting = [bot for bot in self._order if self.names[bot] not in self.decisions.omitted]
        ranked = TieBreaker(self._points, self.rules, self.lots).places(counting)
        return [[self.names[bot] for bot in place] for place in ranked]

    def _rank(self) -> list[int]:
        return sorted(self._order, key=lambda bot: -self._points.share(bot))

    def _fill_tables(self, ranked: list[int]) -> list[list[int]]:
        """Return tables of all the bots, given best first."""
        ranks = {bot: rank for rank, bot in enumerate(ranked)}
        waiting = ranked[:]
        tables = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.table_size:
                best = min(
                    waiting,
                    key=lambda bot: (
                        self._author_conflicts([*table, bot]),
                        sum(self._meetings[bot][other] for other in table),
                        ranks[bot],
                    ),
                )
                waiting.remove(best)
                table.append(best)
            tables.append(table)
        self._swap_bots(tables, ranks)
        if any(map(self._author_conflicts, tables)):
            # Sort the bots by author and deal them out in turn: bots of one author get different tables.
            count = len(tables)
            by_author = Counter(self._authors[bot] for bot in ranked)
            row = sorted(ranked, key=lambda bot: (-by_author[self._authors[bot]], self._authors[bot], ranks[bot]))
            tables = [row[number::count] for number in range(count)]
            self._swap_bots(tables, ranks)
        return tables

    def _author_conflicts(self, table: Sequence[int]) -> int:
        """Return how many bots of a table are not the first of their author there."""
        return len(table) - len({self._authors[bot] for bot in table})

    def _swap_bots(self, tables: list[list[int]], ranks: dict[int, int]) -> None:
        """Swap bots between tables as long as that is an improvement."""
        while (swap := self._best_swap(tables, ranks)) is not None:
            one, i, other, j = swap
            one[i], other[j] = other[j], one[i]

    def _best_swap(
        self, tables: list[list[int]], ranks: dict[int, int]
    ) -> tuple[list[int], int, list[int], int] | None:
        """Return the best swap as two tables, each with the index of a bot; None if no swap is an improvement."""
        lowest, best = (0, 0, 0), None
        for one, other in combinations(tables, 2):
            before = self._cost(one, ranks), self._cost(other, ranks)
            for i, j in product(range(len(one)), range(len(other))):
                after = (
                    self._cost([*one[:i], other[j], *one[i + 1 :]], ranks),
                    self._cost([*other[:j], one[i], *other[j + 1 :]], ranks),
                )
                conflicts, repeats, distance = (_sum(after, part) - _sum(before, part) for part in range(3))
                if (conflicts, repeats, distance) < lowest:
                    lowest, best = (conflicts, repeats, distance), (one, i, other, j)
        return best

    def _cost(self, table: list[int], ranks: dict[int, int]) -> tuple[int, int, int]:
        """Return the author conflicts of a table, its repeated meetings (squared) and rank differences (squared)."""
        pairs = list(combinations(table, 2))
        repeats = sum(self._meetings[one][other] ** 2 for one, other in pairs)
        return self._author_conflicts(table), repeats, sum((ranks[one] - ranks[other]) ** 2 for one, other in pairs)


def _sum(costs: Iterable[tuple[int, int, int]], part: int) -> int:
    return sum(cost[part] for cost in costs)
