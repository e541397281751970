"""The styles and scripts of the pages; those of the replay player lie in `arena.viewer.static`.

A page asks for its scripts as one file, and for its styles as another, whose address names all that is in it and its
digest: `/static/base.css+site.css?v=...`.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from gzip import compress
from hashlib import sha256
from importlib import resources
from pathlib import PurePosixPath

from arena.viewer import static

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What files there are, by the ends of their names."""

OWN = ("site.css", "live.js", "play.css", "play.js", "continue.js", "submit.js", "icon.svg")
NAMES = frozenset((*OWN, *static.NAMES))
"""All that the site hands out."""

MOST = 16
"""Files in one bundle."""


@dataclass(frozen=True, slots=True)
class AssetBundle:
    """Some files of one kind in a row. kind: their media type. digest: of the text. packed: the text, gzipped."""

    kind: str
    text: str
    digest: str
    packed: bytes


@lru_cache(64)
def bundle(name: str) -> AssetBundle | None:
    """Return the files whose names are joined by + in `name`; None where we have none of that name."""
    names = name.split("+")
    kinds = {PurePosixPath(each).suffix for each in names}
    if len(names) > MOST or len(kinds) > 1 or not NAMES.issuperset(names):
        return None
    text = "\n".join(map(_text, names))
    return AssetBundle(
        KINDS[kinds.pop()], text, sha256(text.encode()).hexdigest()[:12], compress(text.encode(), 9, mtime=0)
    )


@cache
def address(*names: str) -> str:
    """Return the address of some files of one kind as they are now."""
    name = "+".join(names)
    found = bundle(name)
    assert found is not None, name
    return f"/static/{name}?v={found.digest}"


@cache
def _text(name: str) -> str:
    """Return the content of one of the files."""
    return static.text(name) if name in static.NAMES else resources.files(__name__).joinpath(name).read_text("utf-8")
