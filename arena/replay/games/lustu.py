"""Lu Stù of Montorio: tokens, an inn, and re-entry."""

from arena.replay.games import token_events, token_scene, token_story
from arena.replay.games.items import IN_ABRUZZO, card_codes, card_names
from arena.replay.games.token_scene import scene, why_not_card
from arena.replay.renderer import Views
from arena.replay.scene import Scene
from referee.games.lustu import LUSTU

ART = "cuckoo.svg"
CODES = card_codes(IN_ABRUZZO)
CARD_NAMES = card_names(abruzzo=True)
READ_AS = token_scene.READ_AS
KEY_EVENTS = token_story.key_events
MEASURE = token_story.MEASURE
RULE_PAGES = ("cucu",)
RULE_SECTIONS = {
    1: "cucu: Course of play",
    2: "The inn (11)",
    3: "The inn (11)",
    4: "Coming back",
    5: "cucu: Options",
    6: "cucu: Options",
    7: "cucu: Options",
    8: "cucu: Options",
}
OPEN_TURNS = True
EVENTS = token_events.LUSTU
__all__ = ["why_not_card"]


def render(views: Views, seats: int) -> Scene:
    """Draw a table of Lu Stù of Montorio."""
    return scene(views, seats, LUSTU.phrases)
