"""The positions of a match, with what every seat could see in each of them.

A position stands before each question, and one at the end. It keeps the state of the rules, which costs next to
nothing: what a seat saw is asked for, encoded, parsed and drawn for one position at a time, when somebody looks.
"""

from dataclasses import dataclass
from typing import Any

from arena.replay.played_rules import steps
from arena.store.rows import StoredMatch
from referee.engine.events import Event
from referee.engine.game import State
from referee.engine.record import Step


@dataclass(slots=True)
class Position:
    """A position.

    state: as it was, without its log. end: how many events were logged by then. steps: the answers that were given;
    none at the end.
    """

    state: State
    end: int
    steps: tuple[Step, ...] = ()

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that must answer; none at the end."""
        return self.state.asked

    def view(self, seat: int) -> Any:
        """Return what a seat saw, the tuple of `State.view`."""
        return self.state.view(seat)


def positions(match: StoredMatch) -> tuple[list[Position], list[Event]]:
    """Play the record again; return its positions and its whole log.

    Raises UnknownGame, OptionError or RecordError where the record does not fit the installed rules.
    """
    found: list[Position] = []
    events: list[Event] = []
    for state, answered in steps(match):
        if found:
            found[-1].steps = tuple(answered)
        events = state.events
        found.append(Position(_without_log(state), len(events)))
    return found, events


def _without_log(state: State) -> State:
    """Return a copy without its log: to copy that of a long match again and again takes long."""
    events, state.events = state.events, []
    twin = state.copy()
    state.events = events
    return twin
