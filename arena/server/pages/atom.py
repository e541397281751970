"""Atom feeds (RFC 4287)."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote
from xml.etree import ElementTree

ATOM = "http://www.w3.org/2005/Atom"


class News(NamedTuple):
    """An entry of a feed."""

    id: str
    """An id that is unique in the feed, and always the same."""
    when: str
    """When it happened, UTC, ISO 8601."""
    title: str
    address: str
    """The address of a page about it."""


def atom_feed(id: str, title: str, page: str, own: str, news: Sequence[News], since: str) -> bytes:
    """Return a feed as XML.

    id: a URN, the same for ever.
    page: the address of the page that it belongs to.
    own: the address of the feed itself.
    news: its entries, the newest first.
    since: when it began, UTC, ISO 8601.
    """
    ElementTree.register_namespace("", ATOM)
    feed = ElementTree.Element(f"{{{ATOM}}}feed")

    def add(parent: ElementTree.Element, tag: str, text: str = "", **attributes: str) -> ElementTree.Element:
        element = ElementTree.SubElement(parent, f"{{{ATOM}}}{tag}", attributes)
        element.text = text or None
        return element

    add(feed, "id", id)
    add(feed, "title", title)
    add(feed, "updated", news[0].when if news else since)
    add(feed, "link", rel="alternate", href=page)
    add(feed, "link", rel="self", href=own)
    add(add(feed, "author"), "name", "arena")
    for item in news:
        entry = add(feed, "entry")
        add(entry, "id", f"{id}:{quote(item.id)}")
        add(entry, "title", item.title)
        add(entry, "updated", item.when)
        add(entry, "link", rel="alternate", href=item.address)
        add(entry, "summary", item.title)
    return bytes(ElementTree.tostring(feed, "utf-8", xml_declaration=True))
