"""Texts in pictures: in the language of a reader, without what no file may hold, and no longer than there is room."""

import re
import unicodedata

from arena.language.languages import LANGUAGE
from arena.language.message import arguments, id_of
from arena.language.messages import CONTEXT, catalogue
from arena.replay.log_lines import OfSeat

SEAT = "seat {0}"
"""With what lines begin that say something of a seat, in every language."""

ELLIPSIS = "…"
MOST_LETTERS = 400
"""Of a text before it is shortened to its room."""

_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""What XML forbids, and what turns the direction of the text that follows."""

_NARROW = frozenset("iljtfr.,:;!|'()[] I·")
_WIDE = frozenset("mwMW@%—")


class Words:
    """The words of a game in the language of the current request, as `words.js` has them.

    game: its name; some words mean something else there.
    """

    def __init__(self, game: str) -> None:
        self._game = game
        self._catalogue = catalogue(LANGUAGE.get())

    def of(self, text: str) -> str:
        """Return a text of the game, such as a label or what the log says of a seat."""
        if isinstance(text, OfSeat):
            return self._of_seat(text)
        values = map(self._argument, arguments(text))
        own = self._own(id_of(text))
        return clean(own.format(*values) if arguments(text) else own)

    def _argument(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        as_value = self._catalogue.get(f"value{CONTEXT}{id_of(value)}")
        return as_value if as_value and not arguments(value) else self.of(value)

    def _own(self, id: str) -> str:
        return self._catalogue.get(f"{self._game}{CONTEXT}{id}") or self._catalogue.get(id, id)

    def _of_seat(self, line: OfSeat) -> str:
        if self._own(line.id) == line.id:
            return clean(str(line))
        told = self._own(line.id)[len(self._own(SEAT)) :].lstrip(" :：")
        return clean(told.format(*map(self._argument, line.args)))


def clean(text: str) -> str:
    """Return a text on one line, without what no picture may hold. Anything may be in it: bots choose their names."""
    return " ".join(_UNSEEN.sub("", text[:MOST_LETTERS]).split())


def clean_lines(text: str) -> list[str]:
    """Return the lines of a diagram, with their spaces."""
    return [_UNSEEN.sub("", line)[:MOST_LETTERS] for line in text.split("\n")]


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return about how wide a text is, in the unit of its size: fonts differ, so rather too much."""
    return sum(map(_letter, text)) * size * (1.08 if bold else 1)


def _letter(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    if letter in _NARROW:
        return 0.38
    if letter in _WIDE:
        return 0.95
    if ord(letter) >= 0x1100 and unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.7 if letter.isupper() else 0.62


def fitted(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return a text, shortened if it is wider than a room; "" if nothing of it fits."""
    if width(text, size, bold=bold) <= room:
        return text
    room -= width(ELLIPSIS, size, bold=bold)
    kept = 0
    for letter in text:
        room -= width(letter, size, bold=bold)
        if room < 0:
            break
        kept += 1
    return f"{text[:kept].rstrip()}{ELLIPSIS}" if kept else ""


def wrapped(text: str, size: float, room: float, lines: int) -> list[str]:
    """Return a text on several lines, shortened if there is more than fits."""
    found: list[str] = []
    rest = text
    while rest and len(found) < lines - 1 and width(rest, size) > room:
        words = rest.split(" ")
        count = 1
        while count < len(words) and width(" ".join(words[: count + 1]), size) <= room:
            count += 1
        found.append(fitted(" ".join(words[:count]), size, room))
        rest = " ".join(words[count:])
    return [*found, fitted(rest, size, room)] if rest else found
