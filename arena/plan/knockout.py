"""Knockout: the better half of every table advances, until one table is left.

The field is in the order of its seeds. In every stage the best seeds meet the worst: with t tables the seeds are dealt
out back and forth (1 to t, then t to 1, ...), so at tables of two the first seed meets the last. At tables of two the
first stage has as many matches as it takes to leave a power of two. At larger tables the bots that do not fill a whole
table have a bye, best seeds first. The bots with more points against the others at their table advance. Ties are broken
by the tie-break rules; by default the higher score in the game, then the better seed.

A bot that is withdrawn loses at its table, or leaves before the next stage. If the remaining bots no longer fill a
table, the event ends and they share first place.
"""

from collections.abc import Iterable, Mapping, Sequence

from arena.language.message import Message
from arena.plan.decisions import Decisions
from arena.plan.multi_stage import MultiStage, Placing, ResultReader
from arena.plan.stage_names import knockout_stage
from arena.plan.tie_break import KNOCKOUT_TIE_BREAK, PointTotals, TieBreaker
from arena.ratings import Result
from arena.values.definition import Definition


class Knockout(MultiStage):
    """A knockout of the whole field."""

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        super().__init__(definition, secret, decisions)
        self._remaining = list(range(len(self.names)))
        self._tables: list[list[int]] = []
        self._places: Placing = []
        self._drawn: list[int] = []
        self._exits: dict[str, Message] = {}

    def max_tables(self) -> int:
        return sum(map(self._count_tables, self._sizes(len(self.names))))

    def stage_name(self, stage: int, read: ResultReader) -> Message | None:
        sizes = self._sizes(len(self.names))
        if self.decisions.dropped:  # how many of them were out already is only known from the results
            self.plan(stage, read)
            sizes = self._drawn
        return self._name(stage, sizes[stage]) if stage < len(sizes) else None

    @property
    def exits(self) -> Mapping[str, Message]:
        return self._exits

    def draw_tables(self, stage: int) -> Sequence[Sequence[int]]:
        participants = self.decisions.participants(stage)
        if withdrawn := [self.names[bot] for bot in self._remaining if bot not in participants]:
            self._remaining = [bot for bot in self._remaining if bot in participants]
            self._places.insert(0, withdrawn)
        if len(self._remaining) < self.table_size:
            return ()
        self._drawn.append(len(self._remaining))
        count = self._count_tables(len(self._remaining))
        playing = self._remaining[len(self._remaining) - count * self.table_size :]
        self._tables = [[] for _ in range(count)]
        for index, bot in enumerate(playing):
            lap, position = divmod(index, count)
            self._tables[position if lap % 2 == 0 else count - 1 - position].append(bot)
        return self._tables

    def add_results(self, results: Iterable[Result]) -> None:
        points = PointTotals(len(self.names))
        points.add(results, self.index_by_name)
        ranking = TieBreaker(points, self.rules or KNOCKOUT_TIE_BREAK, self.lots)
        dropped = self.decisions.dropped
        bots: list[tuple[int, float, list[float], int]] = []  # place at the table, negative share, tie-break, bot
        for table in self._tables:
            ranked = [
                bot for place in ranking.places((bot for bot in table if bot not in dropped), table) for bot in place
            ]
            for place, bot in enumerate([*ranked, *sorted(dropped.intersection(table))]):
                negative_share = 2.0 if bot in dropped else -points.share(bot, table)  # dropped bots come last
                bots.append((place, negative_share, [-key for key in ranking.keys(bot)], bot))
        eliminated = sorted(bots)[len(bots) - self._count_eliminated(len(self._remaining)) :]
        by_place: dict[int, list[int]] = {}
        name = self._name(len(self._drawn) - 1, self._drawn[-1])
        for place, *_, bot in eliminated:
            by_place.setdefault(place, []).append(bot)
            self._remaining.remove(bot)
            self._exits[self.names[bot]] = name
        places = [[self.names[bot] for bot in sorted(by_place[place])] for place in sorted(by_place)]
        self._places = [*places, *self._places]

    def final_places(self) -> Placing:
        remaining = [self.names[bot] for bot in self._remaining]
        return [*([remaining] if remaining else []), *self._places]

    def _name(self, stage: int, remaining: int) -> Message:
        """Return what a stage is called that begins with this many bots."""
        return knockout_stage(stage, len(self._sizes(remaining)) - 1)

    def _sizes(self, remaining: int) -> list[int]:
        """Return how many bots are left at the start of each stage from one with this many bots on."""
        sizes = []
        while remaining > 1:
            sizes.append(remaining)
            remaining -= self._count_eliminated(remaining)
        return sizes

    def _count_eliminated(self, remaining: int) -> int:
        """Return how many bots lose in a stage: all but one at the last table, before it never too many to fill it."""
        if remaining == self.table_size:
            return remaining - 1
        losers = self._count_tables(remaining) * (self.table_size - max(1, self.table_size // 2))
        return min(losers, remaining - self.table_size)

    def _count_tables(self, remaining: int) -> int:
        """Return the number of tables in a stage with this many bots left."""
        if self.table_size == 2:
            power_of_two = 1 << (remaining - 1).bit_length() - 1  # the bots left after this stage
            return remaining - power_of_two
        return remaining // self.table_size
