"""Torionfo: tricks for the printed numbers, and the twin of the card turned up."""

from typing import Any

from arena.viewer.games.items import BACK, badges, cuckoo_card, hand, pile, turn, zones
from arena.viewer.games.trick_zones import TYPES, hand_of, middle, won
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TablePlace, Zone

DISCARD = 1
"""The stage in which cards are put back; hands then differ in size."""


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Torionfo."""
    view: Any = next(iter(views.values()))
    teams = ("seats 0 and 2", "seats 1 and 3") if seats == 4 else ("seat 0", "seat 1")
    facts = [Fact(name, f"{view.scores[team]} points, {view.points[team]} now") for team, name in enumerate(teams)]
    facts += [Fact("to follow", TYPES[view.base])] if view.base else []
    facts += [Fact("the twin was led as", TYPES[view.named])] if view.named else []
    return Scene(
        f"deal {view.deal} of 4, cut at {view.cut}",
        (
            Zone("Torionfo", (cuckoo_card(view.torionfo),), small=True),
            *zones(pile("pile", view.pile)),
            *middle(view, seats),
        ),
        tuple(_place(views, seat, seats) for seat in range(seats)),
        tuple(facts),
    )


def _place(views: Views, seat: int, seats: int) -> TablePlace:
    view: Any = next(iter(views.values()))
    own = views.get(seat)
    cards = hand_of(views, seat, seats) if own or view.stage != DISCARD else Zone("hand", (BACK,))
    looked = (cuckoo_card(own.looked),) if own and own.HasField("looked") else ()
    return TablePlace(
        seat,
        zones(
            cards,
            Zone("put back", hand(own.discarded) if own else (), small=True),
            Zone("looked at", looked, small=True),
            Zone("from the cut", hand(view.cut_taken) if seat == view.cutter else (), small=True),
            Zone("turned up", hand(view.turned_taken) if seat == view.dealer else (), small=True),
        ),
        (Fact("tricks", str(won(view, seat, seats))),),
        badges(seat == view.dealer and "dealer", seat == view.cutter and "cutter"),
        turn(view) == seat,
    )
