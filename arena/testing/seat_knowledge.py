"""What one seat is told in a match: the lines it may see, its questions, and what its view shows in between."""

from dataclasses import dataclass, field
from typing import Any

from arena.snapshot import difference, take_snapshot
from arena.testing.case import MatchCase
from arena.testing.violation import Violation
from referee.engine.events import Event, visible
from referee.engine.game import State
from referee.wire import ViewEncoder

Moment = tuple[int, int]
"""How many lines a seat has been told and how many answers it has given: all that it can know the time by."""


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """What is put to a seat: the view as bytes and as it was, the moves offered, the default move."""

    view: tuple[Any, ...]
    encoded: bytes
    legal: tuple[str, ...]
    default: str

    def difference(self, other: "ShownQuestion") -> str:
        """Say in what another question differs; "" where it is the same."""
        if self.view != other.view and (found := difference(_fields(self.view), _fields(other.view), "its view")):
            return found
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
    """What one seat is told in a match that was played.

    lines: the events it may see. answers: its moves. moments: by boundary, what it had been told and answered.
    questions, views: what it was asked, and what its view showed while it was not, by moment.
    """

    case: MatchCase
    seat: int
    lines: list[Event] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    questions: dict[Moment, ShownQuestion] = field(default_factory=dict)
    views: dict[Moment, Any] = field(default_factory=dict)

    def question(self, state: State, encode: ViewEncoder) -> ShownQuestion:
        """Return the question that is put to the seat."""
        view = state.view(self.seat)
        return ShownQuestion(view, encode(view), state.legal(self.seat), state.default(self.seat))

    def told(self, events: list[Event]) -> list[Event]:
        """Return those of some events that the seat may know."""
        lines = self.case.game.lines
        return [event for event in events if visible(lines, event, self.seat)]


def seat_history(case: MatchCase, seat: int) -> SeatHistory:
    """Return what `seat` is told in the match of a case.

    Raises Violation where its view, or a question, changes though it was told nothing new.
    """
    told = SeatHistory(case, seat)
    played = case.played
    encode = ViewEncoder(case.game)
    begin = 0
    for step, (state, end) in enumerate(zip(played.states, played.seen, strict=True)):
        told.lines += told.told(played.state.events[begin:end])
        begin = end
        moment = (len(told.lines), len(told.answers))
        told.moments.append(moment)
        if seat in state.asked:
            now = told.question(state, encode)
            if changed := told.questions.setdefault(moment, now).difference(now):
                raise Violation(f"{_nothing_new(told)} {changed}", step)
        else:
            view = state.view(seat)
            if (before := told.views.setdefault(moment, view)) != view:
                raise Violation(f"{_nothing_new(told)} {difference(_fields(before), _fields(view), 'its view')}", step)
        if step < len(played.moves) and seat in state.asked:
            told.answers.append(played.moves[step][state.asked.index(seat)])
    return told


def _nothing_new(told: SeatHistory) -> str:
    return f"seat {told.seat} is told nothing new by the log, and yet"
