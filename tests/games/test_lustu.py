"""Who gains and who loses at Montorio when the cards are shown, and what an offer is worth."""

import pytest

from referee.games.lustu import LUSTU, judge, worth


@pytest.mark.parametrize(
    ("cards", "gain", "lost"),
    [
        ([7, 3, 9], [], [1]),
        ([7, 3, 3], [], [1]),
        ([15, 15], [], [0]),
        ([15, 14, 15], [], [1]),
        ([-4, 7, 3], [], [0, 2]),
        ([3, 3, -4], [], [0, 2]),
        ([15, -4, 15], [], [0, 1]),
        ([-4, -4, 15], [0, 1], [2]),
        ([5, -4, 5, -4], [1, 3], [0]),
        ([-4, -4], [0, 1], [0]),
    ],
)
def test_judge(cards: list[int], gain: list[int], lost: list[int]) -> None:
    assert judge(cards) == (gain, lost)


@pytest.mark.parametrize(
    ("offer", "money", "percent"), [("offer none", 0, 0), ("offer 50", 50, 0), ("offer 5", 5, 0), ("offer 50%", 0, 50)]
)
def test_worth(offer: str, money: int, percent: int) -> None:
    assert worth(offer) == (money, percent)


def test_one_fool_leaves_39_cards() -> None:
    assert LUSTU.options.parse({"fools": "1"}).given() == {"fools": "1"}
