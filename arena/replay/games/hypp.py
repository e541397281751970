"""Hypp: bet against the dealer's card without seeing your own."""

from typing import Any

from arena.language.message import Message
from arena.replay.event_frames import Handler
from arena.replay.event_table import MIDDLE, EventTable
from arena.replay.games.items import BACK, badges, cuckoo_card, turn, zones
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone
from referee.games import hypp

ART = "cuckoo.svg"
RULE_SECTIONS = {1: "A round", 2: "A round", 3: "A round"}
OPEN_TURNS = True
PACKET, BET, CHIPS, PACKETS = "packet", "bet", "chips", "packets of"
DEALER = "dealer"


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Hypp."""
    view: Any = next(iter(views.values()))
    return Scene(
        Message("round {0}", view.round),
        (),
        tuple(_place(view, seat) for seat in range(seats)),
        (Fact(PACKETS, str(view.packet)),) if view.packet else (),
    )


def _place(view: Any, seat: int) -> TablePlace:
    return TablePlace(
        seat,
        zones(
            Zone(PACKET, (cuckoo_card(view.cards[seat]),) if view.packet and view.chips[seat] else ()),
            Zone(BET, _bet(view.bets[seat]), small=True),
        ),
        (Fact(CHIPS, str(view.chips[seat])),),
        badges(seat == view.dealer and DEALER, seat == view.first and "dealt first"),
        turn(view) == seat,
        not view.chips[seat],
    )


def _bet(chips: int) -> tuple[TableItem, ...]:
    return (TableItem("chips", str(chips), "bet"),) if chips else ()


class HyppEvents:
    """What the events of Hypp do to the drawn table. All cards are shown, and all bets paid, in one frame."""

    def __init__(self) -> None:
        self.events: dict[int, Handler] = {
            hypp.ROUND: _round,
            hypp.MAKES: _make_packets,
            hypp.BETS: _lay_bet,
            hypp.LOWERS: _lay_bet,
            hypp.SHOWS: lambda table, seat, card: table.turn_over((seat, PACKET), cuckoo_card(card)),
            hypp.WINS: lambda table, seat, chips: table.pay((_dealer(table), CHIPS), (seat, CHIPS), chips),
            hypp.LOSES: lambda table, seat, chips: table.pay((seat, CHIPS), (_dealer(table), CHIPS), chips),
            hypp.LOWEST: lambda table, seat: table.add_badge(seat, "lowest card"),
            hypp.BROKE: lambda table, seat: table.set_out(seat),
        }

    def settle(self, table: EventTable, line: int | None) -> None:
        """Do nothing: everybody is told all."""


def _dealer(table: EventTable) -> int:
    return next(seat for seat in table.seats if DEALER in table.badges(seat))


def _round(table: EventTable, number: int, dealer: int) -> None:
    table.heading = Message("round {0}", number)
    table.set_fact(MIDDLE, PACKETS, "")
    for seat in table.seats:
        table.lay((seat, PACKET), ())
        table.lay((seat, BET), ())
        table.remove_badges(seat, "lowest card")
    table.give_badge(dealer, DEALER)


def _make_packets(table: EventTable, dealer: int, size: int) -> None:
    table.set_fact(MIDDLE, PACKETS, str(size))
    for seat in table.seats:
        table.lay((seat, PACKET), [BACK])


def _lay_bet(table: EventTable, seat: int, chips: int) -> None:
    table.lay((seat, BET), _bet(chips))


EVENTS = HyppEvents()
