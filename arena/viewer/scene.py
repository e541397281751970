"""The drawn table, in a form that both the terminal and the page can show.

A scene has places, one for each seat, and zones in the middle of the table; a zone holds items: cards, dice, chips.
All parts can be compared and hashed, so that unchanged ones are sent once.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableItem:
    """An item on the table.

    kind: "card", "back" (a card face down), "die", "cup" (a hidden die), "chips", "token" or "text".
    face: what is printed on it: 12, C7; the number of a die; a text. name: in words, e.g. cat. tone: its family, which
    decides its colour. count: the number of such items; 0 shows one without a number. mark: a label below it, such as
    its owner.
    """

    kind: str
    face: str = ""
    name: str = ""
    tone: str = ""
    count: int = 0
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """Items that lie together. label: in the game's terms. small: whether to draw them small."""

    label: str
    items: tuple[TableItem, ...]
    small: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled value of a place or the table: chips 12."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class TablePlace:
    """The place of one seat.

    turn: whether it is the turn of the seat. out: whether the seat is out of the round or match. badges: words about
    it, such as dealer. said: its latest table talk. recent: its latest events.
    """

    seat: int
    zones: tuple[Zone, ...] = ()
    facts: tuple[Fact, ...] = ()
    badges: tuple[str, ...] = ()
    turn: bool = False
    out: bool = False
    said: str = ""
    recent: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A drawn table. heading: the round or deal. middle: the zones of no seat. places: by seat. facts: of the table."""

    heading: str
    middle: tuple[Zone, ...]
    places: tuple[TablePlace, ...]
    facts: tuple[Fact, ...] = ()


EMPTY = Scene("", (), ())
"""A table with nothing on it."""
