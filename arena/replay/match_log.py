"""The log of a match as everybody, or as one seat could know it.

A seat knows the events that the game's table of lines grants it, and of the rest only what is its
own: its decisions with the moves it was offered, its notes, its times, its faults. Who else was
asked, for how long they thought, and what they did wrong may tell of hidden cards, so it is not told.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.replay.played_rules import played_by_referee, rules, steps
from arena.store.rows import FaultRow, MatchRow, StoredMatch
from referee.engine.events import Event, text, visible
from referee.engine.game import State
from referee.engine.record import Step, unpack_time


@dataclass(frozen=True, slots=True)
class LogEvent:
    """A line of the game's log."""

    text: str


@dataclass(frozen=True, slots=True)
class LogDecision:
    """An answer: what was offered and played, what the bot noted, and how long it took.

    default: the referee played the move, for want of a good answer. micros: its time in µs (in steps
    of 7.5 %), None where the referee played or the record holds no time.
    """

    ply: int
    seat: int
    legal: tuple[str, ...]
    move: str
    default: bool
    micros: float | None
    notes: tuple[str, ...]


Entry = LogEvent | LogDecision | FaultRow


def log(match: StoredMatch, seat: int | None = None) -> Iterator[Entry]:
    """Yield what happened, in order; as `seat` could know it, or all of it where `seat` is None.

    Raises UnknownGame, OptionError or RecordError where the record does not fit the installed rules.
    """
    game, _ = rules(match)
    told = 0
    waiting = [fault for fault in match.row.faults if seat is None or fault.seat == seat]

    def lines(events: list[Event], end: int) -> Iterator[LogEvent]:
        nonlocal told
        for event in events[told:end]:
            if seat is None or visible(game.lines, event, seat):
                yield LogEvent(text(game.lines, event))
        told = max(told, end)

    state: State | None = None
    for state, answered in steps(match):
        if not answered:
            continue
        yield from lines(state.events, answered[0].seen)
        while waiting and waiting[0].ply <= answered[-1].ply:
            yield waiting.pop(0)
        for step in answered:
            if seat is None or step.seat == seat:
                yield _decision(match.row, step)
    if state is not None:
        yield from lines(state.events, len(state.events))
    yield from waiting


def _decision(row: MatchRow, step: Step) -> LogDecision:
    default = played_by_referee(row, step.seat, step.ply)
    micros = None if default or step.ply >= len(row.times) else unpack_time(row.times[step.ply])
    notes = tuple(note.text for note in row.notes if note.seat == step.seat and note.ply == step.ply)
    return LogDecision(step.ply, step.seat, step.legal, step.move, default, micros, notes)
