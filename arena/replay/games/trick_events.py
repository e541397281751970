"""What the events of trick-taking games do to the drawn table, as far as they share them."""

from collections.abc import Sequence

from arena.language.message import Message
from arena.replay.event_frames import Handler
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games.items import backs, cuckoo_card, hand
from arena.replay.games.trick_zones import TYPES, marked
from referee.games import tricks

TRICK: Spot = (MIDDLE, "trick")
LAST: Spot = (MIDDLE, "last trick")
HAND = "hand"


class TrickEvents:
    """The handlers of a game of tricks; each game overrides what differs and adds its own lines to `events`."""

    def __init__(self) -> None:
        self.events: dict[int, Handler] = {
            tricks.DEAL: self.deal,
            tricks.DEALT: self.dealt,
            tricks.PLAYED: self.play,
            tricks.WINS: self.win,
        }

    def settle(self, table: EventTable, line: int | None) -> None:
        """Do nothing: each perspective is told all that it sees."""

    def deal(self, table: EventTable, number: int, dealer: int) -> None:
        """Put the cards of the last deal away."""
        table.heading = Message("deal {0}", number)
        table.clear_badges()
        table.add_badge(dealer, "dealer")
        table.lay(LAST, ())
        table.set_fact(MIDDLE, "to follow", "")
        for seat in table.seats:
            table.lay((seat, HAND), ())
            table.set_fact(seat, "tricks", "0")

    def dealt(self, table: EventTable, seat: int, cards: str) -> None:
        """Show the hand of a seat; all others have as many cards."""
        own = hand(map(int, cards.split()))
        table.lay((seat, HAND), own)
        for other in table.seats:
            if table.is_hidden_seat(other):
                table.lay((other, HAND), backs(len(own)))

    def play(self, table: EventTable, seat: int, card: int) -> None:
        """Move a card to the trick."""
        if not table.items(TRICK):
            self.lead(table, card)
        table.move((seat, HAND), TRICK, cuckoo_card(card), shown=cuckoo_card(card, Message("seat {0}", seat)))

    def lead(self, table: EventTable, card: int) -> None:
        """Make a card the one whose type must be followed."""
        table.set_fact(MIDDLE, "to follow", TYPES[tricks.type_of(card)])

    def win(self, table: EventTable, winner: int) -> None:
        """Put the trick away, where it lies until the next one is won."""
        won = list(table.items(TRICK))
        table.lay(LAST, ())
        for item in won:
            table.move(TRICK, LAST, item, shown=marked(item, winner))
        table.set_fact(MIDDLE, "to follow", "")
        add(table, winner, "tricks", 1)
        self.count(table, winner, [int(item.face) for item in won])

    def count(self, table: EventTable, winner: int, cards: Sequence[int]) -> None:
        """Count the cards of a trick; some games count only tricks."""


def add(table: EventTable, seat: int, label: str, number: float) -> None:
    """Add a number to a fact of a place."""
    table.set_fact(seat, label, f"{float(table.fact(seat, label)) + number:g}")
