"""Bots look ahead in games of OpenSpiel: where everything is seen, and where little is dealt."""

from random import Random

import pytest

from arena.positions import NoWorld, Position
from referee.engine import registry
from referee.engine.chance import Chance, seed_from_number
from referee.engine.events import visible


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "leduc_poker", "kuhn_poker(players=3)", "liars_dice"])
def test_a_world_cannot_be_told_from_the_real_state(name: str) -> None:
    game = registry.game(f"openspiel:{name}")
    options, seats, rng, asked = game.options(), game.recommended, Random(1), 0
    position = Position(game, options, seats, 0, 1)
    state = game.start(options, seats, Chance(seed_from_number(1)))
    seen = 0
    while state.asked and asked < 8:
        moves = [rng.choice(state.legal(seat)) for seat in state.asked]
        if 0 in state.asked:
            events = [event for event in state.events[seen:] if visible(game.lines, event, 0)]
            seen = len(state.events)
            position.ask(events, state.view(0), state.legal(0))
            for world in position.worlds(3):
                assert world.view(0) == state.view(0)
                world.playout(rng)
                assert world.is_over
            position.answer(moves[state.asked.index(0)])
            asked += 1
        state.apply(moves)
    assert asked


def test_what_was_dealt_to_others_in_poker_is_fair() -> None:
    game = registry.game("openspiel:kuhn_poker")
    state = game.start(game.options(), 2, Chance(seed_from_number(1)))
    position = Position(game, game.options(), 2, 0, 1)
    position.ask([event for event in state.events if visible(game.lines, event, 0)], state.view(0), state.legal(0))
    seen = [world.view(1).information for world in position.worlds(400)]
    assert len(set(seen)) == 2
    assert 150 < seen.count(seen[0]) < 250


def test_a_game_that_deals_too_much_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.positions.position.TRIES", 20)
    game = registry.game("openspiel:gin_rummy")
    state = game.start(game.options(), 2, Chance(seed_from_number(1)))
    seat = state.asked[0]
    position = Position(game, game.options(), 2, seat, 1)
    events = [event for event in state.events if visible(game.lines, event, seat)]
    position.ask(events, state.view(seat), state.legal(seat))
    with pytest.raises(NoWorld, match="20 were dealt in vain"):
        position.world()
