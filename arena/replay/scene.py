"""The drawn table, in a form that both the terminal and the page can show.

A scene has places, one for each seat, and zones in the middle of the table; a zone holds items: cards, dice, chips.
In a board game a board lies in the middle.
All parts can be compared and hashed, so that unchanged ones are sent once.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableItem:
    """An item on the table."""

    kind: str
    """One of "card", "back" (a card face down), "die", "cup" (a hidden die), "chips", "token", "piece" (of a board
    game) and "text".
    """
    face: str = ""
    """What is printed on it: 12 or C7 on a card, the number of a die, a text; of a piece the letter and the sign."""
    name: str = ""
    """What it is called in words, e.g. cat."""
    tone: str = ""
    """The family of the item, which decides its colour."""
    count: int = 0
    """The number of such items; 0 for a single one, shown without a number."""
    mark: str = ""
    """A label below it, such as its owner."""


@dataclass(frozen=True, slots=True)
class Zone:
    """Items that lie together."""

    label: str
    """What the zone is called in the game's terms."""
    items: tuple[TableItem, ...]
    small: bool = False
    """Whether to draw the items small."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled value of a place or the table: chips 12."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class TablePlace:
    """The place of one seat at the table."""

    seat: int
    zones: tuple[Zone, ...] = ()
    facts: tuple[Fact, ...] = ()
    badges: tuple[str, ...] = ()
    """Words about the seat, such as dealer."""
    turn: bool = False
    """Whether it is the turn of the seat."""
    out: bool = False
    """Whether the seat is out of the round or match."""
    said: str = ""
    """The latest table talk of the seat."""
    recent: str = ""
    """The latest events of the seat."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board with pieces for two seats. It is drawn from the side of the seat that sits below."""

    look: str
    """How it is ruled: "squares" of two colours, "plain" squares of one, or "points", where lines cross."""
    pieces: str
    """The set of pieces: "chess", "discs" with signs, or "wedges" with signs, which point at the other side."""
    rows: tuple[str, ...]
    """The squares, from the last rank on, each from file a on, with blanks between them: the letter of a piece, a
    capital for seat 0, after + if it is promoted; * for a closed square, . for an empty one.
    """
    signs: tuple[str, ...] = ()
    """The signs of pieces after their letters, such as "P 歩", or one for each seat, "K 帥將"; pieces of chess, and
    others without one, have none.
    """
    marked: tuple[int, ...] = ()
    """The squares of the last move, counted along `rows` from 0."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The drawn table of a frame."""

    heading: str
    """The round or deal, in words."""
    middle: tuple[Zone, ...]
    """The zones of no seat."""
    places: tuple[TablePlace, ...]
    """The place of each seat, by seat."""
    facts: tuple[Fact, ...] = ()
    """The facts of the table."""
    board: Board | None = None
    """The board in the middle; None: there is none."""


EMPTY = Scene("", (), ())
"""A table with nothing on it."""
