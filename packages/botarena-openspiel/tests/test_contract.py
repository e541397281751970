"""Games of every kind keep arena's contract."""

import pytest

from arena.testing import check_game
from referee.engine import registry

KINDS = (
    "leduc_poker",
    "kuhn_poker(players=3)",
    "liars_dice",
    "phantom_ttt_ir",  # imperfect recall
    "turn_based_simultaneous_game(game=goofspiel(num_cards=4,imp_info=True,points_order=descending))",
    "tiny_bridge_4p",
    "tiny_hanabi",  # all players win together
    "oh_hell",  # no observations
    "gin_rummy",  # no information states
    "skat",  # fractions of points
    "tic_tac_toe",
    "pentago",  # 288 moves at once
    "pig",  # unequal numbers of outcomes at one place
    "yacht",
    "first_sealed_auction",
)


@pytest.mark.parametrize("name", KINDS)
def test_the_contract(name: str) -> None:
    check_game(registry.game(f"openspiel:{name}"), examples=1)
