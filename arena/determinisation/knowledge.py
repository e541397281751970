"""What a seat knew of a match at a moment, and how the others played until then."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.determinisation.overridable_chance import RecordingChance
from referee.engine.events import Event, visible
from referee.engine.game import Game, State
from referee.engine.record import Say

Moment = tuple[int, int]
"""How many lines a seat has been told and how many answers it has given: all that it can know the time by."""

MoveWithTalk = tuple[str, str]
"""A move, and what was said with it."""


@dataclass(slots=True)
class ObservedMatch:
    """A match up to the moment, seen from a seat.

    dealer: of the match. lines: what the seat was told. own: its answers. questions: its views with the moves it was
    offered, of each answer and, where it is asked at the moment, of that question.
    others: the answers of the others, by seat and moment. course: all answers, question by question.
    asked: who is asked at the moment. view: what the seat sees.
    """

    game: Game
    options: Any
    seats: int
    seat: int
    dealer: RecordingChance
    lines: list[Event] = field(default_factory=list)
    own: list[MoveWithTalk] = field(default_factory=list)
    questions: list[tuple[Any, tuple[str, ...]]] = field(default_factory=list)
    others: dict[tuple[int, Moment], list[MoveWithTalk]] = field(default_factory=dict)
    course: list[tuple[MoveWithTalk, ...]] = field(default_factory=list)
    asked: tuple[int, ...] = ()
    view: Any = None

    def start(self) -> State:
        """Return the opening position, as the dealer deals it now."""
        return self.game.start(self.options, self.seats, self.dealer)

    @property
    def end(self) -> Moment:
        """The moment, as the seat counts."""
        return len(self.lines), len(self.own)

    def told(self, events: Sequence[Event]) -> list[Event]:
        """Return those of some events that the seat may know."""
        lines = self.game.lines
        return [event for event in events if visible(lines, event, self.seat)]

    def read(self, answers: Sequence[int], says: Iterable[Say]) -> None:
        """Read a record up to the moment: its answers by number, and what was said with them."""
        words = {(say.ply, say.seat): say.text for say in says}
        state, seen, ply = self.start(), 0, 0
        while True:
            self.lines += self.told(state.events[seen:])
            seen = len(state.events)
            if self.seat in state.asked:
                self.questions.append((state.view(self.seat), state.legal(self.seat)))
            if ply >= len(answers):
                break
            moment, given = self.end, []
            for seat in state.asked:
                given.append((state.legal(seat)[answers[ply]], words.get((ply, seat), "")))
                ply += 1
            for seat, each in zip(state.asked, given, strict=True):
                if seat == self.seat:
                    self.own.append(each)
                else:
                    self.others.setdefault((seat, moment), []).append(each)
            self.course.append(tuple(given))
            play(state, given)
        self.asked, self.view = state.asked, state.view(self.seat)

    def fits(self, state: State, answers: int) -> bool:
        """Tell whether the seat, after so many answers, is asked what it was asked in the match."""
        if answers >= len(self.questions):
            return False
        view, legal = self.questions[answers]
        return state.legal(self.seat) == legal and state.view(self.seat) == view

    def reached(self, state: State, moment: Moment) -> bool:
        """Tell whether a match that went like this one so far stands at the moment."""
        if moment != self.end:
            return False
        if self.seat in self.asked:
            return self.seat in state.asked
        return state.asked == self.asked and state.view(self.seat) == self.view


def play(state: State, given: Sequence[MoveWithTalk]) -> None:
    """Let the table hear what is said, and play the moves."""
    for seat, (_, words) in zip(state.asked, given, strict=True):
        if words:
            state.say(seat, words)
    state.apply([move for move, _ in given])
