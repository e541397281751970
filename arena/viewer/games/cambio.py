"""Cambio: one card each, the weakest loses."""

from typing import Any

from arena.viewer.games import exchange_events
from arena.viewer.games.exchange_scene import scene
from arena.viewer.renderer import Views
from arena.viewer.scene import Scene

ART = "cuckoo.svg"
OPEN_TURNS = True
EVENTS = exchange_events.CAMBIO


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Cambio."""
    view: Any = next(iter(views.values()))
    return scene(views, seats, "chips", "box", (view.dealer, "dealer"))
