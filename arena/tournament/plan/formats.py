"""Formats of events: single-stage, or in stages that follow from the results of the stages before.

Every plan of an event is a pure function of the definition, the secret and the results of the stages before it, which
are all stored before the next stage begins. Resuming a tournament is therefore the same as starting it.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Protocol

from arena.tournament.plan.authors import author_numbers
from arena.tournament.plan.decisions import Decisions, bots_of
from arena.tournament.plan.definition import Definition
from arena.tournament.plan.knockout import Knockout
from arena.tournament.plan.ladder import Ladder
from arena.tournament.plan.multi_stage import Placing, ResultReader
from arena.tournament.plan.schedule import Offset, Plan
from arena.tournament.plan.swiss import Swiss
from arena.tournament.plan.tie_break import PointTotals, TieBreaker, draw_lots

MULTI_STAGE = ("swiss", "knockout", "ladder")
"""The schedules of multi-stage events."""


class Format(Protocol):
    """How an event proceeds: the plan of each stage, and the final places."""

    @property
    def is_multi_stage(self) -> bool:
        """Whether the event is multi-stage: each stage is a leg."""

    def leg_of(self, stage: int, round: int) -> int:
        """Return the leg that a round of a stage belongs to (see `arena.tournament.plan.decisions`)."""

    @property
    def matches(self) -> int:
        """The maximum number of matches."""

    def plan(self, stage: int, read: ResultReader) -> Plan | None:
        """Return the plan of a stage, from 0; None if the event is over before it.

        In a single-stage event the rounds between two changes of the field count as a stage.
        """

    def placing(self, read: ResultReader) -> Placing | None:
        """Return the bots by place once the event is over.

        Returns None before that, and if the ranking decides: in single-stage events without tie-break rules.
        """


class SingleStage:
    """A single-stage event; the remaining blocks are planned anew when a bot leaves or enters."""

    is_multi_stage = False

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        initial_field = decisions.field[: decisions.initial_bots]
        self._plan = Plan.of(replace(definition, field=initial_field), secret)
        self._participants = decisions.participants_by_leg()
        self._challengers = definition.challengers
        self._decisions = decisions
        self._rules = definition.tie_break
        self._authors = author_numbers(definition)
        self._lots = draw_lots(len(decisions.field), secret)

    @property
    def matches(self) -> int:
        return self._plan.matches

    def leg_of(self, stage: int, round: int) -> int:
        return round // self._plan.block

    def plan(self, stage: int, read: ResultReader) -> Plan | None:
        complete, offset = self._plan, Offset()
        ends = [leg * complete.block for leg, _ in self._participants[1:]] + [complete.rounds]
        for number, (end, (_, members)) in enumerate(zip(ends, self._participants, strict=True)):
            if end > complete.rounds:
                end = complete.rounds
            rounds = end - offset.round
            if rounds <= 0 or not self._can_play(members):
                return None
            part = complete if len(self._participants) == 1 else replace(complete, rounds=rounds, offset=offset)
            part = replace(part, redraws=self._decisions.redraws)
            if members != tuple(range(complete.bots)):
                challengers = sum(bot < self._challengers for bot in members) if complete.challengers else 0
                part = replace(
                    part,
                    bots=len(members),
                    members=members,
                    challengers=challengers,
                    max_tables=complete.tables,
                    leg=number,
                    authors=tuple(self._authors[bot] for bot in members) if self._authors else (),
                )
            if number == stage:
                return part
            offset = part.next_offset
        return None

    def _can_play(self, members: Sequence[int]) -> bool:
        """Return whether there are opponents left: two bots, or in a gauntlet a challenger and another bot."""
        challengers = sum(bot < self._challengers for bot in members)
        return 0 < challengers < len(members) if self._plan.challengers else len(members) > 1

    def placing(self, read: ResultReader) -> Placing | None:
        if not self._rules:
            return None
        names = [bot.name for bot in self._decisions.field]
        omitted, points = self._decisions.omitted, PointTotals(len(names))
        for stage in count():
            plan = self.plan(stage, read)
            if plan is None:
                break
            results = [*read(range(plan.offset.match, plan.offset.match + plan.matches))]
            if not self._decisions.is_complete(plan, results):
                return None
            counting = [result for result in results if omitted.isdisjoint(bots_of(result))]
            points.add(counting, {name: index for index, name in enumerate(names)})
        ranked = TieBreaker(points, self._rules, self._lots).places(
            bot for bot, name in enumerate(names) if name not in omitted
        )
        return [[names[bot] for bot in place] for place in ranked]


def format_of(definition: Definition, secret: bytes, decisions: Decisions | None = None) -> Format:
    """Return the format of a tournament.

    definition: with the full field. decisions: of its organiser; by default none.
    """
    decisions = decisions or Decisions.of(definition)
    match definition.schedule:
        case "swiss":
            return Swiss(definition, secret, decisions)
        case "knockout":
            return Knockout(definition, secret, decisions)
        case "ladder":
            return Ladder(definition, secret, decisions)
        case _:
            return SingleStage(definition, secret, decisions)
