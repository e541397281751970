"""Styles and scripts of the replay page: plain CSS and JavaScript, in the order in which they are loaded."""

from functools import cache
from importlib.resources import files

STYLES = ("base.css", "player.css")
SCRIPTS = (
    "theme.js",
    "dom.js",
    "icons.js",
    "table.js",
    "source.js",
    "panel.js",
    "log.js",
    "marks.js",
    "pace.js",
    "keys.js",
    "details.js",
    "player.js",
)
"""The scripts of the replay page."""

NAMES = frozenset((*STYLES, *SCRIPTS))


@cache
def text(name: str) -> str:
    """Return the content of a file in this folder."""
    return files(__name__).joinpath(name).read_text("utf-8")
