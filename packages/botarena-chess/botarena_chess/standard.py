"""The rules of chess and of Chess960, by python-chess.

In Chess960 the king that castles takes its own rook, in moves as in UCI, and FEN names the files of the rooks.
"""

import re
from functools import cached_property
from importlib.resources import files
from io import StringIO
from typing import Self

import chess
import chess.pgn

from botarena_chess.movetext import main_line
from botarena_chess.opening import Opening
from botarena_chess.rules import DRAWN, WON, End

OWN = "short"
"""The book of this package."""

STANDARD = "standard"
"""The book with the usual starting position alone."""

ALL = "all"
"""The book with the 960 starting positions of Chess960."""

TAG = re.compile(r"^\[[A-Za-z0-9_]+\s+\"[^\n]*$", re.MULTILINE)
"""A tag of PGN."""

COLOURS = ("White", "Black")

_LETTERS = tuple(zip(("pawns", "knights", "bishops", "rooks", "queens", "kings"), "PNBRQK", "pnbrqk", strict=True))
"""The sets of pieces of a board, with their letters in FEN for White and for Black."""


class StandardPosition:
    """A position of chess or Chess960.

    board: with all moves since the start, which nobody else plays on.
    """

    __slots__ = ("_rows", "board")

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self._rows: list[str] | None = None

    @property
    def seat(self) -> int:
        return 0 if self.board.turn == chess.WHITE else 1

    @property
    def number(self) -> int:
        return self.board.fullmove_number

    @property
    def quiet(self) -> int:
        return self.board.halfmove_clock

    def fen(self) -> str:
        # As python-chess writes it, which asks each square what stands there, in five times as long.
        board = self.board
        placed = "/".join(self._placed())
        for count in range(8, 0, -1):
            placed = placed.replace("." * count, str(count))
        castling = board.castling_shredder_fen() if board.chess960 else board.castling_xfen()
        passed = board.ep_square
        en_passant = chess.SQUARE_NAMES[passed] if passed is not None and board.has_legal_en_passant() else "-"
        side = "w" if board.turn == chess.WHITE else "b"
        return f"{placed} {side} {castling} {en_passant} {board.halfmove_clock} {board.fullmove_number}"

    def diagram(self) -> str:
        return "\n".join(map(" ".join, self._placed()))

    def _placed(self) -> list[str]:
        """Return what stands on the squares of each rank, from the eighth on: letters of FEN, dots for nothing."""
        if self._rows is None:
            squares = ["."] * 64
            board = self.board
            white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
            for kind, upper, lower in _LETTERS:
                pieces = getattr(board, kind)
                for left, letter in ((pieces & white, upper), (pieces & black, lower)):
                    while left:
                        first = left & -left
                        squares[first.bit_length() - 1] = letter
                        left ^= first
            self._rows = ["".join(squares[rank : rank + 8]) for rank in range(56, -1, -8)]
        return self._rows

    def legal(self) -> tuple[str, ...]:
        return tuple(sorted(move.uci() for move in self.board.legal_moves))

    def allows(self, move: str) -> bool:
        try:
            return self.board.parse_uci(move).uci() == move
        except ValueError:
            return False

    def written(self, move: str) -> str:
        return self.board.san(chess.Move.from_uci(move))

    def read(self, written: str) -> str:
        move = self.board.parse_san(written)
        if not move:
            raise ValueError(f'"{written}" passes, and in chess each side must move')
        return move.uci()

    def push(self, move: str) -> None:
        self._rows = None
        self.board.push(chess.Move.from_uci(move))

    def play(self, move: str) -> str:
        self._rows = None
        return self.board.san_and_push(chess.Move.from_uci(move))

    def end(self, legal: tuple[str, ...]) -> End | None:
        board = self.board
        if not legal:
            winner = 1 - self.seat
            return End(WON[winner], f"{COLOURS[winner]} mates") if board.is_check() else End(DRAWN, "stalemate")
        if board.is_insufficient_material():
            return End(DRAWN, "neither side can mate")
        if board.halfmove_clock >= 100:
            return End(DRAWN, "fifty moves without a capture or a pawn's move")
        if board.is_repetition(3):
            return End(DRAWN, "the position occurs for the third time")
        return None

    def copy(self) -> Self:
        return type(self)(self.board.copy())


class StandardRules:
    """The rules of chess, or of Chess960.

    chess960: whether they are those of Chess960.
    """

    def __init__(self, *, chess960: bool) -> None:
        self._chess960 = chess960
        self.name = "chess960" if chess960 else "chess"
        self.usual = "" if chess960 else chess.STARTING_FEN
        self.sides = COLOURS
        self.takes_polyglot = not chess960

    @cached_property
    def books(self) -> dict[str, tuple[bytes, str]]:
        usual = f'{" ".join(chess.STARTING_FEN.split()[:4])} id "the usual position";'.encode(), ".epd"
        if self._chess960:
            return {ALL: (_all_positions(), ".epd"), STANDARD: usual}
        return {OWN: ((files("botarena_chess") / "books" / "short.pgn").read_bytes(), ".pgn"), STANDARD: usual}

    def begin(self, opening: Opening) -> StandardPosition:
        board = chess.Board(opening.fen, chess960=self._chess960)
        for move in opening.moves:
            board.push_uci(move)
        return StandardPosition(board)

    def read_position(self, line: str) -> Opening:
        board = chess.Board(chess960=self._chess960)
        fields = line.split()
        if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit():
            board.set_fen(" ".join(fields[:6]))
            operations: dict[str, object] = {}
        else:
            operations = dict(board.set_epd(line))
        return self._checked(str(operations.get("id") or ""), board, ())

    def read_game(self, text: str) -> Opening:
        headers = chess.pgn.read_headers(StringIO(text))
        assert headers is not None
        board = headers.board()
        if self._chess960:
            board = chess.Board(board.fen(), chess960=True)
        start = StandardPosition(board)
        fen = start.fen()
        moves = tuple(main_line(start, TAG.sub("", text)))
        return self._checked(pgn_title(headers), board, moves)._replace(fen=fen)

    def _checked(self, title: str, board: chess.Board, moves: tuple[str, ...]) -> Opening:
        """Return an opening that can be played. Raises ValueError for another."""
        if (board.chess960 and not self._chess960) or not board.is_valid():
            raise ValueError(f"the position is not possible in chess: {board.fen()}")
        if board.is_game_over() or board.is_repetition(3):
            raise ValueError("the game is over after the opening")
        return Opening(title, StandardPosition(board).fen(), moves)


def pgn_title(headers: chess.pgn.Headers) -> str:
    """Return the name of the opening of a game; "" where it has none."""
    words = (headers.get(tag, "") for tag in ("ECO", "Opening", "Variation"))
    return " ".join(word for word in words if word and word != "?")


def _all_positions() -> bytes:
    """Return the starting positions of Chess960, by their numbers, as EPD."""
    boards = ((number, chess.Board.from_chess960_pos(number)) for number in range(960))
    return "".join(
        f'{" ".join(board.shredder_fen().split()[:4])} id "position {number}";\n' for number, board in boards
    ).encode()


CHESS = StandardRules(chess960=False)
CHESS960 = StandardRules(chess960=True)
