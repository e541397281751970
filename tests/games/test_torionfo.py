"""Torionfo: the cut, and what no scenario shows."""

from hashlib import sha256
from random import Random

import pytest

from referee.engine.chance import Chance, ScriptedChance
from referee.engine.errors import ScriptError, SeatsError
from referee.engine.events import history
from referee.games.torionfo import PRIZED, TORIONFO, TorionfoOptions, TorionfoState

OPTIONS = TorionfoOptions()


def seed(number: int) -> bytes:
    return sha256(b"torionfo %d" % number).digest()


@pytest.mark.parametrize("seats", [1, 3, 5])
def test_it_is_played_by_two_or_four(seats: int) -> None:
    with pytest.raises(SeatsError, match=f"torionfo is played by 2 or 4 seats, not {seats}"):
        TORIONFO.check(OPTIONS, seats)


def test_teams() -> None:
    assert TORIONFO.teams(OPTIONS, 4) == (0, 1, 0, 1)
    assert TORIONFO.teams(OPTIONS, 2) == (0, 1)


@pytest.mark.parametrize("size", [0, 40])
def test_a_cut_leaves_a_card_in_both_packets(size: int) -> None:
    chance = ScriptedChance(seed(1), picks={"cut": size})
    with pytest.raises(ScriptError, match=f"cut = {size} is out of range: it must be from 1 to 39"):
        TORIONFO.start(OPTIONS, 4, chance)


@pytest.mark.parametrize("seats", [2, 4])
def test_every_cut_of_many_decks(seats: int) -> None:
    """Cutter and dealer hold just what they were dealt and what they took; the looked-at card is where it is said."""
    for number in range(20):
        for size in range(1, 40):
            state = TORIONFO.start(OPTIONS, seats, ScriptedChance(seed(number), picks={"cut": size}))
            view = state.view(state.view(0).cutter)
            assert view.cut == size
            assert set(view.cut_taken) | set(view.turned_taken) <= set(PRIZED)
            assert len(view.cut_taken) <= size
            assert view.torionfo not in PRIZED
            assert view.looked is None or view.looked not in PRIZED
            assert (view.looked is None) == (len(view.cut_taken) == size)
            if view.looked_seat is not None:
                assert view.looked in state.hands[view.looked_seat]
            for seat in range(seats):
                taken = view.cut_taken * (seat == view.cutter) + view.turned_taken * (seat == view.dealer)
                assert len(state.hands[seat]) == 32 // seats + len(taken)
            assert view.pile == 40 - 32 - 1 - len(view.cut_taken) - len(view.turned_taken)


def test_six_prized_cards_may_be_taken() -> None:
    deck = [10, 10, 14, 14, 15, 15, *[c for c in range(9, -5, -1) for _ in (0, 1)], 11]
    state = TORIONFO.start(OPTIONS, 4, ScriptedChance(seed(1), deck, (), {"first": 0, "cut": 6}))
    assert state.view(3).cut_taken == (15, 15, 14, 14, 10, 10)
    assert len(state.hands[3]) == 14
    state = TORIONFO.start(
        OPTIONS, 4, ScriptedChance(seed(1), deck[6:34] + [11, 11, 12, 12] + deck[:6], (), {"cut": 7})
    )
    assert state.view(0).turned_taken == (10, 10, 14, 14, 15, 15)


def test_everybody_deals_once() -> None:
    for seats in (2, 4):
        state = finish(TORIONFO.start(OPTIONS, seats, ScriptedChance(seed(2), picks={"first": 1})), 3)
        begun = [line for line in history(TORIONFO.lines, state.events) if line.startswith("deal ")]
        dealers = [(1 + n) % seats for n in range(4)]
        assert begun == [f"deal {n + 1} begins: seat {dealer} deals" for n, dealer in enumerate(dealers)]


def test_scores_are_the_points_of_all_deals() -> None:
    for number in range(5):
        state = finish(TORIONFO.start(OPTIONS, 4, Chance(seed(number))), number)
        told = [line.split() for line in history(TORIONFO.lines, state.events) if line.startswith("team ")]
        assert len(told) == 8
        for team in (0, 1):
            assert state.outcome().scores[team] == sum(int(words[3]) for words in told if words[1] == str(team))
        assert sum(state.outcome().scores[:2]) <= 4 * 240


def finish(state: TorionfoState, number: int) -> TorionfoState:
    rng = Random(number)
    while state.asked:
        state.apply([rng.choice(state.legal(state.asked[0]))])
    return state


def test_default_keeps_the_torionfo_card() -> None:
    state = TORIONFO.start(OPTIONS, 4, Chance(seed(1)))
    state.torionfo = -4
    state.moves = ("discard 15", "discard 0", "discard -1", "discard -4")
    state.stage = 1
    assert state.default(0) == "discard -1"
    state.moves = ("play 15", "play 1", "play -4 number", "play -4 picture")
    state.stage = 2
    assert state.default(0) == "play 1"
    state.moves = ("play -4 number", "play -4 picture")
    assert state.default(0) == "play -4 number"
