"""How an event goes on: in one go, or in stages of which each follows from the results of those before.

Every plan of a course is a pure function of the definition, the secret and the results of the stages before it, all
of which are stored whole before the next one begins. So going on after an interruption is the same as beginning.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from arena.ratings import Result
from arena.tournament.decisions import Decisions
from arena.tournament.definition import Definition
from arena.tournament.schedule import Plan, Start

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
        """Return which leg a round of a stage belongs to (see `arena.tournament.decisions`)."""

    @property
    def matches(self) -> int:
        """The most matches that are played."""

    def plan(self, stage: int, read: Read) -> Plan | None:
        """Return the plan of a stage, from 0; None where the event is over before it."""

    def placing(self, read: Read) -> Placing | None:
        """Return who came in where once the event is over; None before, and where the ranking says it all."""


class Whole:
    """An event that is planned in one go, or anew from the block on before which somebody left or entered."""

    staged = False

    def __init__(self, definition: Definition, secret: bytes, decisions: Decisions) -> None:
        began = decisions.field[: decisions.first]
        self._plan = Plan.of(replace(definition, field=began), secret)
        self._spans = decisions.spans()
        self._challengers = definition.challengers

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
        return None


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
    def learn(self, stage: int, results: Iterable[Result]) -> None:
        """Take in the results of a stage; called once for each, in order."""

    @abstractmethod
    def places(self) -> Placing:
        """Return who came in where; the event is over."""

    def plan(self, stage: int, read: Read) -> Plan | None:
        while len(self._plans) <= stage:
            if self._plans and self._learned < len(self._plans):
                last = self._plans[-1]
                self.learn(len(self._plans) - 1, read(range(last.start.match, last.start.match + last.matches)))
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


class Points:
    """What bots made against each other: a point for a better rank, a half for a tie."""

    def __init__(self, bots: int) -> None:
        self.won = [[0.0] * bots for _ in range(bots)]
        self.met = [[0] * bots for _ in range(bots)]
        self.score = [0] * bots
        """Sums of the game's own scores."""

    def add(self, results: Iterable[Result], number: dict[str, int]) -> None:
        """Add matches; number: of each bot by name. A team of one bot counts as that bot."""
        for result in results:
            seated = [number[team if isinstance(team, str) else team[0]] for team in result.teams]
            for place, one in enumerate(seated):
                self.score[one] += result.scores[place]
                for against, other in enumerate(seated):
                    if one != other:
                        gap = result.ranks[against] - result.ranks[place]
                        self.won[one][other] += 1.0 if gap > 0 else 0.5 if gap == 0 else 0.0
                        self.met[one][other] += 1

    def mean(self, bot: int, against: Iterable[int] | None = None) -> float:
        """Return the part of its points that a bot made, against some or all; a half where it met nobody."""
        others = range(len(self.won)) if against is None else [*against]
        met = sum(self.met[bot][other] for other in others)
        return sum(self.won[bot][other] for other in others) / met if met else 0.5


def course_of(definition: Definition, secret: bytes, decisions: Decisions | None = None) -> Course:
    """Return how a tournament goes on. definition: with the whole field; decisions: of its organiser."""
    from arena.tournament.knockout import Knockout
    from arena.tournament.ladder import Ladder
    from arena.tournament.swiss import Swiss

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
