"""What the events of Cambio and Cucco do to the drawn table."""

from collections.abc import Mapping

from arena.language.message import Message
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games.items import BACK, cuckoo_card
from arena.replay.scene import TableItem
from arena.replay.table_events import TableEvents
from referee.games import cambio, exchange
from referee.games.cuckoo_pack import FOOL, HORSE, HOUSE

CARD = "card"
PILE: Spot = (MIDDLE, "pile")
DISCARDS: Spot = (MIDDLE, "discards")
ASIDE: Spot = (MIDDLE, "aside")


class ExchangeEvents(TableEvents):
    """What the events of one of the games do to the drawn table.

    Earlier lines decide which card is exchanged, drawn unseen, discarded from where, and who plays in a round.
    """

    def __init__(self, labels: Mapping[str, str] | None = None) -> None:
        """Make those of a game.

        labels: the game's words for chips and the box.
        """
        super().__init__(_cards, labels)
        self.handlers |= {
            exchange.SHOWS: _shows,
            exchange.SHOWS_INDIAN: _shows,
            exchange.EXCHANGES: _exchange,
            exchange.DRAWS: _draws,
            exchange.TURNED: _turned,
            exchange.TAKES: _takes,
            exchange.TAKES_INDIAN: _takes,
            exchange.SHUFFLED: _shuffle,
            exchange.FOOL_FELLS: lambda table, seat: table.turn_over((seat, CARD), _card(table, seat, FOOL)),
            cambio.SET: _set,
            cambio.ROUND: _round,
            cambio.REVEALS: lambda table, seat, card: table.pending.update({f"revealed {seat}": 1}),
            cambio.OUT: lambda table, seat: table.pending.update({f"gone {seat}": 1}),
            cambio.DISCARDS: _discards,
        }

    def settle(self, table: EventTable, line: int | None) -> None:
        """Move the card that was drawn from the pile unseen, once nothing else was turned up."""
        if not table.pending:  # before the first event
            table.pending["begun"] = 1
            for seat in table.seats:
                if not table.items((seat, CARD)):
                    table.pending[f"gone {seat}"] = 1
        if line in (exchange.TURNED, exchange.SHUFFLED, exchange.TAKES, exchange.TAKES_INDIAN):
            return
        drawing = table.pending.pop("draws", None)
        if drawing is not None:
            _take(table, drawing, BACK)


def _set(table: EventTable, number: int) -> None:
    _gather(table)
    table.add_to_pile(PILE, len(table.items(DISCARDS)))
    table.lay(DISCARDS, [])
    for seat in table.seats:
        table.pending.pop(f"gone {seat}", None)
        table.set_out(seat, out=False)


def _round(table: EventTable, number: int, lead: int) -> None:
    playing = [seat for seat in table.seats if f"gone {seat}" not in table.pending]
    _gather(table)
    table.clear_badges()
    for seat in table.seats:
        table.set_out(seat, out=seat not in playing)
    for seat in playing:
        table.draw(PILE, (seat, CARD), BACK)


def _cards(table: EventTable, spot: Spot, card: int) -> list[TableItem]:
    return [_card(table, spot[0], card)]


def _card(table: EventTable, seat: int, card: int) -> TableItem:
    return cuckoo_card(card, "seen" if table.is_hidden_seat(seat) else "")


def _shows(table: EventTable, seat: int, card: int) -> None:
    table.add_badge(seat, "passed" if card in (HORSE, HOUSE) else Message("showed a {0}", card))


def _exchange(table: EventTable, seat: int, other: int) -> None:
    given, taken = table.items((seat, CARD))[0], table.items((other, CARD))[0]
    table.move((seat, CARD), (other, CARD), given, shown=_marked(table, other, given))
    table.move((other, CARD), (seat, CARD), taken, shown=_marked(table, seat, taken))


def _marked(table: EventTable, seat: int, item: TableItem) -> TableItem:
    return item if item.kind == "back" else _card(table, seat, int(item.face))


def _draws(table: EventTable, seat: int) -> None:
    table.pending["draws"] = seat


def _turned(table: EventTable, card: int) -> None:
    table.draw(PILE, DISCARDS, cuckoo_card(card))
    if card not in (HORSE, HOUSE):
        table.pending.pop("draws", None)


def _takes(table: EventTable, seat: int, card: int) -> None:
    table.pending.pop("draws", None)
    _take(table, seat, _card(table, seat, card))


def _take(table: EventTable, seat: int, item: TableItem) -> None:
    for given in list(table.items((seat, CARD))):
        table.move((seat, CARD), ASIDE, given, shown=BACK if given.kind == "back" else cuckoo_card(int(given.face)))
    table.draw(PILE, (seat, CARD), item)
    table.add_badge(seat, "drew from the pile")


def _shuffle(table: EventTable, cards: int) -> None:
    table.lay(DISCARDS, [])
    table.add_to_pile(PILE, cards)


def _discards(table: EventTable, seat: int, card: int) -> None:
    hand: Spot = (seat, CARD)
    is_hand = table.items(hand) and not table.pending.get(f"revealed {seat}")
    table.move(hand if is_hand else ASIDE, DISCARDS, cuckoo_card(card))


def _gather(table: EventTable) -> None:
    """Move all cards that still lie at the places to the discards: those that were revealed."""
    for seat in table.seats:
        table.move_all((seat, CARD), DISCARDS)
        table.pending.pop(f"revealed {seat}", None)


CAMBIO = ExchangeEvents()
CUCCO = ExchangeEvents({"chips": "coins", "box": "tray"})
