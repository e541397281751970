"""The styles and scripts of the pages; those of the replay player lie in `arena.viewer.static`."""

from functools import cache
from importlib import resources

from arena.viewer import static

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What files there are, by the ends of their names."""

OWN = ("site.css", "live.js", "play.css", "play.js", "continue.js", "submit.js", "icon.svg")
NAMES = frozenset((*OWN, *static.NAMES))
"""All that the site hands out."""


@cache
def text(name: str) -> str:
    """Return the content of one of the files beside this one."""
    return resources.files(__name__).joinpath(name).read_text("utf-8")
