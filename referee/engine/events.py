"""The log: what happened in a match, and which seats may know it.

An event is a plain tuple `(line, *values)`: the index of a `Line` in the game's table, then the
values of that line: whole numbers, texts or None (no booleans: they equal numbers, and a referee
keeps one object for all events that are equal). Games append tuples and format nothing, so that logging costs
next to nothing in a tournament; a replay, a bot that asked for events, or a person gets the text.

The table is the grammar of the game's log (`arena games GAME --log` prints it) and the one place
that says who may know what.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from itertools import chain
from struct import error as StructError
from struct import pack
from typing import Final

from referee.engine.moves import Move

Event = tuple[int | str | None, ...]


class Audience(Enum):
    """Who may know an event."""

    ALL = "everybody"
    SEAT = "only the seat that the line names first"
    OTHERS = "everybody but the seat that the line names first"
    NOBODY = "nobody before the match is over"


class Mark(Enum):
    """What a line tells that a reader of a replay may jump to, besides the beginnings of rounds."""

    DEFEAT = "loss"
    ELIMINATION = "out"


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of line in a game's log."""

    text: str
    """The line with a `{}` for each value, e.g. "seat {} exchanges with seat {}"."""
    meaning: str
    """What the line tells, for authors of bots and scenarios."""
    to: Audience = Audience.ALL
    """Who may know the line. With SEAT and OTHERS the first value must be the seat."""
    reveals: bool = False
    """Whether a line for everybody may tell, by its values or by being said at all, what somebody could not know
    before: a card that is shown, a roll in the open, a move that was forced by a hidden hand. Moves that were chosen
    and what follows from what is known do not. `arena.testing.check_hiding` takes any other line that depends on
    something hidden for a leak.
    """
    begins: str = ""
    """What begins with the line: a "set", which has rounds, or a "round" or "deal". Its first value is the number."""
    mark: Mark | None = None
    """The defeat or elimination that it tells of."""
    drawn: bool = False
    """Whether a drawn table shows what the line says of a seat, so that the seat's place need not repeat it."""
    words: bool = False
    """Whether its texts hold words of the game, as "3xskull", which people read in their language; else they are names,
    codes of cards, or what somebody said.
    """
    joined: bool = False
    """Whether a drawn table changes together with the line before, as for a card that only its new holder sees."""
    alike: int | None = None
    """The number of the line with which it makes one change of a drawn table where they follow each other, as the
    points of one count do. Lines of the same number always do.
    """
    moves: tuple[Move, ...] = ()
    """What the line does to a drawn table."""
    clears: int | None = None
    """With which value's seat a drawn table stops repeating what earlier lines said of it, or with EVERYBODY of
    `referee.engine.moves` all seats: where cards are put away that these lines speak of. Whatever begins clears all.
    """
    cards: int | None = None
    """The number of the value that is a card, or several with spaces between: people read their names."""

    @property
    def is_of_seat(self) -> bool:
        """Whether the line says something of one seat, its first value."""
        return self.text.startswith(OF_SEAT)


OF_SEAT: Final = "seat {} "
"""How a line begins that says something of one seat."""


class LineTable:
    """The table of a game's log, which numbers each line as it is declared.

        LOG = LineTable()
        DEALT: Final = LOG.line("seat {} is dealt {}", "the seat sees its card", Audience.SEAT)

    lines: those declared so far. Events and records hold their numbers, so new lines go to the end.
    """

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: tuple[Line, ...] = ()

    def line(
        self,
        text: str,
        meaning: str,
        to: Audience = Audience.ALL,
        *,
        reveals: bool = False,
        begins: str = "",
        mark: Mark | None = None,
        drawn: bool = False,
        words: bool = False,
        joined: bool = False,
        alike: int | None = None,
        moves: tuple[Move, ...] = (),
        clears: int | None = None,
        cards: int | None = None,
    ) -> int:
        """Add a line, whose fields are those of `Line`, and return its number."""
        line = Line(text, meaning, to, reveals, begins, mark, drawn, words, joined, alike, moves, clears, cards)
        self.lines += (line,)
        return len(self.lines) - 1

    def extended(self, replaced: Mapping[int, Line] | None = None) -> "LineTable":
        """Return a table of another game that begins with these lines; `replaced` has other words for some of them."""
        table = LineTable()
        table.lines = tuple([(replaced or {}).get(number, line) for number, line in enumerate(self.lines)])
        return table


def visible(lines: Sequence[Line], event: Event, seat: int) -> bool:
    """Tell whether `seat` may know `event`."""
    match lines[event[0]].to:  # type: ignore[index]
        case Audience.ALL:
            return True
        case Audience.SEAT:
            return event[1] == seat
        case Audience.OTHERS:
            return event[1] != seat
        case _:
            return False


def text(lines: Sequence[Line], event: Event) -> str:
    """Return the line of the log that `event` stands for."""
    return lines[event[0]].text.format(*event[1:])  # type: ignore[index]


def values_text(event: Event) -> str:
    """Return the values of an event as they are sent to a bot that wants values: a JSON array."""
    return json.dumps(event, separators=(",", ":"))


def history(lines: Sequence[Line], events: Iterable[Event], seat: int | None = None) -> list[str]:
    """Return the log as `seat` may know it, or the whole of it where `seat` is None."""
    return [text(lines, event) for event in events if seat is None or visible(lines, event, seat)]


def digest(events: Sequence[Event]) -> bytes:
    """Return the fingerprint of a log in a record: the first 16 bytes of the SHA-256 of all its values in a row.

    Where all values are whole numbers of 32 bits they are hashed as such, big-endian (the number of
    values of a line follows from its kind, so nothing is ambiguous); otherwise as compact JSON of
    the list of events. The first form takes a tenth of the time, which a tournament spends on every match.
    """
    values = list(chain.from_iterable(events))
    try:
        data = pack(f">{len(values)}i", *values)
    except StructError:
        data = json.dumps(events, separators=(",", ":")).encode()
    return sha256(data).digest()[:16]
