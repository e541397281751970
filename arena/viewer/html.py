"""HTML from values: whatever is not markup made here is text, and is escaped. No other file writes a tag."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import NewType, TypeAlias

Markup = NewType("Markup", str)
"""HTML that was made here."""

Attributes: TypeAlias = Mapping[str, str | int | float | bool | None]
Child: TypeAlias = "Element | str | int | Iterable[Child] | None"

VOID = frozenset({"br", "input", "link", "meta"})
"""Elements without an end tag."""


class Element:
    """An element; `str` of it is its HTML."""

    __slots__ = ("_html",)

    def __init__(self, html: Markup) -> None:
        self._html = html

    def __str__(self) -> str:
        return self._html


def tag(name: str, attributes: Attributes | None = None, *children: Child) -> Element:
    """Return an element. An attribute that is True stands alone, one that is False or None is left out."""
    opened = name + "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in (attributes or {}).items()
        if value is not None and value is not False
    )
    return Element(Markup(f"<{opened}>" if name in VOID else f"<{opened}>{_inside(children)}</{name}>"))


def raw(name: str, attributes: Attributes, content: str) -> Element:
    """Return a script or style of our own, whose content is no HTML. Raises ValueError where it would end early."""
    if f"</{name}" in content.lower() or "<!--" in content:
        raise ValueError(f"this cannot stand inside <{name}>")
    empty = str(tag(name, attributes))
    return Element(Markup(empty.removesuffix(f"</{name}>") + content + f"</{name}>"))


def document(head: Iterable[Child], body: Iterable[Child]) -> str:
    """Return a whole page."""
    start = tag("meta", {"charset": "utf-8"})
    screen = tag("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
    return (
        f"<!DOCTYPE html>\n{tag('html', {'lang': 'en'}, tag('head', {}, start, screen, head), tag('body', {}, body))}\n"
    )


def _inside(children: Iterable[Child]) -> str:
    parts = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Element):
            parts.append(str(child))
        elif isinstance(child, str | int):
            parts.append(escape(str(child)))
        else:
            parts.append(_inside(child))
    return "".join(parts)
