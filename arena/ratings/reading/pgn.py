"""Portable Game Notation: the tags White, Black and Result of each game; moves only tell which games repeat others.

Source: the PGN standard of 1994, sections 5 (comments), 6 (escapes), 8.1 (tag pairs), 8.1.1.7 (Result) and 8.2.5
(variations, which are no moves of the game). A game without a result ("*") is skipped. If the tag is missing, the
result is the last token of the moves (section 8.2.6). Each game is a deal of its own, and begins from the position of
its tag FEN (section 9.7.2).
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import TextIO

from arena.ratings.experiments import LoggedResult
from arena.ratings.reading.errors import ReadingError, check_players, shorten
from arena.values.result import Result

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')

_NUMBER = re.compile(r"[0-9]+\.+")
"""The number of a move, with or without a blank before the move."""

_COMMENT = re.compile(r"\{[^}]*\}|\{.*|;.*")
"""A comment in braces, which may be unclosed on its line, or from a semicolon to the end of the line."""

_WORD = re.compile(r"[()]|[^\s()]+")
"""A word of the moves, or a parenthesis, which may stand without a blank."""

RANKS = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
"""The ranks of White and Black by result."""

_ENDS = {*RANKS, "*"}

_POINTS = {(1, 2): (2, 0), (2, 1): (0, 2), (1, 1): (1, 1)}
"""Half points, as scores are whole numbers."""


def read(file: TextIO, name: str) -> Iterator[LoggedResult]:
    """Yield the results of a file; seats are White, then Black.

    Raises ReadingError for a game without two players, and for a comment or a variation that does not end before the
    next game.
    """
    deal = 0
    for line, tags, moves in _games(file, name):
        result = tags.get("Result", "*")
        if result == "*":
            continue
        if result not in RANKS:
            raise ReadingError(f'{name}:{line}: the result "{shorten(result)}" is none of {", ".join(RANKS)} and *')
        white, black = tags.get("White", ""), tags.get("Black", "")
        if not white or not black:
            raise ReadingError(f"{name}:{line}: the game has no tag {'Black' if white else 'White'}")
        check_players((white, black), f"{name}:{line}")
        yield LoggedResult(
            Result(deal, (white, black), RANKS[result], _POINTS[RANKS[result]]), moves, tags.get("FEN", "")
        )
        deal += 1


def _games(file: TextIO, name: str) -> Iterator[tuple[int, dict[str, str], bytes | None]]:
    """Yield the first line of each game, its tags, and a digest of its moves, None without moves.

    name
        Of the file, for errors.
    """
    tags: dict[str, str] = {}
    first_line = 0
    ending = ""  # the last word of the moves so far
    moves: list[str] = []
    commented = False
    comment_line = 0  # on which the present comment begins
    blank = False  # whether the line before is empty
    depth = 0  # of variations in each other
    variation_line = 0  # on which the outermost one begins

    def unclosed() -> ReadingError:
        line, what, close = (comment_line, "comment", "}") if commented else (variation_line, "variation", ")")
        return ReadingError(
            f"{name}:{line}: the {what} that begins here does not end before the next game: close it with a {close}"
        )

    def game() -> tuple[int, dict[str, str], bytes | None]:
        result_tags = {"Result": ending, **tags} if ending in RANKS else tags
        return first_line, result_tags, blake2b(" ".join(moves).encode(), digest_size=16).digest() if moves else None

    for number, line in enumerate(file, 1):
        if line.startswith("%"):
            continue
        if (blank if commented else depth) and _TAG.match(line):
            raise unclosed()
        blank = not line.strip()
        at = 0
        while not commented and (tag := _TAG.match(line, at)) is not None:
            if tags and (ending or tag[1] in tags):  # the moves are over, or missing
                yield game()
                tags = {}
                moves.clear()
            if not tags:
                first_line = number
            ending = ""
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
            at = tag.end()
        continued = commented
        text, commented = _strip_comments(line[at:], commented)
        if commented and not (continued and "}" not in line):
            comment_line = number
        for word in _WORD.findall(text):
            if word == "(":
                variation_line = variation_line if depth else number
                depth += 1
            elif word == ")":
                depth = max(depth - 1, 0)
            elif not depth:
                ending = word
                if word not in _ENDS and (move := _NUMBER.sub("", word)):
                    moves.append(move)
    if commented or depth:
        raise unclosed()
    if tags:
        yield game()


def _strip_comments(text: str, commented: bool) -> tuple[str, bool]:
    """Return a line without comments, and whether a comment in braces continues on the next line.

    A comment may hold anything, also what looks like a tag or a result; braces do not nest (section 8.2.5).
    """
    if commented:
        _, brace, text = text.partition("}")
        if not brace:
            return "", True
    if "{" not in text and ";" not in text:
        return text, False
    last = ""
    for comment in _COMMENT.finditer(text):
        last = comment[0]
    return _COMMENT.sub(" ", text), last.startswith("{") and not last.endswith("}")
