"""How an event goes on: in one go, or in stages of which each follows from the results of those before.

Every plan of a course is a pure function of the definition, the secret and the results of the stages before it, all
of which are stored whole before the next one begins. So going on after an interruption is the same as beginning.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Protocol

from arena.tournament.plan.authors import authors_of
from arena.tournament.plan.decisions import Decisions, bots_of
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.knockout import Knockout
from arena.tournament.plan.ladder import Ladder
from arena.tournament.plan.multi_stage import Placing, Read
from arena.tournament.plan.schedule import Plan, Start
from arena.tournament.plan.swiss import Swiss
from arena.tournament.plan.tie_break import Points, TieBreaker, lots

STAGED = ("swiss", "knockout", "ladder")
"""The schedules of events in stages."""


class Format(Protocol):
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


class SingleStage:
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
            start = span.next_start
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
        ranked = TieBreaker(points, self._rules, self._lots).places(
            bot for bot, name in enumerate(names) if name not in omitted
        )
        return [[names[bot] for bot in place] for place in ranked]


def format_of(definition: Definition, secret: bytes, decisions: Decisions | None = None) -> Format:
    """Return how a tournament goes on. definition: with the whole field; decisions: of its organiser."""
    decided = decisions or Decisions.of(definition)
    match definition.schedule:
        case "swiss":
            return Swiss(definition, secret, decided)
        case "knockout":
            return Knockout(definition, secret, decided)
        case "ladder":
            return Ladder(definition, secret, decided)
        case _:
            return SingleStage(definition, secret, decided)
