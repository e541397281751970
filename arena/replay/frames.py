"""The frames of a match: the positions that are known from one perspective.

All positions are known when the whole match is shown. A seat knows the last position and those in which it is asked.
In games with open turns (`arena.replay.renderer.open_turns`) it also knows those in which the seat is asked whose turn
its own view shows, if it has heard an event since its last frame. So no frame reveals that somebody was asked in
secret, or, in a game that does not ask seats without a choice, that somebody had one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

from arena.language.message import Message
from arena.record.answer_clock import AnswerClock, AnswerTime
from arena.record.played_rules import played_by_referee, rules
from arena.record.printed import PRINTED, NoteBlock, note_blocks
from arena.replay.log_lines import LogLine, log_line
from arena.replay.marks import FAULT, marks
from arena.replay.phrases import phrased
from arena.replay.positions import Position
from arena.replay.renderer import open_turns
from arena.values.rows import FaultRow, StoredMatch
from referee.engine.events import Event, visible
from referee.engine.record import Step


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """An answer with its legal moves."""

    ply: int | None
    """The number of the answer in the match; None in the frames of a seat, which cannot know how often others were
    asked.
    """
    seat: int
    legal: tuple[str, ...]
    move: str
    default: bool
    """Whether the move is the referee's default move."""
    spent: AnswerTime | None
    """The time of the answer; None for a default move."""
    notes: tuple[str, ...]
    """Its remarks, and as messages the lines that were printed while only its question was open."""
    said: str
    """The table talk that the seat sent with the move."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A position with the events before it and the answers after it, as far as the perspective knows them."""

    position: int
    """The index of the position among those of the match; never shown to a seat."""
    events: tuple[LogLine, ...]
    """The lines of the log since the previous frame."""
    asked: tuple[int, ...]
    """The seats to move."""
    answers: tuple[FrameAnswer, ...]
    """The answers to its question."""
    faults: tuple[FaultRow, ...]
    """The faults at its question."""
    marks: tuple[str, ...]


def frames(match: StoredMatch, positions: list[Position], log: list[Event], seat: int | None = None) -> Iterator[Frame]:
    """Yield the frames that `seat` knew; all frames if `seat` is None.

    positions, log: the positions and the log of the replayed match.
    """
    game, options = rules(match)
    lines, turns = game.lines, open_turns(game, options)
    remaining_faults = [fault for fault in match.row.faults if seat in (None, fault.seat)]
    line_of = cache(partial(log_line, lines))  # the lines of a long log repeat
    reader = _AnswerReader(match, game.phrases)
    logged = 0
    new_lines: list[LogLine] = []
    for number, position in enumerate(positions):
        events = log[logged : position.end]
        logged = position.end
        new_lines += [line_of(event) for event in events if seat is None or visible(lines, event, seat)]
        answers = [answer for answer in reader.read(position.steps) if seat in (None, answer.seat)]
        last = position.steps[-1].ply if position.steps else None
        faults = [fault for fault in remaining_faults if last is None or fault.ply <= last]
        if not _is_known(position, seat, turns and bool(new_lines)):
            continue
        remaining_faults = [fault for fault in remaining_faults if fault not in faults]
        yield Frame(
            number,
            tuple(new_lines),
            position.asked if seat is None or seat in position.asked else _turn(position, seat),
            tuple(answers if seat is None else [replace(answer, ply=None) for answer in answers]),
            tuple(faults),
            (*marks(new_lines), *([FAULT] if faults else [])),
        )
        new_lines = []


def _is_known(position: Position, seat: int | None, log_grew: bool) -> bool:
    """Return whether a position is known from a perspective.

    log_grew: whether the seat heard an event since.
    """
    if seat is None or seat in position.asked or not position.asked:
        return True
    return log_grew and position.asked == _turn(position, seat)


def _turn(position: Position, seat: int) -> tuple[int, ...]:
    """Return whose turn it is by the view of a seat; nobody's if the view does not show it."""
    turn: int | None = getattr(position.view(seat), "turn", None)
    return () if turn is None or not position.asked else (turn,)


class _AnswerReader:
    """Collects moves, times, notes and talk of each answer from a record."""

    def __init__(self, match: StoredMatch, phrases: tuple[str, ...]) -> None:
        self._phrases = phrases
        self._row = match.row
        self._clock = AnswerClock(match)
        self._notes: dict[tuple[int, int], tuple[str, ...]] = {}
        for note in match.row.notes:
            key = note.ply, note.seat
            self._notes[key] = (*self._notes.get(key, ()), *map(_note, note_blocks((note.text,))))
        self._talk = {(say.ply, say.seat): say.text for say in match.row.says}

    def read(self, steps: tuple[Step, ...]) -> Iterator[FrameAnswer]:
        """Yield the answers of the next position."""
        for step in steps:
            key = step.ply, step.seat
            yield FrameAnswer(
                step.ply,
                step.seat,
                tuple([phrased(self._phrases, move) for move in step.legal]),
                phrased(self._phrases, step.move),
                played_by_referee(self._row, step.seat, step.ply),
                self._clock.time_of(step.seat, step.ply),
                self._notes.get(key, ()),
                self._talk.get(key, ""),
            )


def _note(block: NoteBlock) -> str:
    [text] = block.lines
    return Message(f"{PRINTED}{{0}}", text) if block.is_output else text
