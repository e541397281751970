"""The two counts of Coch and Zifuli."""

from referee.games.trick_count import AGAIN, ALL_AGAIN, ALL_HALVES, HALVES


def test_card_points_are_19_in_all() -> None:
    assert ALL_HALVES / 2 == 19
    assert {card for card, halves in HALVES.items() if halves == 2} == {10, 11, 12, 13, 14, 15, -3}
    assert {card for card, halves in HALVES.items() if halves == 1} == {5, 6, 7, 8, 9}


def test_the_second_count_is_82_in_all() -> None:
    assert ALL_AGAIN == 82
    cards = [sorted(card for card, points in AGAIN.items() if points == worth) for worth in range(7)]
    assert cards == [
        [-4, -2, -1, 0, 5, 10], [1, 6, 11], [2, 7, 12], [3, 8, 13], [4, 9, 14], [15], [-3],
    ]  # fmt: skip
