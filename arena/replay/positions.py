"""The positions of a match, with the view of every seat in each of them.

There is a position before each question, and one at the end. A position keeps a copy of the state, which is cheap;
views are computed, encoded, parsed and drawn only for the positions that are shown.
"""

from dataclasses import dataclass
from typing import Any

from arena.record.played_rules import steps
from arena.values.rows import StoredMatch
from referee.engine.events import Event
from referee.engine.game import State
from referee.engine.record import Step


@dataclass(slots=True)
class Position:
    """A position of a match: where a question is asked, or the end."""

    state: State
    """A copy of the state, without its log."""
    end: int
    """The number of events logged so far."""
    steps: tuple[Step, ...] = ()
    """The answers to the question; empty at the end."""

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that must answer; none at the end."""
        return self.state.asked

    def view(self, seat: int) -> Any:
        """Return the view of a seat, as `State.view` does."""
        return self.state.view(seat)


def match_positions(match: StoredMatch) -> tuple[list[Position], list[Event]]:
    """Replay the record; return its positions and its whole log.

    Raises UnknownGame, OptionError or RecordError if the record does not fit the installed rules.
    """
    positions: list[Position] = []
    events: list[Event] = []
    for state, answers in steps(match):
        if positions:
            positions[-1].steps = tuple(answers)
        events = state.events
        positions.append(Position(_copy_without_log(state), len(events)))
    return positions, events


def _copy_without_log(state: State) -> State:
    """Return a copy without its log: copying a long log for each position would be slow."""
    events, state.events = state.events, []
    copy = state.copy()
    state.events = events
    return copy
