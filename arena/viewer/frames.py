"""The frames of a match: its positions as one audience knows of them.

Everybody together knows all positions. A seat knows of the last one and of those in which it is asked itself. In games
with open turns (see `painting.open_turns`) it knows as well of those in which the seat is asked whose turn its own view
tells it is, where its log has told it something since. So no frame shows that somebody was asked in secret, or, in a
game that does not ask who has no choice, that somebody had one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

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
    """What a seat was offered and played.

    ply: its number in the match; None for a seat, which cannot know how often others were asked. spent: None where the
    referee played. default: the referee played the move. said: what the table heard with it.
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
    """A position, with what led to it and what was answered.

    position: its place among the match's positions; never told to a seat. events: the lines of the log since the frame
    before. asked: who must answer, as far as the audience knows. answers, faults: to this question, as far as it knows.
    """

    position: int
    events: tuple[str, ...]
    asked: tuple[int, ...]
    answers: tuple[FrameAnswer, ...]
    faults: tuple[FaultRow, ...]
    marks: tuple[str, ...]


def frames(match: StoredMatch, found: list[Position], log: list[Event], seat: int | None = None) -> Iterator[Frame]:
    """Yield the frames of a match as `seat` knew them, or all of them where `seat` is None."""
    game = rules(match).game
    lines, turns = game.lines, open_turns(game)
    waiting = [fault for fault in match.row.faults if seat in (None, fault.seat)]
    answers = _Answers(match)
    told = 0
    heard: list[str] = []
    for number, position in enumerate(found):
        events = log[told : position.end]
        told = position.end
        heard += [text(lines, event) for event in events if seat is None or visible(lines, event, seat)]
        given = [answer for answer in answers.of(position.steps) if seat in (None, answer.seat)]
        last = position.steps[-1].ply if position.steps else None
        faults = [fault for fault in waiting if last is None or fault.ply <= last]
        if not _known(position, seat, turns and bool(heard)):
            continue
        waiting = [fault for fault in waiting if fault not in faults]
        yield Frame(
            number,
            tuple(heard),
            position.asked if seat is None or seat in position.asked else _turn(position, seat),
            tuple(given if seat is None else [_without_ply(answer) for answer in given]),
            tuple(faults),
            (*marks(heard), *([FAULT] if faults else [])),
        )
        heard = []


def _known(position: Position, seat: int | None, log_grew: bool) -> bool:
    """Tell whether an audience knows of a position."""
    if seat is None or seat in position.asked or not position.asked:
        return True
    return log_grew and position.asked == _turn(position, seat)


def _turn(position: Position, seat: int) -> tuple[int, ...]:
    """Return whose turn a seat sees it is; nobody's where its view does not tell."""
    turn: int | None = getattr(position.view(seat), "turn", None)
    return () if turn is None or not position.asked else (turn,)


class _Answers:
    """Puts together what the record tells of an answer in different places."""

    def __init__(self, match: StoredMatch) -> None:
        self._row = match.row
        self._clock = AnswerClock(match)
        self._notes: dict[tuple[int, int], tuple[str, ...]] = {}
        for note in match.row.notes:
            key = note.ply, note.seat
            self._notes[key] = (*self._notes.get(key, ()), note.text)
        self._said = {(say.ply, say.seat): say.text for say in match.row.says}

    def of(self, steps: tuple[Step, ...]) -> Iterator[FrameAnswer]:
        """Yield the answers of the next position."""
        for step in steps:
            key = step.ply, step.seat
            yield FrameAnswer(
                step.ply,
                step.seat,
                step.legal,
                step.move,
                played_by_referee(self._row, step.seat, step.ply),
                self._clock.spent(step.seat, step.ply),
                self._notes.get(key, ()),
                self._said.get(key, ""),
            )


def _without_ply(answer: FrameAnswer) -> FrameAnswer:
    return FrameAnswer(
        None, answer.seat, answer.legal, answer.move, answer.default, answer.spent, answer.notes, answer.said
    )
