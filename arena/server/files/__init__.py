"""The styles and scripts of the pages; those of the replay player are in `arena.replay.static`.

A page loads its scripts as one bundle, and its styles as another. The URL of a bundle has the names of its files and
a digest of their content: `/static/base.css+site.css?v=...`.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from gzip import compress
from hashlib import sha256
from importlib import resources
from pathlib import PurePosixPath

from arena.hooks.plugins import plugins
from arena.language import page_words
from arena.replay import static
from arena.replay.renderer import art

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Media types, by suffix of the file name."""

OWN = (
    "site.css",
    "live.js",
    "telling.js",
    "play.css",
    "picker.js",
    "playback.js",
    "copy-link.js",
    "play.js",
    "continue.js",
    "submit.js",
    "hand-in.js",
    "status.js",
    "preload.js",
    "icon.svg",
    "league.css",
    "live-page.js",
    "dates.js",
    "save.js",
    "compare.css",
    "compare.js",
    "sort.js",
    "watch.css",
    "watch.js",
)
NAMES = frozenset((*OWN, *static.NAMES, *page_words.SCRIPTS))
"""All files that the site serves, besides those of packages."""

_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:.|\n)*?\*/[ \t]*)\n", re.MULTILINE)

MOST = 28
"""The largest number of files in a bundle."""


@dataclass(frozen=True, slots=True)
class AssetBundle:
    """Several files of one kind, joined."""

    kind: str
    """The media type of the files."""
    text: str
    digest: str
    """The digest of the text."""
    packed: bytes
    """The text, gzipped."""


@lru_cache(64)
def bundle(name: str) -> AssetBundle | None:
    """Return the bundle of the files whose names are joined by + in `name`; None if there is no such file."""
    names = name.split("+")
    kinds = {PurePosixPath(file).suffix for file in names}
    if len(names) > MOST or len(kinds) > 1 or not (NAMES | added_scripts().keys()).issuperset(names):
        return None
    text = "\n".join(map(without_comments, map(_text, names)))
    return AssetBundle(
        KINDS[kinds.pop()], text, sha256(text.encode()).hexdigest()[:12], compress(text.encode(), 9, mtime=0)
    )


@cache
def address(*names: str) -> str:
    """Return the URL of a bundle of files of one kind, with its current digest."""
    name = "+".join(names)
    asset_bundle = bundle(name)
    assert asset_bundle is not None, name
    return f"/static/{name}?v={asset_bundle.digest}"


@cache
def added_scripts() -> dict[str, str]:
    """Return the scripts and styles of packages, by name."""
    return {name: text for scripts in plugins().hook.arena_scripts() for name, text in scripts.items()}


def art_address(game: str) -> str | None:
    """Return the URL of the drawings that the tables of a game need; None if they need none."""
    sheets = art(game)
    return address(*sheets) if sheets else None


def without_comments(text: str) -> str:
    """Return a style or script without its comments that fill lines, a fifth of what a page would load."""
    return _COMMENT.sub("", text)


@cache
def _text(name: str) -> str:
    """Return the content of a file."""
    if name in page_words.SCRIPTS:
        return page_words.script(name)
    if name in added_scripts():
        return added_scripts()[name]
    return static.text(name) if name in static.NAMES else resources.files(__name__).joinpath(name).read_text("utf-8")
