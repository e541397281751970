"""The drawn table of chess and its variants: the board, and what each side has in hand."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from arena.language.message import Message
from arena.replay.renderer import Views
from arena.replay.scene import Board, Fact, Scene, TableItem, TablePlace, Zone
from botarena_chess.variants.fen import counters, placement
from botarena_chess.variants.names import JANGGI, SHOGI, XIANGQI, sides_of

CHESS, DISCS, WEDGES = "chess", "discs", "wedges"

XIANGQI_SIGNS = ("K 帥將", "A 仕士", "B 相象", "N 傌馬", "R 俥車", "C 炮砲", "P 兵卒", "M 馬馬")
JANGGI_SIGNS = ("K 楚漢", "A 士士", "B 象象", "N 馬馬", "R 車車", "C 包包", "P 卒兵")
SHOGI_SIGNS = (
    *("K 玉", "R 飛", "B 角", "G 金", "S 銀", "N 桂", "L 香", "P 歩"),
    *("+R 龍", "+B 馬", "+S 全", "+N 圭", "+L 杏", "+P と"),
)
OTHER_SIGNS = {
    "dobutsu": ("L 獅", "G 麒", "E 象", "C 雛", "+C 鶏"),
    "torishogi": ("K 鵬", "F 鷹", "C 鶴", "P 雉", "L 鶉", "R 鶉", "S 燕", "+F 鵰", "+S 鴈"),
}
"""The signs of variants of shogi with pieces of their own."""

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
SHOGI_NAMES = {"p": "pawn", "l": "lance", "n": "knight", "s": "silver", "g": "gold", "b": "bishop", "r": "rook"}

_SQUARES = re.compile(r"([a-p])(\d{1,2})")
_CHECKS = re.compile(r"(\d+)\+(\d+)")


class ChessRenderer:
    """Draws the games of this package (`arena.replay.renderer`)."""

    ART = "board.svg"
    CODES = (
        "squares: a file and a rank, e4; a move names two, and what a pawn becomes: e7e8q",
        "drops: P@e4 puts a pawn from the hand on e4",
    )
    OPEN_TURNS = True

    def render(self, views: Views, seats: int) -> Scene:
        """Draw a board."""
        view: Any = next(iter(views.values()))
        pieces = placement(view.fen)
        rows = [[square or "." for square in row] for row in pieces.rows]
        look, shape, signs = _set_of(view.variant)
        last = view.moves[-1] if view.moves else ""
        board = Board(look, shape, tuple(map(" ".join, rows)), signs, tuple(_marked(last, len(rows), len(rows[0]))))
        facts = (Fact("last move", last),) if last else ()
        places = tuple(_place(view, seat, pieces.hands[seat], shape, signs) for seat in range(seats))
        return Scene(Message("move {0}", counters(view.fen)[1]), (), places, facts, board)


def _set_of(variant: str) -> tuple[str, str, tuple[str, ...]]:
    """Return how a board is ruled, the set of its pieces, and their signs."""
    if variant in XIANGQI or variant in JANGGI:
        return "points", DISCS, JANGGI_SIGNS if variant in JANGGI else XIANGQI_SIGNS
    if variant in SHOGI:
        return "plain", WEDGES, OTHER_SIGNS.get(variant, SHOGI_SIGNS)
    return "squares", CHESS, ()


def _marked(move: str, ranks: int, files: int) -> Iterator[int]:
    """Yield the squares that a move names, as they are counted along the rows."""
    for file, rank in dict.fromkeys(_SQUARES.findall(move)):
        column, row = ord(file) - ord("a"), ranks - int(rank)
        if 0 <= row < ranks and column < files:
            yield row * files + column


def _place(view: Any, seat: int, hand: str, shape: str, signs: tuple[str, ...]) -> TablePlace:
    side = sides_of(view.variant)[seat]
    facts = [Fact("side", side)]
    if found := _CHECKS.search(view.fen):
        facts.append(Fact("checks to give", found[seat + 1]))
    known = dict(sign.split(" ", 1) for sign in signs)
    names = SHOGI_NAMES if shape == WEDGES else NAMES
    items = tuple(
        TableItem("piece", f"{letter} {known[letter.upper()]}" if letter.upper() in known else letter,
                  names.get(letter.lower(), letter), shape, count)
        for letter, count in Counter(hand).items()
    )  # fmt: skip
    fields = view.fen.split(" ")
    return TablePlace(seat, (Zone("in hand", items),) if items else (), tuple(facts), turn=fields[1] == "wb"[seat])


RENDERER = ChessRenderer()
