"""Styles, scripts and drawings of the replay page: plain CSS, JavaScript and SVG, in the order of loading."""

from functools import cache
from importlib.resources import files

STYLES = ("tokens.css", "base.css", "player.css", "items.css", "rules.css")
SCRIPTS = (
    "theme.js",
    "words.js",
    "dom.js",
    "address.js",
    "faces.js",
    "seats.js",
    "board.js",
    "table.js",
    "motion.js",
    "rules.js",
    "source.js",
    "panel.js",
    "log.js",
    "chances.js",
    "ribbon.js",
    "story.js",
    "pace.js",
    "keys.js",
    "details.js",
    "stage.js",
    "player.js",
)
"""The scripts of the replay page."""

COMPARING = (
    *("dom.js", "address.js", "faces.js", "seats.js", "board.js", "table.js", "motion.js", "source.js"),
    *("panel.js", "log.js", "pace.js", "keys.js", "stage.js"),
)
"""Those of them that a page with several replays needs, after words.js."""

ART = ("pieces.svg", "cuckoo.svg", "italian.svg", "dice.svg", "board.svg")
"""Sheets of drawings. Each is an SVG element that shows nothing itself; pages refer to its parts by id: art-cat."""

NAMES = frozenset((*STYLES, *SCRIPTS, *ART))


@cache
def text(name: str) -> str:
    """Return the content of a file in this folder."""
    return files(__name__).joinpath(name).read_text("utf-8")
