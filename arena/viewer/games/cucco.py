"""Cucco: Cambio with coins, a tray and a start player."""

from typing import Any

from arena.viewer.games import exchange_events
from arena.viewer.games.exchange_scene import scene
from arena.viewer.renderer import Views
from arena.viewer.scene import Scene

ART = "cuckoo.svg"
OPEN_TURNS = True
EVENTS = exchange_events.CUCCO


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Cucco."""
    view: Any = next(iter(views.values()))
    return scene(views, seats, "coins", "tray", (view.starter, "starts"))
