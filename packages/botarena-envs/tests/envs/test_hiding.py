"""Two matches that a seat cannot tell apart give it equal observations, whatever the others hold."""

import pytest

from arena.envs.episode import Setup
from arena.record.redealt_prefix import redeal_prefix
from arena.redeal.consistent_play import state_values
from referee.engine.game import Game
from referee.engine.record import unpack_answers
from tests.redeal.redealt_matches import at, moments
from tests.replay.replays import GAMES, stored

pytestmark = pytest.mark.toolchain  # some seconds


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_a_seat_cannot_know_is_in_no_observation(game: Game) -> None:
    match = stored(game)
    recorded = unpack_answers(match.row.answers)
    seats = len(match.row.seats)
    setup = Setup(game, seats, match.event.options)
    _, *later = moments(match, 4)
    differing = 0
    for number, answers in enumerate(later):
        before = at(match, None, recorded[:answers])
        seat = (before.asked[0] + number) % seats
        prefix = redeal_prefix(match, answers, seat, bytes([number] * 32))
        state = at(match, prefix.redeal, prefix.answers)
        assert state_values(state) != state_values(before)
        observer, offer = setup.observer, setup.actions.offer
        assert observer.encode(state.view(seat), seat) == observer.encode(before.view(seat), seat)
        if seat in before.asked:
            assert offer(state.legal(seat)).mask == offer(before.legal(seat)).mask
        others = set(range(seats)) - {seat}
        differing += any(
            observer.encode(state.view(other), other) != observer.encode(before.view(other), other) for other in others
        )
    # In Hypp nobody sees a card before all do.
    assert differing or game.name == "hypp"
