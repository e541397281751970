"""A drawn table, in words that a terminal and a page both understand.

A scene is made of places, one for each seat, and of zones in the middle of the table; a zone holds items: cards,
dice, chips. Everything is a value that can be compared and hashed, so that what did not change is told once.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableItem:
    """Something that lies on the table.

    kind: "card", "back" (a card face down), "die", "cup" (a die nobody sees), "chips", "token" or "text".
    face: what is printed on it: 12, C7; a die's number; a text. name: in words, e.g. cat. tone: its family, which
    gives it its colour. count: how many there are of it; 0 where it is simply there. mark: a word below it, such as
    whose it is.
    """

    kind: str
    face: str = ""
    name: str = ""
    tone: str = ""
    count: int = 0
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """Things that lie together. label: what they are, in the game's words. small: they need little room."""

    label: str
    items: tuple[TableItem, ...]
    small: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is counted at a place or at the table: chips 12."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class TablePlace:
    """What lies in front of one seat.

    turn: it is, or comes, its turn. out: it has no part in what happens now. badges: words about it, such as dealer.
    said: its last words. recent: what has just happened there, by the log.
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
    """A table. heading: where in the match it stands. middle: what belongs to nobody. places: by seat."""

    heading: str
    middle: tuple[Zone, ...]
    places: tuple[TablePlace, ...]
    facts: tuple[Fact, ...] = ()
