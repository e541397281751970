"""What a seat was told of the cards of Cambio and Cucco (see `referee.engine.known`).

Cards move in the open, so it is known of each where in the pile it came from.
"""

from collections.abc import Callable
from typing import Final

from referee.engine.known import Known, SeatLog
from referee.games import exchange
from referee.games.cuckoo_pack import CAT, CUCKOO, FOOL, HORSE, HOUSE, HUMAN
from referee.games.known_pile import KnownPile, Slot

ANSWERING: Final = (HOUSE, CAT, HORSE, HUMAN)
"""Cards that are shown to who asks for them."""

TURNED_UP: Final = (*ANSWERING, CUCKOO)
"""Cards of the pile that are shown and discarded."""


class KnownSet:
    """The cards of one set, as the lines of its log are taken one by one.

    log: whose.
    number: that of the set.
    pack: the size of the pack.
    order: returns the turn order, from the seats still in the set and the seat that leads.
    opening_turn: returns before which turn a cuckoo opens by itself that was dealt to a place of so many; None: never.
    """

    def __init__(
        self,
        log: SeatLog,
        number: int,
        pack: int,
        order: Callable[[tuple[int, ...], int], tuple[int, ...]],
        opening_turn: Callable[[int, int], int | None] | None = None,
    ) -> None:
        self._seats = log.seats
        self._pile = KnownPile(number, pack)
        self._turn_order = order
        self._opening_turn = opening_turn
        self._inside = tuple(range(log.seats))
        self._order: tuple[int, ...] = ()
        self._held: list[Slot | None] = [None] * log.seats
        self._own: list[bool] = []
        self._aside: list[tuple[int, Slot]] = []
        self._shown: set[int] = set()
        self._is_dealing = False
        self._drawing: int | None = None
        self._turns = 0
        self._swapped: tuple[Slot, ...] = ()

    def known(self) -> list[Known]:
        """Return what was learned, once all lines have been taken."""
        self._finish()
        return self._pile.known()

    def begin_round(self, leader: int) -> None:
        """Take the line with which a round begins."""
        self._finish()
        self._order = self._turn_order(self._inside, leader)
        self._held = [None] * self._seats
        self._aside, self._shown, self._turns = [], set(), 0
        self._own = [True] * self._seats
        self._is_dealing = True

    def leave(self, seat: int) -> None:
        """Take the line by which a seat is out of the set."""
        self._finish()
        self._inside = tuple([other for other in self._inside if other != seat])

    def hear(self, line: int | str | None, first: int, second: int) -> None:
        """Take a line of `exchange`, with its first values."""
        if line == exchange.SHUFFLED:
            self._pile.shuffle(first)
            return
        if line == exchange.TURNED and self._drawing is not None:
            self._pile.learn(self._pile.take(), first)
            if first not in (HORSE, HOUSE):
                self._drawing = None
            return
        if line in (exchange.TAKES, exchange.TAKES_INDIAN):
            self._take(first, second)
            return
        self._finish(line in (exchange.FOOL_FELLS, exchange.RECEIVES, exchange.RECEIVES_INDIAN))
        if line in (
            exchange.DEALT,
            exchange.DEALT_INDIAN,
            exchange.RECEIVES,
            exchange.RECEIVES_INDIAN,
            exchange.SHOWS,
            exchange.SHOWS_INDIAN,
        ):
            self._learn(first, second)
        elif line == exchange.CALLS:
            self._learn(first, CUCKOO)
        elif line == exchange.EXCHANGES:
            self._exchange(first, second)
        elif line == exchange.FOOL_FELLS:
            self._receive_fool(first)
        elif line == exchange.DRAWS:
            self._drawing = first
        if line in (exchange.KEEPS, exchange.ASKS, exchange.DRAWS):
            self._begin_turn(first)

    def show(self, seat: int, card: int) -> None:
        """Take a line by which a card is shown or discarded at the end of a round."""
        self._finish()
        if seat not in self._shown:
            self._shown.add(seat)
            self._learn(seat, card)
            return
        for place, (giver, slot) in enumerate(self._aside):
            if giver == seat:
                self._pile.learn(slot, card)
                del self._aside[place]
                return

    def open_cuckoo(self, seat: int) -> None:
        """Take the line by which a cuckoo opens by itself."""
        self._finish()
        self._learn(seat, CUCKOO)

    def _finish(self, goes_on: bool = False) -> None:
        """Deal, draw and exchange what was begun, as a line shows that it is over.

        goes_on: whether the line still belongs to an exchange.
        """
        if self._is_dealing:
            self._is_dealing = False
            for seat in self._order:
                self._held[seat] = self._pile.take()
        if self._drawing is not None:
            seat, self._drawing = self._drawing, None
            slot = self._draw(seat)
            self._pile.exclude(slot, TURNED_UP)
        if self._swapped and not goes_on:
            for slot in self._swapped:
                self._pile.exclude(slot, (FOOL,))
            self._swapped = ()

    def _learn(self, seat: int, card: int) -> None:
        if (slot := self._held[seat]) is not None:
            self._pile.learn(slot, card)

    def _take(self, seat: int, card: int) -> None:
        self._drawing = None
        self._pile.learn(self._draw(seat), card)

    def _draw(self, seat: int) -> Slot:
        """Let a seat take the card on top of the pile, and put its own aside."""
        if (before := self._held[seat]) is not None:
            self._aside.append((seat, before))
        slot = self._held[seat] = self._pile.take()
        self._own[seat] = False
        return slot

    def _exchange(self, seat: int, other: int) -> None:
        given, taken = self._held[seat], self._held[other]
        if given is None or taken is None:
            return
        self._held[seat], self._held[other] = taken, given
        self._own[seat] = self._own[other] = False
        self._pile.exclude(taken, ANSWERING)
        self._swapped = given, taken

    def _receive_fool(self, seat: int) -> None:
        self._learn(seat, FOOL)

    def _begin_turn(self, seat: int) -> None:
        """Learn which cuckoos have not opened before the turn of a seat."""
        if self._opening_turn is None or seat not in self._order:
            return
        turn, players = self._order.index(seat), len(self._order)
        for place, holder in enumerate(self._order):
            opens = self._opening_turn(place, players)
            slot = self._held[holder]
            if opens is not None and self._turns <= opens <= turn and self._own[holder] and slot is not None:
                self._pile.exclude(slot, (CUCKOO,))
        self._turns = max(self._turns, turn + 1)
