"""Formats of events: single-stage, or in stages that follow from the results of the stages before.

Every plan of an event is a pure function of the definition, the secret and the results of the stages before it, which
are all stored before the next stage begins. Resuming a tournament is therefore the same as starting it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Protocol

from msgspec import structs

from arena.language.message import Message
from arena.plan.author_separation import author_numbers
from arena.plan.decisions import Decisions, bots_of
from arena.plan.knockout import Knockout
from arena.plan.ladder import Ladder
from arena.plan.multi_stage import MultiStage, Placing, ResultReader
from arena.plan.schedule import Offset, Plan
from arena.plan.swiss import Swiss
from arena.plan.tie_break import PointTotals, TieBreaker, draw_lots
from arena.values.definition import Definition, Schedule


class Format(Protocol):
    """How an event proceeds: the plan of each stage, and the final places."""

    @property
    def is_multi_stage(self) -> bool:
        """Whether the event is multi-stage: each stage is a leg."""

    def leg_of(self, stage: int, round: int) -> int:
        """Return the leg that a round of a stage belongs to (see `arena.plan.decisions`)."""

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

    def stage_name(self, stage: int, read: ResultReader) -> Message | None:
        """Return what a stage is called, from 0; None in a single-stage event, and if the event is over before it."""

    @property
    def exits(self) -> Mapping[str, Message]:
        """The stage in which each bot lost that plays no more, by its name, as far as `placing` has found it."""


class SingleStage:
    """A single-stage event; the remaining blocks are planned anew when a bot leaves or enters."""

    is_multi_stage = False
    exits: Mapping[str, Message] = {}

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        initial_field = decisions.field[: decisions.initial_bots]
        self._plan = Plan.of(structs.replace(definition, field=initial_field), secret)
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

    def stage_name(self, stage: int, read: ResultReader) -> Message | None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleKind:
    """What distinguishes a schedule from others: all that is asked about it, besides its format."""

    format: type[SingleStage | MultiStage] = SingleStage
    """The class of its format."""
    counts_stages: bool = False
    """Whether the organiser says how many stages there are."""
    has_challengers: bool = False
    """Whether the first bots of the field are challengers."""
    is_seeded: bool = False
    """Whether the order of the field says who meets whom."""
    needs_full_table: bool = False
    """Whether the field must fill a table without copies of bots."""
    repeats_deals: bool = False
    """Whether a bot plays a deal at several tables."""
    admits_late_bots: bool = False
    """Whether bots may enter after the start."""
    separates_authors: bool = False
    """Whether bots of one author can be kept apart."""
    mixes_teams: bool = False
    """Whether partners can be drawn from the field."""
    stops_early: bool = False
    """Whether a test of the ranking may end it."""
    breaks_ties: bool = True
    """Whether rules for ties may place its bots."""
    needs_winners: bool = False
    """Whether each table needs a winner: then there are always rules for ties, of which the last leaves none."""
    strength_tells: bool = True
    """Whether bots with equal points can have met opponents of different strength."""


KINDS: Mapping[Schedule, ScheduleKind] = {
    "round-robin": ScheduleKind(admits_late_bots=True, separates_authors=True, mixes_teams=True, stops_early=True),
    "gauntlet": ScheduleKind(has_challengers=True, repeats_deals=True),
    "tables": ScheduleKind(),
    "swiss": ScheduleKind(
        format=Swiss,
        counts_stages=True,
        needs_full_table=True,
        admits_late_bots=True,
        separates_authors=True,
    ),
    "knockout": ScheduleKind(
        format=Knockout, is_seeded=True, needs_full_table=True, needs_winners=True, strength_tells=False
    ),
    "ladder": ScheduleKind(format=Ladder, has_challengers=True, is_seeded=True, breaks_ties=False),
}
"""What each schedule is like."""


def format_of(definition: Definition, secret: bytes, decisions: Decisions | None = None) -> Format:
    """Return the format of a tournament.

    definition: with the full field, late entrants included.
    decisions: those of its organiser; by default none.
    """
    return KINDS[definition.schedule].format(definition, secret, decisions or Decisions.of(definition))
