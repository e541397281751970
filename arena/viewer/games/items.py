"""Cards, backs and chips as all games draw them, and small words about seats."""

from collections.abc import Iterable, Iterator
from typing import Any

from arena.viewer.scene import TableItem, Zone

UNKNOWN = 99
"""A cuckoo card that a seat does not know."""

NAMES = {
    15: "cuckoo",
    14: "human",
    13: "horse",
    12: "cat",
    11: "house",
    0: "nulla",
    -1: "bucket",
    -2: "mask",
    -3: "lion",
    -4: "fool",
}
"""The picture cards of the cuckoo pack."""

IN_ABRUZZO = {14: "hunter", 11: "inn"}
"""What Cucù and Lu Stù call some of them."""

BACK = TableItem("back", name="face down")


def cuckoo_card(card: int, mark: str = "", *, abruzzo: bool = False) -> TableItem:
    """Return a card of the cuckoo pack by its index number; its back where it is unknown."""
    if card == UNKNOWN:
        return TableItem("back", name="face down", mark=mark)
    name = (IN_ABRUZZO.get(card) if abruzzo else None) or NAMES.get(card, "")
    return TableItem("card", str(card), name, "high" if card > 10 else "low" if card < 1 else "number", mark=mark)


def hand(cards: Iterable[int]) -> tuple[TableItem, ...]:
    """Return cards of the cuckoo pack."""
    return tuple(map(cuckoo_card, cards))


def backs(count: int) -> tuple[TableItem, ...]:
    """Return so many cards face down."""
    return (BACK,) * count


def pile(label: str, count: int) -> Zone:
    """Return a pile of cards face down."""
    return Zone(label, (TableItem("back", name="face down", count=count),) if count else (), small=True)


def chips(label: str, count: int) -> Zone:
    """Return a heap of chips that belongs to nobody."""
    return Zone(label, (TableItem("chips", str(count), label),), small=True)


def zones(*filled: Zone) -> tuple[Zone, ...]:
    """Return the zones in which something lies."""
    return tuple(zone for zone in filled if zone.items)


def badges(*words: str | bool | None) -> tuple[str, ...]:
    """Return the words that apply."""
    return tuple(word for word in words if isinstance(word, str) and word)


def turn(view: Any) -> int | None:
    """Return whose turn a view tells it is."""
    return view.turn if view.HasField("turn") else None


def seats_between(first: int, count: int, seats: int) -> Iterator[int]:
    """Yield so many seats in the order of play."""
    return ((first + step) % seats for step in range(count))
