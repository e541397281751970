"""What Swiss, knockout and ladder share: a plan for each stage, made from the results of the stages before it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from arena.ratings import Result
from arena.tournament.plan.decisions import Decisions
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.schedule import Plan, Start
from arena.tournament.plan.tie_break import lots

Read = Callable[[range], Iterable[Result]]
"""Returns the results of the matches with these numbers; bots are named as in the field."""

Placing = list[list[str]]
"""Bots by place, best first; those that share a place together."""


class MultiStage(ABC):
    """An event in stages. Those who sit together at a table play `rounds` deals there, the same at all tables."""

    staged = True

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        self.decisions = decisions
        self.began = decisions.first
        self.names = [bot.name for bot in definition.field]
        self.number = {name: number for number, name in enumerate(self.names)}
        self.rules = definition.tie_break
        self.lots = lots(len(self.names), secret)
        self._first = replace(Plan.of(definition, secret), common=True)
        self._plans: list[Plan] = []
        self._learned = 0

    @property
    def size(self) -> int:
        """The bots at a table."""
        return self._first.places

    @property
    def matches(self) -> int:
        return self.most_tables() * self._first.rounds * self._first.rotations

    def leg(self, stage: int, round: int) -> int:
        return stage

    @abstractmethod
    def most_tables(self) -> int:
        """Return the tables of all stages together, at the most."""

    @abstractmethod
    def tables(self, stage: int) -> Sequence[Sequence[int]]:
        """Return who sits together in a stage, by places in the field; nothing where the event is over."""

    @abstractmethod
    def learn(self, results: Iterable[Result]) -> None:
        """Take in the results of the next stage; called once for each, in order."""

    @abstractmethod
    def places(self) -> Placing:
        """Return who came in where; the event is over."""

    def plan(self, stage: int, read: Read) -> Plan | None:
        while len(self._plans) <= stage:
            if self._plans and self._learned < len(self._plans):
                last = self._plans[-1]
                self.learn(read(range(last.start.match, last.start.match + last.matches)))
                self._learned += 1
            tables = tuple(tuple(table) for table in self.tables(len(self._plans)))
            if not tables:
                return None
            self._plans.append(replace(self._first, given=tables, start=self._next_start()))
        return self._plans[stage]

    def placing(self, read: Read) -> Placing | None:
        stage = 0
        while (plan := self.plan(stage, read)) is not None:
            numbers = range(plan.start.match, plan.start.match + plan.matches)
            if stage == len(self._plans) - 1 and not self.decisions.complete(plan, read(numbers)):
                return None
            stage += 1
        return self.places()

    def _next_start(self) -> Start:
        return self._plans[-1].next_start if self._plans else Start()
