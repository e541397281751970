"""Turns the addresses of the served pages into relative ones.

The parts of pages are those of `arena web`, whose addresses begin with a slash. In all markup, of
templates and of `arena.replay.html`, attributes stand in double quotes, and whatever bots wrote has neither quotes nor
angle brackets. So nothing but an attribute looks like one here.
"""

import re
from collections.abc import Callable
from html import unescape
from posixpath import dirname, relpath

ANCHOR = re.compile(r"<a ([^>]*?)>(.*?)</a>", re.DOTALL)
HREF = re.compile(r'\bhref="(/[^"]*)"')
OTHER = re.compile(r'(<(?:link|script|img) [^>]*?\b(?:href|src)=")(/[^"]*)"')
KEPT = re.compile(r'\b(?:class|title)="[^"]*"')

Target = Callable[[str], str | None]
"""Returns the file for an address of the served pages; None if the site has none."""


def relative(target: str, page: str) -> str:
    """Return the address of a file relative to a page; both are paths in the site, and the file may have a fragment."""
    path, mark, fragment = target.partition("#")
    return relpath(path, dirname(page) or ".") + mark + fragment


def with_relative_links(html: str, page: str, target: Target) -> str:
    """Return a page with relative links. Those to what the site does not have become plain text.

    page: its path in the site.

    Raises KeyError if the site lacks a style or a script.
    """

    def anchor(found: re.Match[str]) -> str:
        attributes, words = found.groups()
        address = HREF.search(attributes)
        if address is None:
            return found[0]
        file = target(unescape(address[1]))
        if file is not None:
            link = f'href="{relative(file, page)}"'
            return f"<a {HREF.sub(lambda _: link, attributes)}>{words}</a>"
        kept = "".join(f" {attribute}" for attribute in KEPT.findall(attributes))
        return f"<span{kept}>{words}</span>"

    def other(found: re.Match[str]) -> str:
        file = target(unescape(found[2]))
        if file is None:
            raise KeyError(found[2])
        return f'{found[1]}{relative(file, page)}"'

    return OTHER.sub(other, ANCHOR.sub(anchor, html))
