"""Cucù of Campli: tokens, an inn, and re-entry."""

from arena.viewer.games import token_events
from arena.viewer.games.token_scene import scene
from arena.viewer.renderer import Views
from arena.viewer.scene import Scene

ART = "cuckoo.svg"
OPEN_TURNS = True
EVENTS = token_events.CUCU


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Cucù of Campli."""
    return scene(views, seats)
