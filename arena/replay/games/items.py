"""Cards, dice and chips for all games, and helpers for zones and badges."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arena.language.message import Message
from arena.replay.event_table import EventTable, Spot
from arena.replay.scene import TableItem, Zone

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
"""The names of picture cards that differ in Cucù and Lu Stù."""


def card_names(abruzzo: bool = False) -> dict[str, str]:
    """Return the names of the picture cards of the cuckoo pack, as messages, by what moves and logs call them."""
    names = {**NAMES, **(IN_ABRUZZO if abruzzo else {})}
    return {str(card): Message("{0} ({1})", Message(name), f"{card}".replace("-", "−")) for card, name in names.items()}


CARD_NAMES = card_names()

CARDS_IN = {
    "showed a {0}": (0,),
    "defeated by a {0}": (0,),
    "You can beat the table, so you must: play a card stronger than {0}": (0,),
    "A bid must be one of the {0} and weaker than the last bid, {1}": (1,),
}
"""What else than lines of a log and moves names cards, as arguments of these numbers."""

FELLED = "seat {{0}} is defeated by the {} of {}"
READ_AS = {
    FELLED.format(card, whose): FELLED.format(f"{NAMES[card]} ({card})", whose)
    for card in (14, 12)
    for whose in ("seat {1}", "the pile")
}
"""Lines of a log that name a card in their words."""


def card_codes(names: Mapping[int, str]) -> tuple[str, ...]:
    """Return what the numbers of the cuckoo pack stand for, as lines for people who type moves.

    names: those that differ in a game.
    """
    named = {**NAMES, **names}
    high, low = ([f"{card} {named[card]}" for card in named if (card > 0) == side] for side in (True, False))
    return f"cards: {', '.join([*high, '10 to 1'])},", f"       {', '.join(low)}"


BACK = TableItem("back", name="face down")


def cuckoo_card(card: int, mark: str = "", *, abruzzo: bool = False) -> TableItem:
    """Return a card of the cuckoo pack by its number; a back if it is unknown."""
    if card == UNKNOWN:
        return TableItem("back", name="face down", mark=mark)
    name = (IN_ABRUZZO.get(card) if abruzzo else None) or NAMES.get(card, "")
    return TableItem("card", str(card), name, "high" if card > 10 else "low" if card < 1 else "number", mark=mark)


def named_card(card: int) -> int | str:
    """Return a card of the cuckoo pack in a sentence: 7, or cuckoo (15)."""
    return CARD_NAMES.get(str(card), card)


def cuckoo_cards(table: EventTable, spot: Spot, cards: int | str) -> list[TableItem]:
    """Return the cards of the cuckoo pack that a value of an event tells."""
    return [cuckoo_card(int(card)) for card in str(cards).split()]


def hand(cards: Iterable[int]) -> tuple[TableItem, ...]:
    """Return cards of the cuckoo pack."""
    return tuple(map(cuckoo_card, cards))


def backs(count: int) -> tuple[TableItem, ...]:
    """Return `count` cards face down."""
    return (BACK,) * count


def pile(label: str, count: int) -> Zone:
    """Return a pile of cards face down."""
    return Zone(label, (TableItem("back", name="face down", count=count),) if count else (), small=True)


def chips(label: str, count: int) -> Zone:
    """Return the chips of a pool."""
    return Zone(label, (TableItem("chips", str(count), label),), small=True)


def zones(*filled: Zone) -> tuple[Zone, ...]:
    """Return the zones that are not empty."""
    return tuple(zone for zone in filled if zone.items)


def badges(*words: str | bool | None) -> tuple[str, ...]:
    """Return the badges that apply; False, None and "" stand for none."""
    return tuple(word for word in words if isinstance(word, str) and word)


def turn(view: Any) -> int | None:
    """Return the seat whose turn it is by a view; None if it is nobody's."""
    return view.turn if view.HasField("turn") else None


def seats_between(first: int, count: int, seats: int) -> Iterator[int]:
    """Yield `count` seats in playing order, beginning with `first`."""
    return ((first + step) % seats for step in range(count))
