"""What a seat was told of the cards of Cucù and Lu Stù (see `referee.engine.known`).

Cards move in the open, so it is known of each where in the pack it came from.
"""

from typing import Final

from referee.engine.known import Known
from referee.games import cucu_table
from referee.games.cuckoo_pack import CAT, CUCKOO, HORSE, HOUSE, HUMAN
from referee.games.known_pile import KnownPile, Slot

ANSWERING: Final = (CAT, HORSE, HUMAN, CUCKOO)
"""Cards that are shown to who asks for them; an inn makes itself known."""


class KnownDeal:
    """The cards of one deal, as the lines of its log are taken one by one.

    seats: how many there are.
    number: that of the deal.
    pack: the size of the pack.
    """

    def __init__(self, seats: int, number: int, pack: int) -> None:
        self._pile = KnownPile(number, pack)
        self._held: list[Slot | None] = [None] * seats
        self._dealt: tuple[int, int] | None = None

    def known(self) -> list[Known]:
        """Return what was learned, once all lines have been taken."""
        self._deal()
        return self._pile.known()

    def hear(self, line: int | str | None, first: int, second: int) -> None:
        """Take a line of `cucu_table`, with its first values."""
        if line == cucu_table.DEALT:
            self._dealt = first, second
            return
        if line == cucu_table.ASKS:
            # Whoever asks was dealt its card before the seat that is asked, though only the latter may have been told.
            self._card(first)
        self._deal()
        if line == cucu_table.KEEPS:
            self._card(first)
        elif line == cucu_table.ASKS:
            self._card(second)
        elif line in (cucu_table.RECEIVES, cucu_table.SHOWS):
            self.learn(first, second)
        elif line == cucu_table.EXCHANGES:
            if not self._pile.knows(taken := self._card(second)):
                self._pile.exclude(taken, (HOUSE, *ANSWERING))
            self.swap(first, second)
        elif line == cucu_table.DRAWS:
            self._card(first)
            self._held[first] = self._pile.take()
        elif line == cucu_table.TAKES:
            self.learn(first, second)

    def _deal(self) -> None:
        """Let the seat have the card that it was told of."""
        if self._dealt is not None:
            seat, card = self._dealt
            self._dealt = None
            self.learn(seat, card)

    def learn(self, seat: int, card: int) -> None:
        """Learn which card a seat has."""
        self._pile.learn(self._card(seat), card)

    def exclude(self, seat: int, cards: tuple[int, ...]) -> None:
        """Learn that a seat has none of some cards."""
        self._pile.exclude(self._card(seat), cards)

    def swap(self, seat: int, other: int) -> None:
        """Let two seats change cards."""
        self._held[seat], self._held[other] = self._held[other], self._held[seat]

    def _card(self, seat: int) -> Slot:
        """Return the card of a seat, which is dealt to it when it is first needed."""
        slot = self._held[seat]
        if slot is None:
            slot = self._held[seat] = self._pile.take()
        return slot
