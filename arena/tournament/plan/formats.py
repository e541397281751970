"""How an event goes on: in one go, or in stages of which each follows from the results of those before.

Every plan of a course is a pure function of the definition, the secret and the results of the stages before it, all
of which are stored whole before the next one begins. So going on after an interruption is the same as beginning.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import Protocol

from arena.ratings import Result
from arena.tournament.plan.authors import authors_of
from arena.tournament.plan.decisions import Decisions, bots_of
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.schedule import Plan, Start
from arena.tournament.plan.tie_break import Points, Ranking
from referee.engine.chance import Chance

Read = Callable[[range], Iterable[Result]]
"""Returns the results of the matches with these numbers; bots are named as in the field."""

STAGED = ("swiss", "knockout", "ladder")
"""The schedules of events in stages."""

Placing = list[list[str]]
"""Bots by place, best first; those that share a place together."""


class Course(Protocol):
    """The plans of an event, one after the other."""

    @property
    def staged(self) -> bool:
        """Whether each of them is a leg."""

    def leg(self, stage: int, round: int) -> int:
        """Return which leg a round of a stage belongs to (see `arena.tournament.plan.decisions`)."""

    @property
    def matches(self) -> int:
        """The most matches that are played."""

    def plan(self, stage: int, read: Read) -> Plan | None:
        """Return the plan of a stage, from 0; None where the event is over before it."""

    def placing(self, read: Read) -> Placing | None:
        """Return who came in where once the event is over; None before, and where the ranking says it all.

        In an event that is planned in one go it does, unless rules for ties were declared: then points decide.
        """


class Whole:
    """An event that is planned in one go, or anew from the block on before which somebody left or entered."""

    staged = False

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        began = decisions.field[: decisions.first]
        self._plan = Plan.of(replace(definition, field=began), secret)
        self._spans = decisions.spans()
        self._challengers = definition.challengers
        self._decisions = decisions
        self._rules = definition.tie_break
        self._authors = authors_of(definition)
        self._lots = lots(len(decisions.field), secret)

    @property
    def matches(self) -> int:
        return self._plan.matches

    def leg(self, stage: int, round: int) -> int:
        return round // self._plan.block

    def plan(self, stage: int, read: Read) -> Plan | None:
        whole, start = self._plan, Start()
        ends = [first * whole.block for first, _ in self._spans[1:]] + [whole.rounds]
        for number, (end, (_, members)) in enumerate(zip(ends, self._spans, strict=True)):
            if end > whole.rounds:
                end = whole.rounds
            rounds = end - start.round
            if rounds <= 0 or not self._enough(members):
                return None
            span = whole if len(self._spans) == 1 else replace(whole, rounds=rounds, start=start)
            if members != tuple(range(whole.bots)):
                challengers = sum(place < self._challengers for place in members) if whole.challengers else 0
                span = replace(
                    span,
                    bots=len(members),
                    members=members,
                    challengers=challengers,
                    most_tables=whole.tables,
                    leg=number,
                    authors=tuple(self._authors[place] for place in members) if self._authors else (),
                )
            if number == stage:
                return span
            start = after(span)
        return None

    def _enough(self, members: Sequence[int]) -> bool:
        """Tell whether there is anybody to be compared."""
        challenging = sum(place < self._challengers for place in members)
        return 0 < challenging < len(members) if self._plan.challengers else len(members) > 1

    def placing(self, read: Read) -> Placing | None:
        if not self._rules:
            return None
        names = [bot.name for bot in self._decisions.field]
        omitted, points = self._decisions.omitted, Points(len(names))
        for stage in count():
            plan = self.plan(stage, read)
            if plan is None:
                break
            results = [*read(range(plan.start.match, plan.start.match + plan.matches))]
            if not self._decisions.complete(plan, results):
                return None
            counting = [result for result in results if omitted.isdisjoint(bots_of(result))]
            points.add(counting, {name: number for number, name in enumerate(names)})
        ranked = Ranking(points, self._rules, self._lots).places(
            bot for bot, name in enumerate(names) if name not in omitted
        )
        return [[names[bot] for bot in place] for place in ranked]


def lots(bots: int, secret: bytes) -> list[int]:
    """Return the lot of each bot."""
    drawn = Chance(secret).shuffle(range(bots), "schedule", "lots")
    return [drawn.index(bot) for bot in range(bots)]


def after(plan: Plan) -> Start:
    """Return what the plan after this one counts from."""
    return Start(
        match=plan.start.match + plan.matches,
        deal=plan.start.deal + plan.deals_dealt,
        phase=plan.start.phase + plan.phases,
        round=plan.start.round + plan.rounds,
    )


class Staged(ABC):
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
        return after(self._plans[-1]) if self._plans else Start()


def course_of(definition: Definition, secret: bytes, decisions: Decisions | None = None) -> Course:
    """Return how a tournament goes on. definition: with the whole field; decisions: of its organiser."""
    from arena.tournament.plan.knockout import Knockout
    from arena.tournament.plan.ladder import Ladder
    from arena.tournament.plan.swiss import Swiss

    decided = decisions or Decisions.of(definition)
    match definition.schedule:
        case "swiss":
            return Swiss(definition, secret, decided)
        case "knockout":
            return Knockout(definition, secret, decided)
        case "ladder":
            return Ladder(definition, secret, decided)
        case _:
            return Whole(definition, secret, decided)
