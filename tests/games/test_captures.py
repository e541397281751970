"""What a card captures, held against a slow reading of the rule; and the moves of a hand."""

from itertools import combinations
from random import Random

import pytest

from referee.games.captures import captures, plays
from referee.games.italian_pack import ORDER, PACK, VALUES


def slow(table: tuple[str, ...], card: str) -> list[tuple[str, ...]]:
    for count in range(1, len(table) + 1):
        if ways := [way for way in combinations(table, count) if sum(VALUES[c] for c in way) == VALUES[card]]:
            return ways
    return []


def test_the_pack() -> None:
    assert len(set(PACK)) == len(PACK) == len(set(ORDER.values())) == 40
    assert (VALUES["C7"], VALUES["B10"], VALUES["S1"]) == (7, 10, 1)
    assert sorted(("B5", "C10", "C5", "U1"), key=ORDER.__getitem__) == ["U1", "C5", "B5", "C10"]


@pytest.mark.parametrize("size", range(12))
def test_captures_are_those_of_the_rule(size: int) -> None:
    rng = Random(size)
    for _ in range(150):
        card, *table = rng.sample(PACK, size + 1)
        assert captures(tuple(table), card) == slow(tuple(table), card)


@pytest.mark.parametrize("size", range(9))
def test_a_hand_may_play_each_card_in_each_of_its_ways(size: int) -> None:
    rng = Random(size)
    for _ in range(100):
        cards = rng.sample(PACK, size + 3)
        hand, table = tuple(cards[:3]), tuple(cards[3:])
        moves = plays(hand, table)
        for card in hand:
            ways = slow(table, card)
            found = {text: captured for text, (played, captured) in moves.items() if played == card}
            if len(ways) < 2:
                assert found == {f"play {card}": ways[0] if ways else ()}
            else:
                assert found == {f"play {card} take {' '.join(way)}": way for way in ways}


@pytest.mark.parametrize("size", range(9))
def test_a_strict_hand_lays_a_card_down_only_if_none_captures(size: int) -> None:
    rng = Random(size)
    for _ in range(100):
        cards = rng.sample(PACK, size + 3)
        hand, table = tuple(cards[:3]), tuple(cards[3:])
        moves = plays(hand, table)
        taking = {text: play for text, play in moves.items() if slow(table, play[0])}
        assert list(plays(hand, table, strict=True).items()) == list((taking or moves).items())


def test_sums_of_many_small_cards_stay_quick() -> None:
    table = tuple(f"{suit}{value}" for suit in "CUSB" for value in (1, 2, 3))
    assert len(captures(table, "C10")) == len(slow(table, "C10")) > 50
