"""The frames of a match: the positions that are known from one perspective.

All positions are known when the whole match is shown. A seat knows the last position and those in which it is asked.
In games with open turns (`arena.viewer.renderer.open_turns`) it also knows those in which the seat is asked whose turn
its own view shows, if it has heard an event since its last frame. So no frame reveals that somebody was asked in
secret, or, in a game that does not ask seats without a choice, that somebody had one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena.replay.played_rules import played_by_referee, rules
from arena.store.rows import FaultRow, StoredMatch
from arena.viewer.answer_clock import AnswerClock, AnswerTime
from arena.viewer.marks import FAULT, marks
from arena.viewer.positions import Position
from arena.viewer.renderer import open_turns
from referee.engine.events import Event, text, visible
from referee.engine.record import Step


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """An answer with its legal moves.

    ply: its number in the match; None in the frames of a seat, which cannot know how often others were asked.
    default: whether it is the referee's default move. spent: its time; None for a default move. said: its table talk.
    """

    ply: int | None
    seat: int
    legal: tuple[str, ...]
    move: str
    default: bool
    spent: AnswerTime | None
    notes: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A position with the events before it and the answers after it, as far as the perspective knows them.

    position: its index among the positions of the match; never shown to a seat. log: the events since the previous
    frame; events: their lines. asked: the seats to move. answers, faults: to this question.
    """

    position: int
    log: tuple[Event, ...]
    events: tuple[str, ...]
    asked: tuple[int, ...]
    answers: tuple[FrameAnswer, ...]
    faults: tuple[FaultRow, ...]
    marks: tuple[str, ...]


def frames(match: StoredMatch, positions: list[Position], log: list[Event], seat: int | None = None) -> Iterator[Frame]:
    """Yield the frames that `seat` knew; all frames if `seat` is None. positions, log: of the replayed match."""
    game, options = rules(match)
    lines, turns = game.lines, open_turns(game, options)
    remaining_faults = [fault for fault in match.row.faults if seat in (None, fault.seat)]
    reader = _AnswerReader(match)
    logged = 0
    new_events: list[Event] = []
    new_lines: list[str] = []
    for number, position in enumerate(positions):
        events = log[logged : position.end]
        logged = position.end
        seen = [event for event in events if seat is None or visible(lines, event, seat)]
        new_events += seen
        new_lines += [text(lines, event) for event in seen]
        answers = [answer for answer in reader.read(position.steps) if seat in (None, answer.seat)]
        last = position.steps[-1].ply if position.steps else None
        faults = [fault for fault in remaining_faults if last is None or fault.ply <= last]
        if not _is_known(position, seat, turns and bool(new_lines)):
            continue
        remaining_faults = [fault for fault in remaining_faults if fault not in faults]
        yield Frame(
            number,
            tuple(new_events),
            tuple(new_lines),
            position.asked if seat is None or seat in position.asked else _turn(position, seat),
            tuple(answers if seat is None else [replace(answer, ply=None) for answer in answers]),
            tuple(faults),
            (*marks(new_lines), *([FAULT] if faults else [])),
        )
        new_events, new_lines = [], []


def _is_known(position: Position, seat: int | None, log_grew: bool) -> bool:
    """Return whether a position is known from a perspective. log_grew: whether the seat heard an event since."""
    if seat is None or seat in position.asked or not position.asked:
        return True
    return log_grew and position.asked == _turn(position, seat)


def _turn(position: Position, seat: int) -> tuple[int, ...]:
    """Return whose turn it is by the view of a seat; nobody's if the view does not show it."""
    turn: int | None = getattr(position.view(seat), "turn", None)
    return () if turn is None or not position.asked else (turn,)


class _AnswerReader:
    """Collects moves, times, notes and talk of each answer from a record."""

    def __init__(self, match: StoredMatch) -> None:
        self._row = match.row
        self._clock = AnswerClock(match)
        self._notes: dict[tuple[int, int], tuple[str, ...]] = {}
        for note in match.row.notes:
            key = note.ply, note.seat
            self._notes[key] = (*self._notes.get(key, ()), note.text)
        self._talk = {(say.ply, say.seat): say.text for say in match.row.says}

    def read(self, steps: tuple[Step, ...]) -> Iterator[FrameAnswer]:
        """Yield the answers of the next position."""
        for step in steps:
            key = step.ply, step.seat
            yield FrameAnswer(
                step.ply,
                step.seat,
                step.legal,
                step.move,
                played_by_referee(self._row, step.seat, step.ply),
                self._clock.time_of(step.seat, step.ply),
                self._notes.get(key, ()),
                self._talk.get(key, ""),
            )
