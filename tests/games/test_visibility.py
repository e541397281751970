"""Who knows a card."""

from referee.games.cuckoo_pack import UNKNOWN
from referee.games.visibility import all_but, both, everybody, known_cards, knows, only, seen_from_pack


def seats_of(known_by: int) -> set[int]:
    return {seat for seat in range(8) if knows(seat, known_by)}


def test_sets_of_seats() -> None:
    assert seats_of(everybody(4)) == {0, 1, 2, 3}
    assert seats_of(only(2)) == {2}
    assert seats_of(both(0, 3)) == {0, 3}
    assert seats_of(all_but(1, 4)) == {0, 2, 3}
    assert seats_of(only(1) | only(2)) == {1, 2}


def test_a_card_from_the_pack_is_seen_by_its_holder_and_under_indian_by_all_others() -> None:
    assert [seats_of(seen) for seen in seen_from_pack(3, indian=False)] == [{0}, {1}, {2}]
    assert [seats_of(seen) for seen in seen_from_pack(3, indian=True)] == [{1, 2}, {0, 2}, {0, 1}]


def test_the_cards_as_a_seat_knows_them() -> None:
    known_by = [only(0), both(0, 2), everybody(3)]
    assert known_cards(0, (5, 15, -4), known_by) == (5, 15, -4)
    assert known_cards(1, (5, 15, -4), known_by) == (UNKNOWN, UNKNOWN, -4)
    assert known_cards(2, (5, 15, -4), known_by) == (UNKNOWN, 15, -4)
