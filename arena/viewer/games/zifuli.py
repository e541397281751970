"""Zifuli: an auction for the boss, and a secret partner."""

from typing import Any

from arena.viewer.games.items import badges, cuckoo_card, turn, zones
from arena.viewer.games.trick_zones import TYPES, hand_of, middle, won
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TablePlace, Zone


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Zifuli."""
    view: Any = next(iter(views.values()))
    bids = tuple(cuckoo_card(card, f"seat {seat}") for seat, card in zip(view.bidders, view.bids, strict=True))
    facts = [Fact("to follow", TYPES[view.base])] if view.base else []
    return Scene(
        f"deal {view.deal}",
        (*zones(Zone("bids", bids, small=view.HasField("boss"))), *middle(view, seats)),
        tuple(_place(views, seat, seats) for seat in range(seats)),
        tuple(facts),
    )


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
