"""Hypp: bet against the dealer's card without seeing your own."""

from typing import Any

from arena.language.message import Message
from arena.replay.event_table import EventTable, Spot
from arena.replay.games import hypp_story
from arena.replay.games.items import badges, cuckoo_card, turn, zones
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone
from arena.replay.table_events import TableEvents

ART = "cuckoo.svg"
KEY_EVENTS = hypp_story.key_events
RULE_SECTIONS = {1: "A round", 2: "A round", 3: "A round"}
OPEN_TURNS = True
LOG_READ_AS = {"seat {0} cannot cover {1} chips: it has {2}": "seat {0} has {2} and cannot cover all bets: {1}"}
READ_AS = {"packet {0}": "give packets of {0}", "stay": "deal again", "give up": "give up the deal", **LOG_READ_AS}
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


def _pieces(table: EventTable, spot: Spot, value: int) -> list[TableItem]:
    return [cuckoo_card(value)] if spot[1] == PACKET else list(_bet(value))


EVENTS = TableEvents(_pieces)
