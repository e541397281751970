"""What one seat knows of a match: its lines of the log, its questions, and its view in between."""

from dataclasses import dataclass, field
from typing import Any

from arena.testing.case import MatchCase
from arena.testing.violation import Violation
from arena.values.snapshot import difference, take_snapshot
from referee.codec import ViewEncoder
from referee.engine.events import Event, visible
from referee.engine.game import State

Moment = tuple[int, int]
"""The number of lines that a seat has seen and of answers that it has given: all it knows of the time."""


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question to a seat: its view, also encoded, the legal moves and the default move."""

    view: tuple[Any, ...]
    encoded: bytes
    legal: tuple[str, ...]
    default: str

    def difference(self, other: "ShownQuestion") -> str:
        """Return how another question differs, in words; "" if it does not."""
        if self.view != other.view and (change := difference(_fields(self.view), _fields(other.view), "its view")):
            return change
        if self.encoded != other.encoded:
            return "the bytes of its view"
        if sorted(self.legal) != sorted(other.legal):
            return f"the moves it is offered: {self.legal} or {other.legal}"
        if self.legal != other.legal:
            return f"the order of the moves it is offered: {self.legal} or {other.legal}"
        return "" if self.default == other.default else f'its default move: "{self.default}" or "{other.default}"'


def _fields(view: Any) -> Any:
    return {name: take_snapshot(value) for name, value in view._asdict().items()}


@dataclass(slots=True)
class SeatHistory:
    """What one seat knows of a match that was played."""

    case: MatchCase
    seat: int
    lines: list[Event] = field(default_factory=list)
    """The events that the seat may see."""
    answers: list[str] = field(default_factory=list)
    """The moves of the seat."""
    moments: list[Moment] = field(default_factory=list)
    """The moment of each boundary."""
    questions: dict[Moment, ShownQuestion] = field(default_factory=dict)
    """The question that the seat was asked at each moment at which it was asked."""
    views: dict[Moment, Any] = field(default_factory=dict)
    """The view of the seat at each moment at which it was not asked."""

    def question(self, state: State, encoder: ViewEncoder) -> ShownQuestion:
        """Return the question that the seat is asked in a state."""
        view = state.view(self.seat)
        return ShownQuestion(view, encoder.encode(view), state.legal(self.seat), state.default(self.seat))

    def visible(self, events: list[Event]) -> list[Event]:
        """Return the events that the seat may see."""
        lines = self.case.game.lines
        return [event for event in events if visible(lines, event, self.seat)]


def seat_history(case: MatchCase, seat: int) -> SeatHistory:
    """Return what `seat` knows of the match of a case.

    Raises Violation if its view or a question changes without a new line of the log.
    """
    history = SeatHistory(case, seat)
    played = case.played
    encoder = ViewEncoder(case.game)
    begin = 0
    for step, (state, end) in enumerate(zip(played.states, played.seen, strict=True)):
        history.lines += history.visible(played.state.events[begin:end])
        begin = end
        moment = (len(history.lines), len(history.answers))
        history.moments.append(moment)
        if seat in state.asked:
            now = history.question(state, encoder)
            if changed := history.questions.setdefault(moment, now).difference(now):
                raise Violation(f"{_nothing_new(history)} {changed}", step)
        else:
            view = state.view(seat)
            if (before := history.views.setdefault(moment, view)) != view:
                change = difference(_fields(before), _fields(view), "its view")
                raise Violation(f"{_nothing_new(history)} {change}", step)
        if step < len(played.moves) and seat in state.asked:
            history.answers.append(played.moves[step][state.asked.index(seat)])
    return history


def _nothing_new(history: SeatHistory) -> str:
    return f"seat {history.seat} is told nothing new by the log, and yet"
