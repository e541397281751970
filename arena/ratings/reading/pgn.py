"""Portable Game Notation: the tags White, Black and Result of each game; the moves are skipped.

Source: the PGN standard of 1994, sections 8.1 (tag pairs) and 8.1.1.7 (Result). A game without a result ("*") says
nothing about its players and is left out. Each game is a deal of its own.
"""

import re
from collections.abc import Iterator
from typing import TextIO

from arena.ratings.reading.errors import ReadingError
from arena.ratings.result import Result

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')

RANKS = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
"""The ranks of White and Black by result."""

_POINTS = {(1, 2): (2, 0), (2, 1): (0, 2), (1, 1): (1, 1)}
"""Half points, as scores are whole numbers."""


def read(file: TextIO, name: str) -> Iterator[Result]:
    """Yield the results of a file; seats are White, then Black. Raises ReadingError for a game without players."""
    deal = 0
    for line, tags in _games(file):
        result = tags.get("Result", "*")
        if result == "*":
            continue
        if result not in RANKS:
            raise ReadingError(f'{name}:{line}: the result "{result}" is none of {", ".join(RANKS)} and *')
        white, black = tags.get("White", ""), tags.get("Black", "")
        if not white or not black:
            raise ReadingError(f"{name}:{line}: the game has no tag {'Black' if white else 'White'}")
        yield Result(deal, (white, black), RANKS[result], _POINTS[RANKS[result]])
        deal += 1


def _games(file: TextIO) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the tags of each game, with the number of the first line they stand on."""
    tags: dict[str, str] = {}
    began = 0
    moving = commented = False
    for number, line in enumerate(file, 1):
        tag = None if commented else _TAG.fullmatch(line)
        if tag is None:
            moving = moving or bool(line.strip())
            # A comment may hold anything, also what looks like a tag; braces do not nest (section 8.2.5).
            commented = line.rfind("{") > line.rfind("}") or (commented and "}" not in line)
            continue
        if moving and tags:
            yield began, tags
            tags = {}
        if not tags:
            began = number
        moving = False
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
    if tags:
        yield began, tags
