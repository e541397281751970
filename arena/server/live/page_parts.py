"""The parts of a page that change, and what differs from earlier ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from string import digits
from typing import Any, NamedTuple, Self

from arena.replay.html import Element

LONGEST = 128 * 1024
"""Characters of an event. Rows beyond half of it are sent with a later one; where even more has changed since a browser
left, it loads the page again, which is compressed.
"""


@dataclass(frozen=True)
class PageParts:
    """The changing parts of a page, by the id of each."""

    elements: Mapping[str, Element]
    rows: tuple[str, ...] = ()
    """The ids of the parts that are the rows of its main table, in order. Their first cell is "-" or ends with their
    place; where only that changes the browser counts anew.
    """

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the parts."""
        content = blake2b(repr(self.rows).encode(), digest_size=9)
        for id, element in self.elements.items():
            content.update(f"{id}\0{element}\0".encode())
        return content.hexdigest()

    @property
    def others(self) -> list[str]:
        """The ids of the parts that are no rows, in order."""
        rows = set(self.rows)
        return [id for id in self.elements if id not in rows]

    def changes(self, known: "KnownParts | None") -> dict[str, Any]:
        """Return what has changed since other parts, as JSON values; since None, that is everything."""
        hashes, rows = known or KnownParts({}, ())
        now = self.hashes()
        values: dict[str, Any] = {
            "parts": {id: str(element) for id, element in self.elements.items() if hashes.get(id) != now[id]}
        }
        return values | {"rows": self.rows} if rows != self.rows else values

    def after(self, before: "PageParts") -> "PageParts":
        """Return these parts with some rows as they were before, if more have changed than are sent at once."""
        old, new, left = before.hashes(), self.hashes(), LONGEST // 2
        elements = dict(self.elements)
        for id in self.rows:
            if id in old and old[id] != new[id]:
                left -= len(str(elements[id]))
                if left < 0:
                    elements[id] = before.elements[id]
        return self if left >= 0 else PageParts(elements, self.rows)

    def hashes(self) -> dict[str, int]:
        """Return a hash of each part, for rows without their place."""
        numbered = set(self.rows)
        return {
            id: hash(_without_place(str(element)) if id in numbered else str(element))
            for id, element in self.elements.items()
        }


def _without_place(row: str) -> str:
    """Return the markup of a row without the number at the end of its first cell."""
    first, _, others = row.partition("</td>")
    return first.rstrip(digits) + others


class KnownParts(NamedTuple):
    """What is kept of earlier parts of a page, to find what has changed since."""

    hashes: dict[str, int]
    """The hash of the markup of each part, by id."""
    rows: tuple[str, ...]

    @classmethod
    def of(cls, parts: PageParts) -> Self:
        """Return what is kept of parts."""
        return cls(parts.hashes(), parts.rows)
