"""Which seats know a card: a set of seats, kept as the bits of one number."""

from collections.abc import Sequence

from referee.games.cuckoo_pack import UNKNOWN


def everybody(seats: int) -> int:
    """Return the set of all `seats` seats of a table."""
    return (1 << seats) - 1


def only(seat: int) -> int:
    """Return the set of one seat."""
    return 1 << seat


def both(seat: int, other: int) -> int:
    """Return the set of two seats."""
    return 1 << seat | 1 << other


def seen_from_pack(seats: int, *, indian: bool) -> tuple[int, ...]:
    """Return, by seat, who sees the card that it gets from the pack: the seat, under indian all others."""
    unseen = (1 << seats) - 1 if indian else 0
    return tuple([unseen ^ 1 << seat for seat in range(seats)])


def all_but(seat: int, seats: int) -> int:
    """Return the set of all `seats` seats but one."""
    return (1 << seats) - 1 ^ 1 << seat


def knows(seat: int, known_by: int) -> bool:
    """Tell whether a seat is in the set of those that know a card."""
    return known_by >> seat & 1 == 1


def known_cards(seat: int, cards: Sequence[int], known_by: Sequence[int]) -> tuple[int, ...]:
    """Return the cards as a seat knows them, UNKNOWN in place of the others.

    known_by: who knows each card.
    """
    bit = 1 << seat
    return tuple([cards[place] if known & bit else UNKNOWN for place, known in enumerate(known_by)])
