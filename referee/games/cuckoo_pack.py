"""The cuckoo pack: 20 kinds of cards, two of each, known by the index number in their corners.

A card is its index number, and a higher number is a stronger card. The two cards of a kind are the same.
"""

from typing import Final

CUCKOO: Final = 15
HUMAN: Final = 14
HORSE: Final = 13
CAT: Final = 12
HOUSE: Final = 11
NULLA: Final = 0
BUCKET: Final = -1
MASK: Final = -2
LION: Final = -3
FOOL: Final = -4

STRONG_FOOL: Final = 16
"""What a fool drawn from the pile counts as at the reveal: a kind of its own, above the cuckoo."""

UNKNOWN: Final = 99
"""Stands in views for a card that the seat does not know, and for no card."""


def pack(packs: int = 1, cuckoos: int = 2) -> tuple[int, ...]:
    """Return the cards of `packs` packs with `cuckoos` cuckoos in all, strongest first."""
    return (CUCKOO,) * cuckoos + tuple(kind for kind in range(HUMAN, FOOL - 1, -1) for _ in range(2 * packs))
