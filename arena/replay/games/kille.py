"""Kille: beat the table if you can, and win the last trick by the weakest card."""

from typing import Any

from arena.language.message import Message
from arena.replay.event_table import EventTable
from arena.replay.games import trick_story
from arena.replay.games.items import badges, hand, turn
from arena.replay.games.trick_events import TrickEvents
from arena.replay.games.trick_zones import hand_of, middle, won
from arena.replay.renderer import Views
from arena.replay.scene import Fact, Scene, TablePlace, Zone

ART = "cuckoo.svg"
KEY_EVENTS = trick_story.kille_events
RULE_SECTIONS = {0: "Course of play"}


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Kille."""
    view: Any = next(iter(views.values()))
    return Scene(
        Message("deal {0}", view.deal),
        middle(view, seats),
        tuple(_place(views, view, seat, seats) for seat in range(seats)),
    )


def why_not_card(view: Any, face: str) -> str:
    """Return why a card cannot be played."""
    if not view.table:
        return ""
    return Message("You can beat the table, so you must: play a card stronger than {0}", max(view.table))


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


class KilleEvents(TrickEvents):
    """What the events of Kille do to the drawn table."""

    def lead(self, table: EventTable, card: int) -> None:
        """Do nothing: no type must be followed."""


EVENTS = KilleEvents()
