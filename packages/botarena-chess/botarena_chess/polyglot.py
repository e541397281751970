"""Polyglot books as openings: the moves of each opening are drawn by the weights that the book gives them.

A Polyglot book is no list of openings but a table of positions, so there is no first and no last opening. What a deal
draws follows from its seed: both colours of a pair begin from the same moves.

Source: "PolyGlot: Book Format" by Kolakowski and Letouzey; python-chess reads it.
"""

import mmap
from bisect import bisect_left
from struct import Struct
from typing import NamedTuple

import chess
import chess.polyglot

from botarena_chess.opening import Opening
from referee.engine.chance import Chance
from referee.engine.errors import OptionError
from referee.engine.known import Known

SUFFIX = ".bin"

PLACE = "book"
"""The place of chance at which a move is drawn, before how many were played."""

_ENTRY = Struct(">QHH4x")
"""The key of a position, a move and its weight; what follows is for books that learn."""


class WeightedMove(NamedTuple):
    """A move of a book, and for which numbers it is drawn."""

    move: chess.Move
    """The move."""
    numbers: range
    """The numbers; those of all moves of a position are 0 to n-1, as many as their weights together."""


class PolyglotBook:
    """A Polyglot book.

    content: the bytes of its file.
    name: the name of the book in errors.
    """

    def __init__(self, content: bytes | mmap.mmap, name: str) -> None:
        """Take the content of a book. Raises OptionError for one that is none."""
        self._content = content
        self._name = name
        self._entries = range(len(content) // _ENTRY.size)
        if not content:
            raise OptionError(f"{name} holds no opening")
        if len(content) % _ENTRY.size:
            raise OptionError(f"{name} is no Polyglot book: its size is no multiple of {_ENTRY.size} bytes")

    @property
    def summary(self) -> str:
        """What it holds, in words."""
        return f"a Polyglot book with {len(self._entries):,} moves"

    def check(self) -> None:
        """Raise OptionError for a book that cannot be searched, or that has no move for the usual position."""
        last = -1
        for place in self._entries:
            if (key := self._key(place)) < last:
                raise OptionError(f"{self._name} is no Polyglot book: its entry {place + 1:,} is not in order")
            last = key
        if not self._moves(chess.Board()):
            raise OptionError(f"{self._name} has no move for the usual position, from which its openings begin")

    def draw(self, plies: int, chance: Chance) -> Opening:
        """Return the opening of a match.

        plies: the most moves, of both sides. Fewer are played where the book knows no more.
        """
        board = chess.Board()
        played, names = list[str](), list[str]()
        while len(played) < plies and (moves := self._moves(board)):
            number = chance.pick(moves[-1].numbers.stop, PLACE, len(played))
            move = next(weighted.move for weighted in moves if number in weighted.numbers)
            played.append(move.uci())
            names.append(board.san_and_push(move))
        return Opening(" ".join(names), chess.STARTING_FEN, tuple(played))

    def known(self, name: str) -> list[Known]:
        """Return what the name of an opening says of chance."""
        board, known = chess.Board(), []
        for ply, san in enumerate(name.split()):
            move = board.parse_san(san)
            numbers = next(weighted.numbers for weighted in self._moves(board) if weighted.move == move)
            known.append(Known((PLACE, ply), (0,), (), numbers))
            board.push(move)
        return known

    def _key(self, place: int) -> int:
        return int.from_bytes(self._content[_ENTRY.size * place : _ENTRY.size * place + 8])

    def _moves(self, board: chess.Board) -> list[WeightedMove]:
        """Return the moves of a position, those alone after which the game goes on.

        Some are no moves there: two positions may have one key, and a weight of 0 takes a move out of the book.
        """
        key = chess.polyglot.zobrist_hash(board)
        weights = dict[chess.Move, int]()
        for place in self._entries[bisect_left(self._entries, key, key=self._key) :]:
            found, code, weight = _ENTRY.unpack_from(self._content, _ENTRY.size * place)
            if found != key:
                break
            if weight and (move := _read_move(board, code)) is not None:
                weights[move] = weights.get(move, 0) + weight
        moves, end = list[WeightedMove](), 0
        for move, weight in weights.items():
            board.push(move)
            if not board.is_game_over() and not board.is_repetition(3):
                moves.append(WeightedMove(move, range(end, end + weight)))
                end += weight
            board.pop()
        return moves


def _read_move(board: chess.Board, code: int) -> chess.Move | None:
    """Return a move of a book, in which a king that castles takes its rook; None where it cannot be played."""
    becomes = code >> 12
    if becomes and not chess.KNIGHT <= becomes + 1 <= chess.QUEEN:
        return None
    move = chess.Move(code >> 6 & 63, code & 63, becomes + 1 if becomes else None)
    try:
        return board.parse_uci(move.uci())
    except ValueError:
        return None
