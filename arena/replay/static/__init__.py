"""Styles, scripts and drawings of the replay page: plain CSS, JavaScript and SVG, in the order of loading."""

from functools import cache
from importlib.resources import files

STYLES = ("tokens.css", "base.css", "player.css", "items.css", "rules.css")
FIRST = ("theme.js", "words.js")
"""The scripts that a page of arena loads before others: its theme, and how it reads messages."""

TABLE = ("dom.js", "faces.js", "seats.js", "table.js", "motion.js")
"""The scripts that draw tables."""

BOARD = "board.js"
"""The script that draws boards, which the tables of some games have."""

PLAYER = (
    *("address.js", "rules.js", "source.js", "panel.js", "log.js", "chances.js", "ribbon.js", "story.js", "pace.js"),
    *("keys.js", "details.js", "stage.js", "player.js"),
)
"""The further scripts of a replay."""

COMPARING = ("address.js", "source.js", "panel.js", "log.js", "pace.js", "keys.js", "stage.js")
"""Those that a page with several replays needs."""

ART = ("pieces.svg", "cuckoo.svg", "italian.svg", "dice.svg", "board.svg")
"""Sheets of drawings. Each is an SVG element that shows nothing itself; pages refer to its parts by id: art-cat."""

NAMES = frozenset((*STYLES, *FIRST, *TABLE, BOARD, *PLAYER, *ART))


@cache
def text(name: str) -> str:
    """Return the content of a file in this folder."""
    return files(__name__).joinpath(name).read_text("utf-8")
