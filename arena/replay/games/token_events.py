"""What the events of Cucù and Lu Stù do to the drawn table."""

from arena.language.message import Message, arguments, id_of
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games.items import cuckoo_cards
from arena.replay.games.token_cards import (
    ASIDE,
    CARD,
    PACK,
    ask,
    deal_card,
    deal_to,
    draw,
    exchange,
    guest_in_turn,
    host_of,
    keep,
    show,
    stop,
    swap,
)
from arena.replay.games.token_money import (
    CLAIMS,
    OFFER,
    PRICE,
    TOKENS,
    add_tokens,
    double_price,
    enter_free,
    pay_fee,
    pay_host,
    pay_out,
    set_offer,
)
from arena.replay.games.token_scene import GETS, PART, claim_item, pays_for_zero
from arena.replay.table_events import TableEvents
from referee.games import cucu, cucu_table, lustu
from referee.games.cuckoo_pack import HORSE, HOUSE

SPLIT = "split {0}"
INN_OFFERS = NO_OFFER, MONEY_OFFER, PART_OFFER = "offer none", "offer {0}", "offer {0}%"
"""The ids of what waits for an answer: the moves that offered it."""


class TokenEvents(TableEvents):
    """What both games share.

    Cards are dealt unseen by others, so a table notes them when their seat acts. Whose turn it is, who is asked at an
    inn, what an answer accepts and what a re-entry costs follow from earlier lines.
    """

    def __init__(self) -> None:
        super().__init__(cuckoo_cards)
        self.handlers |= {
            cucu_table.DEALT: deal_to,
            cucu_table.KEEPS: keep,
            cucu_table.ASKS: ask,
            cucu_table.EXCHANGES: exchange,
            cucu_table.RECEIVES: show,
            cucu_table.SHOWS: self.show,
            cucu_table.DRAWS: draw,
            cucu_table.TAKES: show,
            cucu.LOSES: lambda table, seat: add_tokens(table, seat, -1),
            cucu.GAINS: lambda table, seat: add_tokens(table, seat, 1),
            cucu.REVEALS: show,
            cucu.SAYS: lambda table, seat, words: table.say(seat, words),
            cucu.DEAL: _deal,
            cucu.FEE: pay_fee,
            cucu.FREE: enter_free,
            cucu.ACCEPTS: self.accept,
            cucu.DECLINES: self.decline,
            cucu.GETS: pay_out,
        }

    def settle(self, table: EventTable, line: int | None) -> None:
        """At the end do what only the next view shows: cards dealt to others, and who could not pay for a re-entry."""
        if line != cucu.FEE:
            table.pending.pop("enters", None)
        if line is None:
            for place in table.after.places:
                if any(zone.label == CARD for zone in place.zones):
                    deal_card(table, place.seat)
            for fact in table.after.facts:
                if fact.label == PRICE:
                    table.set_fact(MIDDLE, PRICE, fact.value)

    def show(self, table: EventTable, seat: int, card: int) -> None:
        """Show a card that was asked for. All but a horse end the turn of who asked."""
        show(table, seat, card)
        if card != HORSE:
            stop(table, table.pending["asks"], seat)

    def accept(self, table: EventTable, seat: int) -> None:
        """Divide the pool between the last two as was proposed."""
        offer = table.fact(MIDDLE, OFFER)
        if id_of(offer) == SPLIT:
            other = next(other for other in table.seats if other != seat and not table.is_out(other))
            (percent,) = arguments(offer)
            shares = {other: percent, seat: 100 - percent}
            for place in table.seats:
                table.add_badge(place, Message(GETS, shares.get(place, 0)))
        set_offer(table, "")

    def decline(self, table: EventTable, seat: int) -> None:
        """Leave all as it was."""
        set_offer(table, "")


class CucuEvents(TokenEvents):
    """The handlers of Cucù."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers |= {
            cucu.STAYS_OUT: lambda table, seat: double_price(table),
            cucu.INN: lambda table, seat: show(table, seat, HOUSE),
            cucu.STAYS: lambda table, guest: stop(table, guest, host_of(table, guest)),
            cucu.AGREES: _agree,
            cucu.GIVES_BACK: lambda table, seat, other: swap(table, seat, other, -1),
        }


class LustuEvents(TokenEvents):
    """The handlers of Lu Stù."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers |= {
            lustu.INN: lambda table, seat: show(table, seat, HOUSE),
            lustu.PAYS: pay_host,
            lustu.CHANGES_BACK: lambda table, seat, other: swap(table, seat, other, 1),
        }

    def show(self, table: EventTable, seat: int, card: int) -> None:
        """Show a card. An innkeeper shows it once it has answered, and may then exchange it."""
        if table.pending.pop("answered", None):
            show(table, seat, card)
        else:
            super().show(table, seat, card)

    def accept(self, table: EventTable, seat: int) -> None:
        """Let an innkeeper have the part it was offered."""
        offer = table.fact(MIDDLE, OFFER)
        if id_of(offer) in INN_OFFERS:
            table.pending["answered"] = 1
            if id_of(offer) == PART_OFFER:
                table.put(CLAIMS, claim_item(PART, seat, guest_in_turn(table), *arguments(offer)))
        super().accept(table, seat)

    def decline(self, table: EventTable, seat: int) -> None:
        """Let an innkeeper pay for a losing zero of its guest."""
        if id_of(table.fact(MIDDLE, OFFER)) in INN_OFFERS:
            table.pending["answered"] = 1
            _agree(table, seat)
        super().decline(table, seat)


def _agree(table: EventTable, host: int) -> None:
    """Let an innkeeper promise to pay."""
    guest = guest_in_turn(table)
    stop(table, guest, host)
    table.add_badge(guest, pays_for_zero(host))
    set_offer(table, "")


def _deal(table: EventTable, number: int, dealer: int) -> None:
    """Put the cards of the last deal away and shuffle the whole pack."""
    spots: list[Spot] = [ASIDE, *((seat, CARD) for seat in table.seats)]
    table.add_to_pile(PACK, sum(len(table.items(spot)) for spot in spots))
    for spot in spots:
        table.lay(spot, ())
    for seat in table.seats:
        table.set_out(seat, out=not table.items((seat, TOKENS)))
        table.say(seat, "")


CUCU = CucuEvents()
LUSTU = LustuEvents()
