"""Kille: beat the table if you can, and win the last trick by the weakest card."""

from typing import Any

from arena.viewer.games.items import badges, hand, turn
from arena.viewer.games.tricks import hand_of, middle, won
from arena.viewer.renderer import Eyes
from arena.viewer.scene import Fact, Place, Scene, Zone


def paint(eyes: Eyes, seats: int) -> Scene:
    """Draw a table of Kille."""
    view: Any = next(iter(eyes.values()))
    return Scene(
        f"deal {view.deal}", middle(view, seats), tuple(_place(eyes, view, seat, seats) for seat in range(seats))
    )


def _place(eyes: Eyes, view: Any, seat: int, seats: int) -> Place:
    # Under `duplicate` everybody has seen the hands, and the view tells them.
    cards = Zone("hand", hand(view.hands[seat].cards)) if view.hands else hand_of(eyes, seat, seats)
    return Place(
        seat,
        (cards,),
        (Fact("score", str(view.scores[seat])), Fact("tricks", str(won(view, seat, seats)))),
        badges(seat == view.dealer and "dealer"),
        turn(view) == seat,
    )
