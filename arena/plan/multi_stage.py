"""Base class of Swiss, knockout and ladder: each stage is planned from the results of the stages before it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from arena.language.message import Message
from arena.plan.decisions import Decisions
from arena.plan.schedule import Offset, Plan
from arena.plan.tie_break import draw_lots
from arena.ratings import Result
from arena.values.definition import Definition

ResultReader = Callable[[range], Iterable[Result]]
"""Returns the results of the matches with these numbers; bots are named as in the field."""

Placing = list[list[str]]
"""The names of the bots by place, best first; bots in the same list share a place."""


class MultiStage(ABC):
    """A multi-stage event. The bots of a table play `rounds` deals in a stage, the same deals at all tables."""

    is_multi_stage = True

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        self.decisions = decisions
        self.initial_bots = decisions.initial_bots
        self.names = [bot.name for bot in definition.field]
        self.index_by_name = {name: index for index, name in enumerate(self.names)}
        self.rules = definition.tie_break
        self.lots = draw_lots(len(self.names), secret)
        self._template = replace(Plan.of(definition, secret), common_deals=True)
        self._plans: list[Plan] = []
        self._stages_read = 0

    @property
    def table_size(self) -> int:
        """The number of bots at a table."""
        return self._template.table_size

    @property
    def matches(self) -> int:
        return self.max_tables() * self._template.rounds * self._template.rotations

    def leg_of(self, stage: int, round: int) -> int:
        return stage

    @property
    def exits(self) -> Mapping[str, Message]:
        return {}

    @abstractmethod
    def stage_name(self, stage: int, read: ResultReader) -> Message | None:
        """Return what a stage is called, from 0; None if the event is over before it."""

    @abstractmethod
    def max_tables(self) -> int:
        """Return the maximum number of tables in all stages together."""

    @abstractmethod
    def draw_tables(self, stage: int) -> Sequence[Sequence[int]]:
        """Return the tables of a stage, as indices of bots in the field; empty if the event is over.

        Called stage by stage, in order; again for the same stage only if it had no tables.
        """

    @abstractmethod
    def add_results(self, results: Iterable[Result]) -> None:
        """Add the results of the next stage. Called once for each stage, in order."""

    @abstractmethod
    def final_places(self) -> Placing:
        """Return the bots by place. Called once the event is over."""

    def plan(self, stage: int, read: ResultReader) -> Plan | None:
        while len(self._plans) <= stage:
            if self._plans and self._stages_read < len(self._plans):
                last = self._plans[-1]
                self.add_results(read(range(last.offset.match, last.offset.match + last.matches)))
                self._stages_read += 1
            tables = tuple(tuple(table) for table in self.draw_tables(len(self._plans)))
            if not tables:
                return None
            self._plans.append(replace(self._template, fixed_tables=tables, offset=self._next_offset()))
        return self._plans[stage]

    def placing(self, read: ResultReader) -> Placing | None:
        stage = 0
        while (plan := self.plan(stage, read)) is not None:
            numbers = range(plan.offset.match, plan.offset.match + plan.matches)
            if stage == len(self._plans) - 1 and not self.decisions.is_complete(plan, read(numbers)):
                return None
            stage += 1
        return self.final_places()

    def _next_offset(self) -> Offset:
        return self._plans[-1].next_offset if self._plans else Offset()
