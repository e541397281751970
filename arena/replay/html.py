"""HTML elements. All text and attributes are escaped; besides this module only templates write tags."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import NewType, TypeAlias

Markup = NewType("Markup", str)
"""HTML that this module wrote."""

Attributes: TypeAlias = Mapping[str, str | int | float | bool | None]
Child: TypeAlias = "Element | str | int | Iterable[Child] | None"

VOID = frozenset({"br", "img", "input", "link", "meta"})
"""Elements without an end tag."""


class Element:
    """An element; `str` of it is its HTML."""

    __slots__ = ("_html",)

    def __init__(self, html: Markup) -> None:
        self._html = html

    def __str__(self) -> str:
        return self._html

    __html__ = __str__  # by which templates know that it is escaped


def tag(name: str, attributes: Attributes | None = None, *children: Child) -> Element:
    """Return an element. Attributes that are True have no value; those that are False or None are left out."""
    start = name + "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in (attributes or {}).items()
        if value is not None and value is not False
    )
    return Element(Markup(f"<{start}>" if name in VOID else f"<{start}>{_render_children(children)}</{name}>"))


def fragment(children: Iterable[Child]) -> Element:
    """Return several children as one that is no element of its own."""
    return Element(Markup(_render_children(children)))


def raw(name: str, attributes: Attributes, content: str) -> Element:
    """Return a script or style element; its content is not escaped. Raises ValueError if it contains its end tag."""
    if f"</{name}" in content.lower() or "<!--" in content:
        raise ValueError(f"this cannot stand inside <{name}>")
    empty = str(tag(name, attributes))
    return Element(Markup(empty.removesuffix(f"</{name}>") + content + f"</{name}>"))


def drawing(svg: str) -> Element:
    """Return an SVG file of ours as an element; it is not escaped."""
    return Element(Markup(svg))


def rendered(html: str) -> Element:
    """Return HTML that a renderer of Markdown wrote and escaped, with pages of rules, as an element."""
    return Element(Markup(html))


def document(head: Iterable[Child], body: Iterable[Child], language: str = "en", kind: str | None = None) -> str:
    """Return a whole page.

    language: its code (BCP 47).
    kind: the word by which its style sheet knows a page with a layout of its own; None: it has that of all pages.
    """
    charset = tag("meta", {"charset": "utf-8"})
    viewport = tag("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
    page = tag(
        "html", {"lang": language}, tag("head", {}, charset, viewport, head), tag("body", {"data-page": kind}, body)
    )
    return f"<!DOCTYPE html>\n{page}\n"


def _render_children(children: Iterable[Child]) -> str:
    parts = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Element):
            parts.append(str(child))
        elif isinstance(child, str | int):
            parts.append(escape(str(child)))
        else:
            parts.append(_render_children(child))
    return "".join(parts)
