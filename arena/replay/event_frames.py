"""The frames between two questions: the table after each event that changes what is seen.

Events of the same kind in a row, as the cards that all seats reveal, are one frame. What a game's events do to the
table is declared with their lines; in a game from another package events change only the words at the places.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.replay.event_table import EventTable, Movement
from arena.replay.log_lines import LogLine
from arena.replay.recent_events import with_recent_events
from arena.replay.scene import Scene
from arena.replay.table_events import TableEvents


@dataclass(frozen=True, slots=True)
class EventFrame:
    """The table after some of the events between two questions."""

    end: int
    """How many of the events before the next question have happened."""
    scene: Scene
    moved: tuple[Movement, ...] = ()
    """What has moved since the event frame before."""


def event_frames(
    handlers: TableEvents | None,
    before: Scene,
    after: Scene,
    events: Sequence[LogLine],
    perspective: int | None,
    *,
    ends: bool = False,
) -> tuple[EventFrame, ...]:
    """Return the frames that lead from one question to the next; the last one is that of the next question.

    before, after: the scenes of the questions.
    events: the lines of those between them that the perspective knows.
    ends: whether the match ends with them. The last view of a match then has cards both where they lay and where they
        went: the last frame is the table that the events made.
    """
    if handlers is None or not events:
        return (EventFrame(len(events), after),)
    *between, last = played_events(handlers, before, after, events, perspective)
    frames: list[EventFrame] = []
    waiting: tuple[Movement, ...] = ()
    for frame in between:
        waiting += frame.moved
        if frame.scene != (frames[-1].scene if frames else before):
            frames.append(replace(frame, moved=waiting))
            waiting = ()
    if ends:
        after = with_recent_events(last.scene, events)
    return (*frames, EventFrame(last.end, after, waiting + last.moved))


def played_events(
    handlers: TableEvents, before: Scene, after: Scene, events: Sequence[LogLine], perspective: int | None
) -> Iterator[EventFrame]:
    """Yield the table after each group of events, as the game's events make it. Parameters: see `event_frames`."""
    table = EventTable(before, after, perspective)
    end = 0
    for group in _groups(events):
        for line in group:
            handlers.play(table, line)
        end += len(group)
        if end == len(events):
            handlers.settle(table, None)
        scene = with_recent_events(table.scene(), group)
        yield EventFrame(end, scene, tuple(table.movements))
        table.movements.clear()


def _groups(events: Sequence[LogLine]) -> Iterator[list[LogLine]]:
    """Yield the events of one frame after another, as the rules declare with their lines."""
    group: list[LogLine] = []
    last: Any = None
    for line in events:
        number = line.event[0] if line.kind.alike is None else line.kind.alike
        if group and not line.kind.joined and number != last:
            yield group
            group = []
        if not line.kind.joined:
            last = number
        group.append(line)
    if group:
        yield group
