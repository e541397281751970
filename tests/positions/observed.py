"""Matches as one seat sees them, question by question."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from arena.positions import Position
from referee.engine.chance import Chance, seed_from_number
from referee.engine.events import Event, visible
from referee.engine.game import Game, State


class Shown(NamedTuple):
    """A question to the seat, and the true state behind it."""

    events: list[Event]
    """The lines of the log since its last question."""
    view: Any
    legal: tuple[str, ...]
    move: str
    """What it answers."""
    state: State


def observed(
    game: Game, options: Any, seats: int, seat: int, number: int, chance: Chance | None = None
) -> Iterator[Shown]:
    """Play a match at random and yield the questions to a seat; the state that comes with one is changed later.

    number: the match follows from it.
    chance: what deals it, if not that number.
    """
    rng = Random(number)
    state = game.start(options, seats, chance or Chance(seed_from_number(number)))
    seen = 0
    while state.asked:
        moves = [rng.choice(state.legal(other)) for other in state.asked]
        if seat in state.asked:
            events = [event for event in state.events[seen:] if visible(game.lines, event, seat)]
            seen = len(state.events)
            yield Shown(events, state.view(seat), state.legal(seat), moves[state.asked.index(seat)], state)
        state.apply(moves)


def told(position: Position, questions: Sequence[Shown]) -> Position:
    """Tell a position of questions; the last one stays open."""
    for number, shown in enumerate(questions):
        position.ask(shown.events, shown.view, shown.legal)
        if number < len(questions) - 1:
            position.answer(shown.move)
    return position
