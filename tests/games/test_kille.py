"""Kille in seeded random play: ends, cards and chips, hiding; and what no scenario shows."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from referee.engine.errors import OptionError, SeatsError
from referee.games.cuckoo_pack import pack
from referee.games.kille import KILLE, KilleOptions, KilleState
from tests.games.dealt import deal, log, play, random_match, step

TABLES: list[tuple[int, dict[str, Any]]] = [
    (3, {}),
    (5, {}),
    (20, {}),
    (3, {"duplicate": True}),
    (6, {"duplicate": True}),
    (13, {"duplicate": True}),
    (4, {"target": 3}),
    (7, {"target": 5, "max_deals": 4}),
]
EACH_TABLE = pytest.mark.parametrize(
    ("seats", "options"), TABLES, ids=["-".join([str(seats), *options]) for seats, options in TABLES]
)


def begun(seats: int, number: int, options: dict[str, Any]) -> KilleState:
    state = random_match(KILLE, seats, number, **options)
    assert isinstance(state, KilleState)
    return state


def finish(state: KilleState, number: int) -> KilleState:
    rng = Random(number)
    while state.asked:
        step(state, rng)
    return state


@EACH_TABLE
def test_random_matches_end_and_keep_cards_and_chips(seats: int, options: dict[str, Any]) -> None:
    for number in range(4):
        state = begun(seats, number, options)
        rng = Random(number)
        while state.asked:
            held = [card for hand in state.hands for card in hand]
            assert Counter([*held, *state.played, *state.table, *state.aside]) == Counter(pack())
            assert len(state.aside) == 40 % seats
            for seat in range(seats):
                legal = state.legal(seat)
                assert (len(legal) > 1) == (seat in state.asked)
                assert len(set(legal)) == len(legal)
            assert state.default(state.asked[0]) == state.legal(state.asked[0])[0]
            step(state, rng)
        outcome = state.outcome()
        if options.get("duplicate"):
            assert sum(outcome.scores) == seats * seats
            assert min(outcome.scores) >= 0
            assert state.deal == seats
        else:
            assert sum(outcome.scores) == state.deal
            target, deals = options.get("target", 0), options.get("max_deals", 500)
            assert (target and max(outcome.scores) == target) or state.deal == (deals if target else seats)
        assert min(outcome.ranks) == 1


@EACH_TABLE
def test_every_trick_goes_by_the_rules(seats: int, options: dict[str, Any]) -> None:
    """The log of every deal, trick by trick: who had nothing stronger played the weakest card of the hand."""
    state = finish(begun(seats, 9, options), 9)
    hands: dict[int, list[int]] = {}
    table: list[tuple[int, int]] = []
    for line in log(KILLE, state):
        words = line.split()
        if words[2:4] == ["is", "dealt"] or words[2:4] == ["takes", "over"]:
            hands[int(words[1])] = [*map(int, words[4:])]
        elif words[2] == "plays":
            seat, card = int(words[1]), int(words[3])
            hand = hands[seat]
            strongest = max([card for _, card in table], default=-5)
            assert card > strongest or (max(hand) <= strongest and card == min(hand))
            hand.remove(card)
            table.append((seat, card))
        elif words[2:] == ["wins", "the", "trick"]:
            cards = [card for _, card in table]
            best = [seat for seat, card in table if card == (max(cards) if any(hands.values()) else min(cards))]
            assert int(words[1]) == best[-1]
            assert not any(hands.values()) or len(best) == 1
            table = []


@EACH_TABLE
def test_the_cards_of_others_change_nothing_that_a_seat_sees(seats: int, options: dict[str, Any]) -> None:
    state = begun(seats, 8, options)
    rng = Random(8)
    while state.asked and state.deal == 1:
        for seat in range(seats):
            twin = state.copy()
            hidden = [card for other, hand in enumerate(state.hands) if other != seat for card in hand] + [*state.aside]
            rng.shuffle(hidden)
            for other, hand in enumerate(twin.hands):
                if other != seat:
                    twin.hands[other] = sorted((hidden.pop() for _ in hand), reverse=True)
            twin.aside = tuple(hidden)
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)
        step(state, rng)


def test_a_hand_is_told_to_its_seat_alone() -> None:
    state = finish(begun(5, 1, {}), 1)
    for seat in range(5):
        dealt = [line for line in log(KILLE, state, seat) if " is dealt " in line]
        assert len(dealt) == 5
        assert all(line.startswith(f"seat {seat} ") for line in dealt)


def test_everybody_plays_every_hand_of_duplicate() -> None:
    state = begun(6, 2, {"duplicate": True})
    rng = Random(2)
    dealt: dict[int, tuple[tuple[int, ...], ...]] = {}
    leads: dict[int, tuple[int, ...]] = {}
    while state.asked:
        dealt[state.deal] = state.dealt
        leads[state.deal] = state.dealt[state.leaders[0]]
        step(state, rng)
    for seat in range(6):
        assert {hands[seat] for hands in dealt.values()} == set(dealt[1])
    assert len(set(leads.values())) == 1


def test_a_deck_goes_on_in_the_next_deal() -> None:
    """With 19 players two cards are out of play, and the script skips them."""
    spare = [15, 14]
    first = list(pack())
    for card in spare:
        first.remove(card)
    state = deal(KILLE, 19, [*first, *spare, -4], first=18)
    assert state.dealt[0] == (15, 5)
    while state.deal == 1:
        play(state, f"{state.asked[0]} {state.moves[0]}")
    assert [card in state.dealt[seat] for seat, card in ((1, 15), (2, 14), (3, -4))] == [True] * 3


@pytest.mark.parametrize("seats", [2, 21])
def test_it_is_played_by_three_to_twenty(seats: int) -> None:
    with pytest.raises(SeatsError, match=f"kille is played by 3 to 20 seats, not {seats}"):
        KILLE.check(KilleOptions(), seats)


def test_a_target_and_duplicate_contradict_each_other() -> None:
    with pytest.raises(OptionError, match="duplicate and target = 3 contradict each other"):
        KilleOptions.parse({"target": 3, "duplicate": "on"})
