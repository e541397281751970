"""Bots look ahead in chess: there is one world, whatever the book."""

from random import Random

from botarena_chess.game import CHESS

from arena.positions import Position
from referee.engine.chance import Chance, seed_from_number
from referee.engine.events import visible


def test_there_is_one_world_and_it_goes_on_like_the_match() -> None:
    options, rng = CHESS.options(), Random(1)
    state = CHESS.start(options, 2, Chance(seed_from_number(5)))
    position = Position(CHESS, options, 2, 1, 1)
    seen = asked = 0
    while asked < 5:
        move = rng.choice(state.legal(state.asked[0]))
        if state.asked == (1,):
            events = [event for event in state.events[seen:] if visible(CHESS.lines, event, 1)]
            seen = len(state.events)
            position.ask(events, state.view(1), state.legal(1))
            first, second = position.worlds(2)
            assert first.view(1) == second.view(1) == state.view(1)
            first.play(move)
            twin = state.copy()
            twin.apply([move])
            assert first.view(0) == twin.view(0)
            position.answer(move)
            asked += 1
        state.apply([move])
    assert position.given_up == 0
