"""Cambio: one card each, the weakest loses."""

from typing import Any

from arena.viewer.games.exchange import scene
from arena.viewer.renderer import Eyes
from arena.viewer.scene import Scene

OPEN_TURNS = True


def paint(eyes: Eyes, seats: int) -> Scene:
    """Draw a table of Cambio."""
    view: Any = next(iter(eyes.values()))
    return scene(eyes, seats, "chips", "box", (view.dealer, "dealer"))
