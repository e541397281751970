"""The drawings and colours of the pages, for pictures: parts of the sheets by id, and colours of the light theme."""

import re
from collections.abc import Iterable
from functools import cache
from xml.etree import ElementTree

from arena.replay import static

SVG = "{http://www.w3.org/2000/svg}"

_COLOUR = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), #\w+\)|(#\w+));")
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_REFERENCE = re.compile(r'href="#([\w-]+)"')


@cache
def colours() -> dict[str, str]:
    """Return the colours of `tokens.css` in the light theme, by name."""
    return {name: light or both for name, light, both in _COLOUR.findall(static.text("tokens.css"))}


def seat_colour(seat: int) -> str:
    """Return the colour of a seat; later seats begin again."""
    known = colours()
    count = sum(name.startswith("seat-") for name in known)
    return known[f"seat-{seat % count}"]


@cache
def _parts() -> tuple[dict[str, str], dict[str, str]]:
    """Return the drawings of all sheets by id, and the id of the drawing in which each id is."""
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    drawings, homes = {}, {}
    for name in static.ART:
        for part in next(ElementTree.fromstring(static.text(name)).iter(f"{SVG}defs")):
            text = ElementTree.tostring(part, "unicode").replace(' xmlns="http://www.w3.org/2000/svg"', "").strip()
            drawings[part.attrib["id"]] = _VARIABLE.sub(lambda found: colours()[found[1]], text)
            for inner in part.iter():
                if "id" in inner.attrib:
                    homes[inner.attrib["id"]] = part.attrib["id"]
    return drawings, homes


def has(drawing: str) -> bool:
    """Return whether there is a drawing of this id."""
    return drawing in _parts()[1]


def definitions(ids: Iterable[str]) -> str:
    """Return the markup of some drawings, and of those that they refer to."""
    drawings, homes = _parts()
    needed: dict[str, None] = {}
    waiting = list(ids)
    while waiting:
        home = homes[waiting.pop(0)]
        if home not in needed:
            needed[home] = None
            waiting += _REFERENCE.findall(drawings[home])
    return "".join(drawings[id] for id in needed)
