"""The three counts of the primiera, by the figures of the guide."""

from typing import Any

import pytest

from referee.games.italian_pack import PACK
from referee.games.primiera import ALL_FACES, COUNTS, POINTS, strictly_most

BEST, SUM, SEVENS = COUNTS["best"], COUNTS["sum"], COUNTS["sevens"]


def test_points_of_the_cards() -> None:
    assert [POINTS[value] for value in (7, 6, 1, 5, 4, 3, 2, 10, 9, 8)] == [21, 18, 16, 15, 14, 13, 12, 10, 0, 0]
    assert [ALL_FACES[value] for value in (7, 10, 9, 8)] == [21, 10, 10, 10]


@pytest.mark.parametrize(
    ("cards", "best", "total"),
    [
        ("", 0, 0),
        ("C7 U7 S7", 63, 63),
        ("C7 U1 S1 B1", 69, 69),
        ("C7 C6 C5", 21, 54),
        ("C8 U9 S10", 10, 10),
        ("C2 C8 U9 U3", 25, 25),
    ],
)
def test_best_and_sum(cards: str, best: int, total: int) -> None:
    assert BEST(cards.split(), POINTS) == best
    assert SUM(cards.split(), POINTS) == total


def test_all_faces_count_ten() -> None:
    assert BEST(["C8", "U9", "S10"], ALL_FACES) == 30
    assert SUM(PACK, POINTS) == 476
    assert SUM(PACK, ALL_FACES) == 556
    assert BEST(PACK, POINTS) == 84


def test_sevens_are_counted_from_the_top() -> None:
    assert SEVENS(["C7", "U7", "S6", "B1", "C10"], POINTS) == (2, 1, 0, 0, 0, 0, 1)
    assert SEVENS(["C7", "U7"], POINTS) > SEVENS(["C7", "U6", "S6", "B6"], POINTS)
    assert SEVENS(["C8", "C9", "C10"], POINTS) == (0,) * 7


@pytest.mark.parametrize(
    ("worths", "who"),
    [
        ([3, 5, 4], 1),
        ([5, 5, 1], None),
        ([0, 0], None),
        ([False, True], 1),
        ([(1, 2), (1, 3)], 1),
        ([(1,), (1,)], None),
    ],
)
def test_most_is_strictly_most(worths: list[Any], who: int | None) -> None:
    assert strictly_most(worths) == who
