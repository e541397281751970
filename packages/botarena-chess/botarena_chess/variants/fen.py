"""FEN of a variant: its parts, and whether it can be one.

What Fairy-Stockfish is given must be well formed, as it ends the process over much else: so ranks, files, fields and
counters are compared with those of the usual position of the variant before it is asked.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_BOARD = re.compile(r"([A-Za-z0-9+~*/]+)(?:\[([A-Za-z-]*)\])?")
_SQUARE = re.compile(r"\d+|\*|\+?[A-Za-z]~?|.")
_FIELD = re.compile(r"-|[A-Za-z]{1,20}|[a-l]\d{1,2}|\d{1,2}\+\d{1,2}|\d{1,4}")
_ID = re.compile(r'\bid\s+"([^"]*)"')
_OPERATION = re.compile(
    r"\s(acd|acn|acs|am|bm|c\d|ce|dm|eco|fmvn|hmvc|id|nic|noop|pm|pv|rc|resign|sm|tcgs|tcri|tcsi|v\d)\b[^;]*;"
)
_COUNTERS = re.compile(r"\b(hmvc|fmvn)\s+(\d{1,4})\s*;")
MOST_HELD = 512
"""Characters of the pieces in hand."""


class Placement(NamedTuple):
    """Where the pieces are."""

    rows: tuple[tuple[str, ...], ...]
    """The squares from the last rank on, from file a on: a piece as in FEN (`P`, `+p`), `*`: a wall, "": none."""
    hands: tuple[str, str]
    """The pieces in the hands of both sides, as letters of FEN."""


def placement(fen: str) -> Placement:
    """Return where the pieces of a position are. Raises ValueError for what is no FEN."""
    found = _BOARD.fullmatch(fen.partition(" ")[0])
    if found is None:
        raise ValueError(f"the pieces are not written as FEN: {fen}")
    held = (found[2] or "").replace("-", "")
    hands = "".join(filter(str.isupper, held)), "".join(filter(str.islower, held))
    return Placement(tuple(tuple(_squares(row)) for row in found[1].split("/") if row), hands)


def _squares(row: str) -> Iterator[str]:
    for part in _SQUARE.findall(row):
        if part.isdigit():
            yield from [""] * min(int(part), 99)
        elif part in ("+", "~", "/"):
            raise ValueError(f"a rank is not written as FEN: {row}")
        else:
            yield part.rstrip("~")


def diagram(fen: str) -> str:
    """Return a position as lines of letters, with the pieces in hand below."""
    rows, hands = placement(fen)
    wide = any(len(square) > 1 for row in rows for square in row)
    lines = [" ".join((square or ".").rjust(2 if wide else 1) for square in row) for row in rows]
    lines += [f"in hand: {' '.join(hand)}" for hand in hands if hand]
    return "\n".join(lines)


def split_line(line: str) -> tuple[str, str]:
    """Return the position of a line of FEN or EPD, and its name; "" where it has none."""
    found = _OPERATION.search(line)
    if found is None:
        return line.strip().rstrip(";").rstrip(), ""
    name = _ID.search(line)
    said = dict(_COUNTERS.findall(line, found.start()))
    counted = f" {said.get('hmvc', 0)} {said.get('fmvn', 1)}" if said else ""
    return line[: found.start()] + counted, name[1] if name else ""


def completed(fen: str, usual: str) -> str:
    """Return a FEN with counters, which EPD leaves out. Raises ValueError for one that a variant cannot have.

    usual: the usual position of the variant.
    """
    fields, wanted = fen.split(), usual.split()
    if len(fields) == len(wanted) - 2:
        fields += ["0", "1"]
    if len(fields) != len(wanted):
        raise ValueError(f"a position of this game has {len(wanted)} fields, as in {usual}, not {len(fields)}: {fen}")
    rows, wanted_rows = placement(fields[0]).rows, placement(wanted[0]).rows
    if list(map(len, rows)) != list(map(len, wanted_rows)):
        raise ValueError(f"the board has {len(wanted_rows)} ranks and {len(wanted_rows[0])} files: {fen}")
    if fields[1] not in ("w", "b") or not all(map(_FIELD.fullmatch, fields[1:])) or len(fields[0]) > MOST_HELD:
        raise ValueError(f"the position is not written as FEN: {fen}")
    if not (fields[-1].isdigit() and fields[-2].isdigit() and int(fields[-1]) > 0):
        raise ValueError(f"the last two fields are counters of moves: {fen}")
    return " ".join(fields)


def counters(fen: str) -> tuple[int, int]:
    """Return the moves of both sides since one that cannot be taken back, and the number of the move."""
    *_, quiet, number = fen.split()
    return int(quiet), int(number)
