"""Who loses at Campli when the cards are shown."""

import pytest

from referee.games.cucu import judge


@pytest.mark.parametrize(
    ("cards", "lost"),
    [
        ([7, 3, 9], [1]),
        ([3, 7, 3], [0, 2]),
        ([0, -1, -2, -3], [3]),
        ([9, -4, 2], [1, 2]),
        ([2, -4, 2, 5], [0, 1, 2]),
        ([-4, 15], [0]),
        ([15, -4, 15], [1]),
        ([-4, 14, 15], [0, 1]),
        ([-4], [0]),
        ([-4, -4], [0, 1]),
        ([-4, -4, 14], [2]),
        ([-4, 15, -4], [0, 2]),
        ([-4, 1, -4, 1, 15], [1, 3]),
        ([15, 15], []),
        ([15], []),
        ([14], [0]),
    ],
)
def test_judge(cards: list[int], lost: list[int]) -> None:
    assert judge(cards) == lost
