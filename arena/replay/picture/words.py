"""Texts in pictures: in the language of a reader, without what no file may hold, and no longer than there is room."""

import re
import unicodedata

from arena.replay.readable import reader_of
from arena.values.rows import StoredMatch

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
    """The words of a match as people read them, in the language of the current request, as `words.js` has them."""

    def __init__(self, match: StoredMatch) -> None:
        self._reader = reader_of(match)

    def of(self, text: str) -> str:
        """Return a text of the game, such as a label or what the log says of a seat."""
        return clean(self._reader.of(text))


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
