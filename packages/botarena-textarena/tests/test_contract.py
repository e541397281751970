"""Games of every kind keep arena's contract."""

import pytest

from arena.testing import check_game
from referee.engine import registry

KINDS = (
    "TicTacToe-v0",
    "KuhnPoker-v0",  # hidden cards, rounds
    "SimpleNegotiation-v0",  # hidden values, talk
    "LiarsDice-v0",  # two to fifteen
    "SecretMafia-v0",  # hidden roles, talk to some
)


@pytest.mark.parametrize("name", KINDS)
def test_the_contract(name: str) -> None:
    check_game(registry.game(f"textarena:{name}"), examples=1)
