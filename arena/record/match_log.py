"""The log of a match as everybody or one seat could see it.

A seat sees the events that the game shows to it, and its own decisions (with the legal moves), notes, times and
faults. Those of other seats could reveal hidden cards, and are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.record.played_rules import played_by_referee, rules, steps
from arena.values.rows import FaultRow, MatchRow, StoredMatch
from referee.engine.events import Event, text, visible
from referee.engine.game import State
from referee.engine.record import Step, unpack_time


@dataclass(frozen=True, slots=True)
class LogEvent:
    """A line of the game's log."""

    text: str
    event: Event
    """The event that it stands for."""


@dataclass(frozen=True, slots=True)
class LogDecision:
    """An answer: the legal moves, the chosen one, its time, and the bot's notes."""

    ply: int
    seat: int
    legal: tuple[str, ...]
    move: str
    default: bool
    """Whether it is the default move, as no legal answer came in time."""
    micros: float | None
    """The time in µs (in steps of 7.5 %); None for a default move, or if the record holds no times."""
    notes: tuple[str, ...]
    words: str = ""
    """The move as people read it; empty: as it was answered."""


Entry = LogEvent | LogDecision | FaultRow


def log(match: StoredMatch, seat: int | None = None) -> Iterator[Entry]:
    """Yield the log of a match in order, as `seat` could see it; all of it if `seat` is None.

    Raises UnknownGame, OptionError or RecordError if the record does not fit the installed rules.
    """
    game, _ = rules(match)
    logged = 0
    faults = [fault for fault in match.row.faults if seat is None or fault.seat == seat]

    def lines(events: list[Event], end: int) -> Iterator[LogEvent]:
        nonlocal logged
        for event in events[logged:end]:
            if seat is None or visible(game.lines, event, seat):
                yield LogEvent(text(game.lines, event), event)
        logged = max(logged, end)

    state: State | None = None
    for state, answers in steps(match):
        if not answers:
            continue
        yield from lines(state.events, answers[0].seen)
        while faults and faults[0].ply <= answers[-1].ply:
            yield faults.pop(0)
        for step in answers:
            if seat is None or step.seat == seat:
                yield _decision(match.row, step)
    if state is not None:
        yield from lines(state.events, len(state.events))
    yield from faults


def _decision(row: MatchRow, step: Step) -> LogDecision:
    default = played_by_referee(row, step.seat, step.ply)
    micros = None if default or step.ply >= len(row.times) else unpack_time(row.times[step.ply])
    notes = tuple(note.text for note in row.notes if note.seat == step.seat and note.ply == step.ply)
    return LogDecision(step.ply, step.seat, step.legal, step.move, default, micros, notes)
