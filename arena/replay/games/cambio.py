"""Cambio: one card each, the weakest loses."""

from typing import Any

from arena.replay.games import exchange_events, exchange_story
from arena.replay.games.exchange_scene import scene, why_not_card, why_not_cuckoo
from arena.replay.renderer import Views
from arena.replay.scene import Scene

ART = "cuckoo.svg"
KEY_EVENTS = exchange_story.key_events
RULE_SECTIONS = {1: "The exchange phase", 2: "The exchange phase", 3: "The switches"}
OPEN_TURNS = True
EVENTS = exchange_events.CAMBIO
REFUSED_MOVES = (("cuckoo", why_not_cuckoo),)
__all__ = ["why_not_card"]


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Cambio."""
    view: Any = next(iter(views.values()))
    return scene(views, seats, "chips", "box", (view.dealer, "dealer"))
