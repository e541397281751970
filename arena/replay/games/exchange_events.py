"""What the events of Cambio and Cucco do to the drawn table."""

from arena.language.message import Message, arguments
from arena.replay.event_frames import Handler
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games.items import BACK, cuckoo_card
from arena.replay.scene import TableItem
from referee.games import cambio, cucco, exchange
from referee.games.cuckoo_pack import FOOL, HORSE, HOUSE

CARD = "card"
PILE: Spot = (MIDDLE, "pile")
DISCARDS: Spot = (MIDDLE, "discards")
ASIDE: Spot = (MIDDLE, "aside")


class ExchangeEvents:
    """The handlers of one of the games.

    coins, box: the game's words for chips and for the pool.
    """

    def __init__(self, coins: str, box: str) -> None:
        self._coins = coins
        self._box: Spot = (MIDDLE, box)
        self.events: dict[int, Handler] = {
            exchange.DEALT: _show,
            exchange.DEALT_INDIAN: _show,
            exchange.KEEPS: _badge("kept"),
            exchange.SHOWS: _shows,
            exchange.SHOWS_INDIAN: _shows,
            exchange.EXCHANGES: _exchange,
            exchange.RECEIVES: _show,
            exchange.RECEIVES_INDIAN: _show,
            exchange.DRAWS: _draws,
            exchange.TURNED: _turned,
            exchange.TAKES: _takes,
            exchange.TAKES_INDIAN: _takes,
            exchange.SHUFFLED: _shuffle,
            exchange.HUMAN_FELLS: lambda table, seat, by: _fall(table, seat, Message("defeated by a {0}", 14)),
            exchange.PILE_HUMAN_FELLS: lambda table, seat: _fall(table, seat, Message("defeated by a {0}", 14)),
            exchange.CAT_FELLS: lambda table, seat, by: _fall(table, seat, Message("defeated by a {0}", 12)),
            exchange.PILE_CAT_FELLS: lambda table, seat: _fall(table, seat, Message("defeated by a {0}", 12)),
            exchange.FOOL_FELLS: _fool,
            cambio.SET: self._set,
            cambio.ANTE: self._pay,
            cambio.ROUND: self._round,
            cambio.REVEALS: _reveals,
            cambio.LOSES: lambda table, seat: _fall(table, seat, "defeated"),
            cambio.PAYS: self._pay,
            cambio.OUT: lambda table, seat: table.pending.update({f"gone {seat}": 1}),
            cambio.DISCARDS: _discards,
            cambio.WINS: lambda table, seat, chips: table.pay(self._box, (seat, self._coins), chips),
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

    def _pay(self, table: EventTable, seat: int, chips: int) -> None:
        table.pay((seat, self._coins), self._box, chips)

    def _set(self, table: EventTable, number: int) -> None:
        _gather(table)
        table.add_to_pile(PILE, len(table.items(DISCARDS)))
        table.lay(DISCARDS, [])
        table.heading = Message("set {0}", number)
        for seat in table.seats:
            table.pending.pop(f"gone {seat}", None)
            table.set_out(seat, out=False)

    def _round(self, table: EventTable, number: int, lead: int) -> None:
        playing = [seat for seat in table.seats if f"gone {seat}" not in table.pending]
        _gather(table)
        table.heading = Message("set {0}, round {1}", arguments(table.heading)[0], number)
        table.clear_badges()
        for seat in table.seats:
            table.set_out(seat, out=seat not in playing)
        for seat in playing:
            table.draw(PILE, (seat, CARD), BACK)


def _badge(words: str) -> Handler:
    return lambda table, seat: table.add_badge(seat, words)


def _card(table: EventTable, seat: int, card: int) -> TableItem:
    return cuckoo_card(card, "seen" if table.is_hidden_seat(seat) else "")


def _show(table: EventTable, seat: int, card: int) -> None:
    table.turn_over((seat, CARD), _card(table, seat, card))


def _shows(table: EventTable, seat: int, card: int) -> None:
    _show(table, seat, card)
    table.add_badge(seat, "passed" if card in (HORSE, HOUSE) else Message("showed a {0}", card))


def _exchange(table: EventTable, seat: int, other: int) -> None:
    given, taken = table.items((seat, CARD))[0], table.items((other, CARD))[0]
    table.move((seat, CARD), (other, CARD), given, shown=_marked(table, other, given))
    table.move((other, CARD), (seat, CARD), taken, shown=_marked(table, seat, taken))
    table.add_badge(seat, Message("exchanged with seat {0}", other))


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


def _fall(table: EventTable, seat: int, words: str) -> None:
    table.add_badge(seat, words)
    table.set_out(seat)


def _fool(table: EventTable, seat: int) -> None:
    _show(table, seat, FOOL)
    _fall(table, seat, "defeated by a fool")


def _reveals(table: EventTable, seat: int, card: int) -> None:
    _show(table, seat, card)
    table.pending[f"revealed {seat}"] = 1


def _discards(table: EventTable, seat: int, card: int) -> None:
    hand: Spot = (seat, CARD)
    is_hand = table.items(hand) and not table.pending.get(f"revealed {seat}")
    table.move(hand if is_hand else ASIDE, DISCARDS, cuckoo_card(card))


def _gather(table: EventTable) -> None:
    """Move all cards that still lie at the places to the discards: those that were revealed."""
    for seat in table.seats:
        table.move_all((seat, CARD), DISCARDS)
        table.pending.pop(f"revealed {seat}", None)


CAMBIO = ExchangeEvents("chips", "box")
CUCCO = ExchangeEvents("coins", "tray")
CUCCO.events[cucco.OPENS] = _badge("cuckoo opens")
