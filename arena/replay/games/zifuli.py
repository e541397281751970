"""Zifuli: an auction for the boss, and a secret partner."""

from collections.abc import Sequence
from typing import Any

from arena.language.message import Message
from arena.replay.event_table import MIDDLE, EventTable, Spot
from arena.replay.games import trick_story
from arena.replay.games.items import badges, cuckoo_card, turn, zones
from arena.replay.games.trick_events import TrickEvents
from arena.replay.games.trick_zones import TYPES, hand_of, middle, must_follow, won
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TablePlace, Zone
from arena.replay.table_events import add
from referee.games import trick_count, tricks, zifuli

ART = "cuckoo.svg"
KEY_EVENTS = trick_story.zifuli_events
BID = 1
"""The stage of the auction."""
READ_AS = {
    "the boss's side has {0} points, the others {1}": "card points: {0} for the boss's side, {1} for the others",
}
RULE_SECTIONS = {1: "Auction", 2: "Tricks"}


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Zifuli."""
    view: Any = next(iter(views.values()))
    bids = tuple(
        cuckoo_card(card, Message("seat {0}", seat)) for seat, card in zip(view.bidders, view.bids, strict=True)
    )
    facts = [Fact("to follow", TYPES[view.base])] if view.base else []
    return Scene(
        Message("deal {0}", view.deal),
        (
            *zones(Zone("bids", bids, small=view.HasField("boss"))),
            *(middle(view, seats) if view.HasField("boss") else ()),
        ),
        tuple(_place(views, seat, seats) for seat in range(seats)),
        tuple(facts),
    )


def why_not_card(view: Any, face: str) -> str:
    """Return why a card cannot be bid or played."""
    if view.stage == BID and view.bids:
        kind = TYPES[tricks.type_of(view.bids[0])]
        return Message("A bid must be one of the {0} and weaker than the last bid, {1}", kind, view.bids[-1])
    return must_follow(view)


def _place(views: Views, seat: int, seats: int) -> TablePlace:
    view: Any = next(iter(views.values()))
    boss = view.HasField("boss") and view.boss == seat
    partner = any(other.HasField("partner") and other.partner == seat for other in views.values())
    return TablePlace(
        seat,
        (hand_of(views, seat, seats),),
        (
            Fact("chips", str(view.chips[seat])),
            Fact("points", f"{view.points[seat]:g}"),
            Fact("tricks", str(won(view, seat, seats))),
        ),
        badges(
            seat == view.dealer and "dealer",
            boss and "boss",
            boss and any(other.alone for other in views.values()) and "plays alone",
            partner and "partner",
            seat in view.passed and "passed",
        ),
        turn(view) == seat,
    )


BIDS: Spot = (MIDDLE, "bids")


class ZifuliEvents(TrickEvents):
    """What the events of Zifuli do to the drawn table.

    Whether the holder of the twin is the partner or plays alone depends on who is the boss.
    """

    def __init__(self) -> None:
        super().__init__()
        self.handlers[tricks.DEAL] = _deal
        self.handlers[zifuli.HOLDS_TWIN] = _holds_twin

    def count(self, table: EventTable, winner: int, cards: Sequence[int]) -> None:
        """Add what the cards of a trick count to the points of its winner."""
        add(table, winner, "points", sum(trick_count.HALVES[card] for card in cards) / 2)


def _deal(table: EventTable, number: int, dealer: int) -> None:
    table.lay(BIDS, ())
    for seat in table.seats:
        table.set_fact(seat, "points", "0")


def _holds_twin(table: EventTable, seat: int) -> None:
    table.add_badge(seat, "plays alone" if "boss" in table.badges(seat) else "partner")


EVENTS = ZifuliEvents()
