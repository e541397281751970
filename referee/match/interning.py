"""Events that are equal are kept once."""

from collections.abc import Callable

from referee.engine.events import Event

KEPT_EVENTS = 1 << 16
"""How many different events are kept to be shared."""

_EVENTS: dict[Event, Event] = {}


def kept() -> Callable[[Event, Event], Event]:
    """Return what finds the one object for all events that are equal.

    The logs of hundreds of matches under way say the same few things again and again: kept apart they would take two
    thirds of a referee's memory, and more than the processor's caches hold.
    """
    if len(_EVENTS) > KEPT_EVENTS:
        _EVENTS.clear()
    return _EVENTS.setdefault
