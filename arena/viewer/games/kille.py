"""Kille: beat the table if you can, and win the last trick by the weakest card."""

from typing import Any

from arena.viewer.games.items import badges, hand, turn
from arena.viewer.games.trick_zones import hand_of, middle, won
from arena.viewer.renderer import Views
from arena.viewer.scene import Fact, Scene, TablePlace, Zone


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Kille."""
    view: Any = next(iter(views.values()))
    return Scene(
        f"deal {view.deal}", middle(view, seats), tuple(_place(views, view, seat, seats) for seat in range(seats))
    )


def _place(views: Views, view: Any, seat: int, seats: int) -> TablePlace:
    # With `duplicate` everybody has seen the hands, and the view contains them.
    cards = Zone("hand", hand(view.hands[seat].cards)) if view.hands else hand_of(views, seat, seats)
    return TablePlace(
        seat,
        (cards,),
        (Fact("score", str(view.scores[seat])), Fact("tricks", str(won(view, seat, seats)))),
        badges(seat == view.dealer and "dealer"),
        turn(view) == seat,
    )
