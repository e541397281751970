"""What a seat was told of the cards of a pile, one by one, wherever they have gone (see `referee.engine.known`)."""

from collections.abc import Collection
from typing import Final

from referee.engine.known import Known
from referee.games.cuckoo_pack import FOOL, HUMAN

Slot = tuple[tuple[int | str, ...], int]
"""A card, by the place of the request for its shuffle and its index in the answer."""

KINDS: Final = range(FOOL, HUMAN + 2)


class KnownPile:
    """The pile of a set or deal (see `referee.games.pile`).

    number: that of the set or deal.
    size: the number of cards in the pack.
    """

    def __init__(self, number: int, size: int) -> None:
        self._number = number
        self._shuffles = 0
        self._order: list[Slot] = [(("deck", number, 0), index) for index in range(size)]
        self._cards: dict[Slot, int] = {}
        self._among: dict[Slot, list[int]] = {}

    def take(self) -> Slot:
        """Take the card on top."""
        return self._order.pop(0)

    def shuffle(self, size: int) -> None:
        """Put a new pile of so many cards under what is left of the one before."""
        self._shuffles += 1
        self._order += [(("deck", self._number, self._shuffles), index) for index in range(size)]

    def learn(self, slot: Slot, card: int) -> None:
        """Learn which card it is."""
        self._cards[slot] = card

    def knows(self, slot: Slot) -> bool:
        """Tell whether it is known which card it is."""
        return slot in self._cards

    def exclude(self, slot: Slot, cards: Collection[int]) -> None:
        """Learn that it is none of some cards."""
        self._among[slot] = [card for card in self._among.get(slot, KINDS) if card not in cards]

    def known(self) -> list[Known]:
        """Return what was learned."""
        result = [Known(place, (index,), (card,)) for (place, index), card in self._cards.items()]
        return result + [
            Known(slot[0], (slot[1],), (), among) for slot, among in self._among.items() if slot not in self._cards
        ]
