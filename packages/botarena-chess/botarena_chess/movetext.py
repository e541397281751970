"""The moves of a game in PGN, each of which must be one: python-chess skips words that it does not know.

Source: the PGN standard of 1994, section 8.2.
"""

import re
from collections.abc import Iterator

from botarena_chess.rules import Position

_TOKEN = re.compile(
    r"""
    (?P<skip>\{[^}]*\}|;[^\n]*|^%[^\n]*|\*|1-0|0-1|1/2-1/2|\$\d+|\d+(?![\w-])\.*|\.+|[!?]+|e\.p\.)
    | (?P<open>\{)
    | (?P<begin>\()
    | (?P<end>\))
    | (?P<move>[^\s(){};]+)
    """,
    re.VERBOSE | re.MULTILINE,
)


class NoMove(ValueError):
    """Something that is no move, or none that can be played.

    line: its line in the text, from 1.
    """

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(sentence)
        self.line = line


def main_line(position: Position, text: str) -> Iterator[str]:
    """Yield the moves of the main line of a game in UCI's notation, and play them.

    position: that at the beginning.
    text: the game without its tags.

    Raises NoMove for the first word that is no move.
    """
    depth = begun = 0
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "open":
            raise _no_move(text, found.start(), "a comment begins with { and does not end")
        if kind == "begin":
            begun = begun if depth else found.start()
            depth += 1
        elif kind == "end":
            depth -= 1
            if depth < 0:
                raise _no_move(text, found.start(), "a variation ends with ) and has not begun")
        elif kind == "move" and not depth:
            try:
                move = position.read(found.group().rstrip("!?"))
            except ValueError as error:
                raise _no_move(text, found.start(), str(error)) from None
            position.push(move)
            yield move
    if depth:
        raise _no_move(text, begun, "a variation begins with ( and does not end")


def _no_move(text: str, place: int, sentence: str) -> NoMove:
    return NoMove(sentence, text.count("\n", 0, place) + 1)
