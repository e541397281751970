"""Cucco: Cambio with coins, a tray and a start player."""

from typing import Any

from arena.replay.games import exchange_events, exchange_story
from arena.replay.games.exchange_scene import scene, why_not_card, why_not_cuckoo
from arena.replay.renderer import Views
from arena.replay.scene import Scene

ART = "cuckoo.svg"
KEY_EVENTS = exchange_story.key_events
RULE_PAGES = ("cambio",)
RULE_SECTIONS = {1: "cambio: The exchange phase", 2: "The cuckoo opens by itself"}
OPEN_TURNS = True
EVENTS = exchange_events.CUCCO
REFUSED_MOVES = (
    (
        "cuckoo",
        lambda view, options: why_not_cuckoo(view, options) if options.open == "manual" else "It opens by itself",
    ),
)
__all__ = ["why_not_card"]


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Cucco."""
    view: Any = next(iter(views.values()))
    return scene(views, seats, "coins", "tray", (view.starter, "starts"))
