"""Coch: two against two, ten tricks."""

from typing import Any

from arena.viewer.games.items import badges, turn
from arena.viewer.games.trick_zones import TYPES, hand_of, middle, won
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TablePlace


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Coch."""
    view: Any = next(iter(views.values()))
    facts = [
        Fact(f"seats {team} and {team + 2}", f"{view.points[team]:g} points, {view.won[team]:g} won") for team in (0, 1)
    ]
    if view.base:
        facts.append(Fact("to follow", TYPES[view.base]))
    return Scene(
        f"deal {view.deal}",
        middle(view, seats),
        tuple(
            TablePlace(
                seat,
                (hand_of(views, seat, seats),),
                (Fact("tricks", str(won(view, seat, seats))), Fact("partner", f"seat {(seat + 2) % 4}")),
                badges(seat == view.dealer and "dealer"),
                turn(view) == seat,
            )
            for seat in range(seats)
        ),
        tuple(facts),
    )
