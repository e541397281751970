"""Interning of events: equal events of all matches are one object."""

from collections.abc import Sequence

from referee.engine.events import Event

MAX_EVENTS = 1 << 16
"""How many different events are interned."""

_EVENTS: dict[Event, Event] = {}


def intern_events(events: Sequence[Event]) -> list[Event]:
    """Return equal events, each as the one object for all that are equal.

    The logs of hundreds of matches under way say the same few things again and again: as separate objects they would
    take two thirds of a referee's memory, and more than the caches of a processor hold.
    """
    if len(_EVENTS) > MAX_EVENTS:
        _EVENTS.clear()
    return list(map(_EVENTS.setdefault, events, events))
