"""Cucù of Campli: tokens, an inn, and re-entry."""

from arena.replay.games import token_events, token_scene, token_story
from arena.replay.games.items import IN_ABRUZZO, card_codes, card_names
from arena.replay.games.token_scene import scene, why_not_card
from arena.replay.renderer import Views
from arena.replay.scene import Scene
from referee.games.cucu import CUCU

ART = "cuckoo.svg"
CODES = card_codes(IN_ABRUZZO)
CARD_NAMES = card_names(abruzzo=True)
READ_AS = token_scene.READ_AS
KEY_EVENTS = token_story.key_events
MEASURE = token_story.MEASURE
RULE_SECTIONS = {
    1: "Course of play",
    2: "Arrests",
    3: "Arrests",
    4: "Coming back",
    5: "Options",
    6: "Options",
    7: "Options",
    8: "Options",
}
OPEN_TURNS = True
EVENTS = token_events.CUCU
__all__ = ["why_not_card"]


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Cucù of Campli."""
    return scene(views, seats, CUCU.phrases)
