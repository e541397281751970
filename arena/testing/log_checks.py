"""The log: it only grows, and its events are well formed."""

from string import Formatter
from types import NoneType
from typing import Any

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.violation import Violation
from referee.engine.events import Audience, Line, text


@check
def check_log(case: MatchCase) -> None:
    """The log only grows, and each event is a line of the game's table with one value for each of its places."""
    played = case.played
    events = played.state.events
    for step, (state, seen) in enumerate(zip(played.states, played.seen, strict=True)):
        # Compare the whole prefix only now and then: a match of thousands of lines would take minutes.
        since = 0 if step % 32 == 0 else max(0, seen - 8)
        if len(state.events) != seen or state.events[since:] != events[since:seen]:
            raise Violation("lines that were logged before this step have changed since", step)
    for step, (begin, end) in enumerate(zip([0, *played.seen], [*played.seen, len(events)], strict=True)):
        for event in events[begin:end]:
            _check_event(case, event, max(step - 1, 0))


def _check_event(case: MatchCase, event: Any, step: int) -> None:
    lines = case.game.lines
    if not isinstance(event, tuple) or not event or type(event[0]) is not int or not 0 <= event[0] < len(lines):
        raise Violation(
            f"{event!r} is not an event: a tuple of the number of a line (0 to {len(lines) - 1}) and its values", step
        )
    line = lines[event[0]]
    if len(event) - 1 != places(line):
        raise Violation(
            f'"{line.text}" has {places(line)} places, but the event {event!r} has {len(event) - 1} values', step
        )
    if not all(type(value) in (int, str, NoneType) for value in event):
        # A bool equals a number, and a referee stores equal events once.
        raise Violation(f"the event {event!r} has a value that is neither a whole number nor a text nor None", step)
    if line.to in (Audience.SEAT, Audience.OTHERS) and event[1] not in range(case.seats):
        raise Violation(f'"{line.text}" is for {line.to.value}, but {event[1]!r} is not a seat', step)
    if not (line_text := text(lines, event)).isprintable() or line_text != line_text.strip():
        raise Violation(f"the line {line_text!r} does not print as one line", step)


def places(line: Line) -> int:
    """Return the number of values in a line."""
    return sum(field is not None for _, field, _, _ in Formatter().parse(line.text))
