"""The track of Perudo, the texts of its bids, and the ways to roll again."""

from itertools import pairwise
from math import comb

import pytest

from referee.games.bids import (
    SKULL,
    Bid,
    bid_of,
    cup_of,
    faces_text,
    height,
    raises,
    reroll_moves,
    rerolls,
    showdown_raises,
    texts,
    track,
    turn_moves,
)


def cells(dice: int) -> list[str]:
    """Return the cells of the track as they are climbed: numbers, skull cells in brackets."""
    found = [f"[{bid.quantity}]" if bid.face == SKULL else str(bid.quantity) for bid in track(dice)]
    return [cell for before, cell in pairwise(["", *found]) if cell != before]


def test_the_cells_of_the_track() -> None:
    assert cells(6) == ["1", "2", "[1]", "3", "4", "[2]", "5", "6", "[3]", "[4]", "[5]", "[6]"]


@pytest.mark.parametrize("dice", [2, 3, 10, 30])
def test_every_bid_stands_once_and_above_the_one_before(dice: int) -> None:
    assert len(set(track(dice))) == len(track(dice)) == 6 * dice
    assert all(height(lower) < height(higher) for lower, higher in pairwise(track(dice)))
    assert {bid.quantity for bid in track(dice)} == set(range(1, dice + 1))


def test_skull_cells_stand_where_the_rule_puts_them() -> None:
    for skulls in range(1, 16):
        assert height(Bid(2 * skulls, 6)) < height(Bid(skulls, SKULL)) < height(Bid(2 * skulls + 1, 2))


@pytest.mark.parametrize("dice", [2, 7, 30])
def test_raises_are_what_is_left_of_the_track(dice: int) -> None:
    assert raises(dice, None) == texts(dice)
    for place, bid in enumerate(track(dice)):
        assert raises(dice, bid) == texts(dice)[place + 1 :]


def test_texts_are_read_back() -> None:
    assert [bid_of(text.removeprefix("bid ")) for text in texts(30)] == list(track(30))
    assert bid_of("2x1") == bid_of("2xskull") == Bid(2, SKULL)


def test_showdown_raises() -> None:
    assert len(showdown_raises(7, None)) == 42
    assert showdown_raises(2, None)[:7] == (
        "bid 1x1", "bid 1x2", "bid 1x3", "bid 1x4", "bid 1x5", "bid 1x6", "bid 2x1",
    )  # fmt: skip
    assert showdown_raises(5, Bid(3, 4)) == ("bid 4x4", "bid 5x4")
    assert showdown_raises(5, Bid(4, SKULL)) == ("bid 5x1",)
    assert showdown_raises(5, Bid(5, 2)) == ()


def test_the_starter_must_bid_and_others_may_doubt() -> None:
    assert turn_moves(3, None, False) == texts(3)
    assert turn_moves(3, Bid(3, 5), False) == ("bid 3x6", "bid 2xskull", "bid 3xskull", "no", "exact")
    assert turn_moves(1, None, True) == ("bid 1x1", "bid 1x2", "bid 1x3", "bid 1x4", "bid 1x5", "bid 1x6")
    assert turn_moves(5, Bid(3, 4), True) == ("bid 4x4", "bid 5x4", "no")
    assert turn_moves(5, Bid(5, 4), True) == ("no",)


def test_a_roll_is_sorted_into_the_cup() -> None:
    assert cup_of((5, "skull", 3, 5, "skull")) == ((1, 1, 3, 5, 5), "3 5 5 skull skull")
    assert cup_of((2,)) == ((2,), "2")


def test_dice_are_written_with_skulls_last() -> None:
    assert faces_text((1, 1, 3, 5, 6)) == "3 5 6 skull skull"
    assert faces_text(()) == ""


@pytest.mark.parametrize(
    ("cup", "texts"),
    [
        ((), []),
        ((4,), []),
        ((4, 4), ["reroll keep 4"]),
        ((1, 4), ["reroll keep skull", "reroll keep 4"]),
        ((1, 3, 3), ["reroll keep skull", "reroll keep 3", "reroll keep 3 skull", "reroll keep 3 3"]),
    ],
)
def test_rerolls(cup: tuple[int, ...], texts: list[str]) -> None:
    assert list(rerolls(cup)) == texts
    assert reroll_moves(cup) == ("stand", *texts)


def test_rerolls_of_different_dice_are_all_proper_parts() -> None:
    assert len(rerolls((1, 2, 3, 4, 5, 6))) == 2**6 - 2
    assert len(rerolls((2, 2, 2, 2, 2))) == 4
    assert sum(len(kept) == 2 for kept in rerolls((2, 3, 4, 5, 6)).values()) == comb(5, 2)
