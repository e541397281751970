"""Lu Stù of Montorio: tokens, an inn, and re-entry."""

from arena.viewer.games.token_scene import scene
from arena.viewer.renderer import Views
from arena.viewer.scene import Scene

OPEN_TURNS = True


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Lu Stù of Montorio."""
    return scene(views, seats)
