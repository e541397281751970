"""Lu Stù of Montorio: tokens, an inn, and re-entry."""

from arena.viewer.games import token_events
from arena.viewer.games.token_scene import scene
from arena.viewer.renderer import Views
from arena.viewer.scene import Scene

ART = "cuckoo.svg"
OPEN_TURNS = True
EVENTS = token_events.LUSTU


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Lu Stù of Montorio."""
    return scene(views, seats)
