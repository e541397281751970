"""Zifuli: payments in random play, options, and what no scenario shows."""

from collections import Counter
from hashlib import sha256
from random import Random

import pytest

from referee.engine.chance import Chance
from referee.engine.errors import OptionError, SeatsError
from referee.engine.events import history
from referee.games.zifuli import ZIFULI, ZifuliOptions


def seed(number: int) -> bytes:
    return sha256(b"zifuli %d" % number).digest()


@pytest.mark.parametrize("seats", [4, 6])
def test_it_is_played_by_five(seats: int) -> None:
    with pytest.raises(SeatsError, match=f"zifuli is played by 5 seats, not {seats}"):
        ZIFULI.check(ZifuliOptions(), seats)


def test_every_seat_is_its_own_team() -> None:
    assert ZIFULI.teams(ZifuliOptions(), 5) == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"end": "broke", "deals": 5}, "deals=5 contradicts end=broke"),
        ({"deals": 600}, "deals=600 contradicts max_deals=500"),
        ({"max_deals": 9}, "deals=10 contradicts max_deals=9"),
    ],
)
def test_options_that_contradict_each_other(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        ZifuliOptions.parse(given)


def test_payments_are_those_of_the_page() -> None:
    """Over many random deals: each deal moves one of the four patterns of chips, or none."""
    patterns = Counter[tuple[int, ...]]()
    rng = Random(1)
    for number in range(40):
        state = ZIFULI.start(ZifuliOptions(), 5, Chance(seed(number)))
        chips, deal = state.chips, 1
        while True:
            if state.deal != deal or not state.asked:
                gains = [now - before for now, before in zip(state.chips, chips, strict=True)]
                patterns[tuple(sorted(gains))] += 1
                chips, deal = state.chips, state.deal
            if not state.asked:
                break
            state.apply([rng.choice(state.legal(state.asked[0]))])
    assert patterns.keys() <= {
        (-1, -1, -1, 1, 2), (-2, -1, 1, 1, 1), (-2, -2, -2, -2, 8), (-8, 2, 2, 2, 2), (0, 0, 0, 0, 0),
    }  # fmt: skip
    assert len(patterns) >= 4


def test_broke_ends_by_the_first_who_is() -> None:
    rng = Random(2)
    for number in range(20):
        state = ZIFULI.start(ZifuliOptions(end="broke", chips=2), 5, Chance(seed(number)))
        while state.asked:
            assert min(state.chips) > 0
            state.apply([rng.choice(state.legal(state.asked[0]))])
        broke = next(seat for seat in range(5) if state.chips[seat] <= 0)
        assert history(ZIFULI.lines, state.events)[-1] == f"the match is over: seat {broke} has no chips left"


def test_all_passing_ends_a_match_without_a_payment() -> None:
    state = ZIFULI.start(ZifuliOptions(end="broke"), 5, Chance(seed(1)))
    while state.asked:
        state.apply([state.default(state.asked[0])])
    assert state.deal == 500
    assert state.chips == (20,) * 5


def test_the_partner_is_told_and_nobody_else() -> None:
    rng = Random(4)
    told = 0
    for number in range(20):
        state = ZIFULI.start(ZifuliOptions(deals=1), 5, Chance(seed(number)))
        while state.asked:
            for seat in range(5):
                secret = any("holds the twin" in line for line in history(ZIFULI.lines, state.events, seat))
                assert secret == (state.twin == seat)
                view = state.view(seat)
                assert (view.partner is not None or view.alone) == (
                    state.twin is not None and (secret or state.revealed)
                )
                told += secret
            state.apply([rng.choice(state.legal(state.asked[0]))])
    assert told


def test_default_passes_and_then_plays_what_counts_least() -> None:
    state = ZIFULI.start(ZifuliOptions(), 5, Chance(seed(1)))
    assert state.default(state.asked[0]) == "pass"
    state.stage = 2
    state.moves = tuple(f"play {card}" for card in (15, 5, 3, 0, -1, -3, -4))
    assert state.default(0) == "play -1"
