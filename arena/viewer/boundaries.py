"""The positions of a match, with what every seat could see in each of them.

A boundary stands before each question, and one at the end. It keeps the views as the rules give them, which costs next
to nothing: they are encoded, parsed and drawn one at a time, when somebody looks.
"""

from dataclasses import dataclass
from typing import Any

from arena.replay.rules import steps
from arena.store.rows import StoredMatch
from referee.engine.events import Event
from referee.engine.record import Step


@dataclass(frozen=True, slots=True)
class Boundary:
    """A position.

    asked: the seats that must answer; none at the end. end: how many events were logged by then.
    views: by seat, the tuples of `State.view`. steps: the answers that were given; none at the end.
    """

    asked: tuple[int, ...]
    end: int
    views: tuple[Any, ...]
    steps: tuple[Step, ...] = ()


def boundaries(match: StoredMatch) -> tuple[list[Boundary], list[Event]]:
    """Play the record again; return its positions and its whole log.

    Raises UnknownGame, OptionError or RecordError where the record does not fit the installed rules.
    """
    found: list[Boundary] = []
    events: list[Event] = []
    seats = range(len(match.row.seats))
    for state, answered in steps(match):
        if found:
            before = found[-1]
            found[-1] = Boundary(before.asked, before.end, before.views, tuple(answered))
        events = state.events
        found.append(Boundary(state.asked, len(events), tuple(map(state.view, seats))))
    return found, events
