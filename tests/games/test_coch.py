"""Coch: what no scenario shows."""

from hashlib import sha256
from random import Random

import pytest

from referee.engine.chance import Chance
from referee.engine.errors import SeatsError
from referee.games.coch import COCH, CochOptions


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_it_is_played_by_four(seats: int) -> None:
    with pytest.raises(SeatsError, match=f"coch is played by 4 seats, not {seats}"):
        COCH.check(CochOptions(), seats)


def test_partners_face_each_other() -> None:
    assert COCH.teams(CochOptions(), 4) == (0, 1, 0, 1)


def test_every_deal_is_worth_one() -> None:
    rng = Random(1)
    for deals in (1, 2, 7):
        state = COCH.start(CochOptions(deals=deals), 4, Chance(sha256(b"coch %d" % deals).digest()))
        while state.asked:
            assert sum(state.view(0).points) <= 19
            state.apply([rng.choice(state.legal(state.asked[0]))])
        assert sum(state.view(0).points) == 19
        scores = state.outcome().scores
        assert scores[0] + scores[1] == deals * COCH.scale
        assert scores[:2] == scores[2:]


def test_default_is_the_card_that_counts_least() -> None:
    state = COCH.start(CochOptions(), 4, Chance(bytes(32)))
    state.moves = tuple(f"play {card}" for card in (15, 9, 5, 4, 0, -2, -3))
    assert state.default(0) == "play -2"
    state.moves = tuple(f"play {card}" for card in (10, 9, 5))
    assert state.default(0) == "play 5"
