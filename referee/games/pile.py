"""The pile that cards are dealt and drawn from, and the discards beside it."""

from typing import Self

from referee.engine.chance import Chance


class Pile:
    """One pile for a whole match, shuffled anew for every set.

    cards: the pile as it was shuffled; the tuple never changes, so that copies share it.
    left: how many of them it still has, the last ones.
    discards: the cards discarded face up since the last shuffle, oldest first.
    shuffles: how often the discards of this set have become a new pile.
    """

    __slots__ = ("chance", "cards", "left", "discards", "set", "shuffles")

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.cards: tuple[int, ...] = ()
        self.left = 0
        self.discards: tuple[int, ...] = ()
        self.set = 0
        self.shuffles = 0

    def open(self, number: int, pack: tuple[int, ...]) -> None:
        """Shuffle the whole pack for set `number`."""
        self.set = number
        self.shuffles = 0
        self.discards = ()
        self.cards = self.chance.shuffle(pack, "deck", number, 0, left=self.left)
        self.left = len(pack)

    def deal(self, count: int) -> tuple[int, ...]:
        """Take `count` cards off the top. Where the pile runs out, the discards are shuffled into a new one.

        That is always enough: of 39 cards or more, a table of 15 holds 15 and has given up few to the pile
        (in a lap only the holders of passing cards and one player before them come to the pile).
        """
        left = self.left
        if left >= count:
            self.left = left - count
            top = len(self.cards) - left
            return self.cards[top : top + count]
        taken = self.cards[len(self.cards) - left :]
        self.shuffles += 1
        # Sorted, so that the new pile depends on which cards lie there, not on how they came there.
        self.cards = self.chance.shuffle(sorted(self.discards), "deck", self.set, self.shuffles)
        self.left = len(self.cards)
        self.discards = ()
        return taken + self.deal(count - len(taken))

    def draw(self) -> int:
        """Take the card on top."""
        left = self.left
        if not left:
            return self.deal(1)[0]
        self.left = left - 1
        return self.cards[len(self.cards) - left]

    def undealt(self) -> tuple[int, ...]:
        """Return the cards that are still in the pile, the next one first."""
        return self.cards[len(self.cards) - self.left :]

    def copy(self) -> Self:
        """Return an independent pile with the same cards to come."""
        twin = type(self)(self.chance.copy())
        twin.cards, twin.left, twin.discards = self.cards, self.left, self.discards
        twin.set, twin.shuffles = self.set, self.shuffles
        return twin
