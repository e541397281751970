"""Who is defeated by which cards."""

import pytest

from referee.games import reveals
from referee.games.reveals import RULES, cancellation


@pytest.mark.parametrize(
    ("rule", "cards", "defeated"),
    [
        ("lowest", [3, -2, 13, 12, -4], [-4]),
        ("lowest", [7, 7, 10], [7]),
        ("lowest", [16, 15], [15]),
        ("anti", [3, -2, 13], [13]),
        ("anti", [16, 15, 1], [16]),
        ("cancel", [5, 5, 9, 9, 2, 14], [2, 5, 9]),
        ("cancel", [2, 2, 9, 14], [2]),
        ("cancel", [4, 9, 14], [4]),
        ("cancel", [4, 4, 4, 9], [4]),
        ("cancel", [16, -4, 9], [-4]),
        ("second", [10, 10, 8, 3, 1], [3, 8]),
        ("second", [9, 8, 7, 6], [7, 8]),
        ("second", [9, 8, 8, 7], [8]),
        ("second", [9, 8, 7], [8]),
        ("second", [9, 9, 7], [7]),
        ("second", [9, 7, 7], [7]),
        ("second", [9, 7], [7]),
        ("second", [9, 9, 7, 7], [7]),
        ("second", [9, 7, 7, 7, 7], [7]),
        ("high_low", [9, 8, 3], [3, 9]),
        ("high_low", [9, 3], [3]),
        ("high_low", [2, 5, 5], [5]),
        ("high_low", [2, 2, 5], [2]),
        ("high_low", [8, 8, 2, 2], [2]),
        ("high_low", [9, 9, 8, 3, 3], [3, 9]),
        ("two", [9, 8, 3, 3], [3, 8]),
        ("two", [9, 8, 3], [3, 8]),
        ("two", [9, 3], [3]),
        ("two", [9, 9, 3, 3], [3]),
        ("lion", [0, -1, -2, -3], [-2]),
        ("lion", [9, 3], [9]),
        ("lion", [9, -4, -4], [9]),
        ("lion", [9, 3, 3, 1], [3]),
    ],
)
def test_rule(rule: str, cards: list[int], defeated: list[int]) -> None:
    assert sorted(set(RULES[rule](cards))) == defeated


@pytest.mark.parametrize("rule", [*RULES.values(), cancellation])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_equal_cards_tie(rule: reveals.Rule, seats: int) -> None:
    assert set(rule([6] * seats)) == {6}


@pytest.mark.parametrize(
    ("cards", "defeated"),
    [
        ([5, 5, 9, 9, 2, 14], [2, 5, 9]),
        ([5, 5, 9], [5]),
        ([2, 2, 9, 14], [2, 9]),
        ([9, 14], [9]),
        ([5, 5, 9, 9], [5, 9]),
    ],
)
def test_cancellation(cards: list[int], defeated: list[int]) -> None:
    assert sorted(cancellation(cards)) == defeated
