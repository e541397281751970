"""What the events of trick-taking games do to the drawn table, as far as they share them."""

from collections.abc import Sequence

from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games.items import backs, cuckoo_cards
from arena.replay.games.trick_zones import TYPES, marked
from arena.replay.table_events import TableEvents, add
from referee.games import tricks

TRICK: Spot = (MIDDLE, "trick")
LAST: Spot = (MIDDLE, "last trick")
HAND = "hand"


class TrickEvents(TableEvents):
    """Those of a game of tricks; each game overrides what differs and adds handlers of its own lines.

    How many cards others hold, what must be followed, and what a trick is worth follow from the cards that lie there.
    """

    def __init__(self) -> None:
        super().__init__(cuckoo_cards)
        self.handlers[tricks.DEALT] = self.dealt
        self.handlers[tricks.PLAYED] = self.play_card
        self.handlers[tricks.WINS] = self.win

    def dealt(self, table: EventTable, seat: int, cards: str) -> None:
        """Give all others as many cards as the seat that sees its own."""
        for other in table.seats:
            if table.is_hidden_seat(other):
                table.lay((other, HAND), backs(len(table.items((seat, HAND)))))

    def play_card(self, table: EventTable, seat: int, card: int) -> None:
        """Make the first card of a trick its lead."""
        if len(table.items(TRICK)) == 1:
            self.lead(table, card)

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
