"""Opening books: files of positions (EPD or FEN, one a line) or of games (PGN), known by name and content.

A definition must mean the same game on every machine and in years. So a book is copied into a folder of this machine
under its name and the beginning of its SHA-256, `8moves@1f0c5a3b9d2e.pgn`, and that name is the value of the option
`book`. The folder is that of the environment variable ARENA_CHESS_BOOKS, or ~/.local/share/botarena-chess.
"""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn

from referee.engine.errors import OptionError

STANDARD = "standard"
"""The book with the usual starting position alone."""

OWN = "short"
"""The book of this package."""

DIGITS = 12
SUFFIXES = (".epd", ".fen", ".pgn")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}@[0-9a-f]{12}\.(epd|fen|pgn)")


class Opening(NamedTuple):
    """How a game begins."""

    name: str
    """The name of the opening, for people."""
    fen: str
    """The position before `moves`, in FEN."""
    moves: tuple[str, ...]
    """The moves of the book, in UCI's notation."""


def folder() -> Path:
    """Return the folder with the books of this machine."""
    return Path(os.environ.get("ARENA_CHESS_BOOKS") or Path.home() / ".local/share/botarena-chess")


def add_book(path: Path) -> str:
    """Copy a file into the folder of books and return the name under which it is known.

    Raises OptionError for a file that cannot be read or is no book.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise OptionError(f"{path} is no opening book by its name: it must end in {', '.join(SUFFIXES)}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}") from None
    parse_book(content, path.suffix.lower(), str(path))
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-.")[:64] or "book"
    name = f"{stem}@{sha256(content).hexdigest()[:DIGITS]}{path.suffix.lower()}"
    folder().mkdir(parents=True, exist_ok=True)
    (folder() / name).write_bytes(content)
    return name


def check_name(name: str) -> None:
    """Raise OptionError for a name that no book can have."""
    if name not in (STANDARD, OWN) and not _NAME.fullmatch(name):
        raise OptionError(
            f'book is "{STANDARD}", "{OWN}" or the name that `botarena-chess books add FILE` prints, not "{name}"'
        )


class Book:
    """The openings of a book, each parsed when it is asked for: books have up to millions, and a match begins from one.

    name: the name of the book in errors.
    """

    def __init__(self, content: bytes, suffix: str, name: str) -> None:
        """Divide a book into openings.

        suffix: that of its file.

        Raises OptionError for one without any.
        """
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
        self._is_pgn = suffix == ".pgn"
        self._name = name
        self._parts = list(_games(text) if self._is_pgn else _lines(text))
        if not self._parts:
            raise OptionError(f"{name} holds no opening")

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[Opening]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> Opening:
        """Return an opening. Raises OptionError with its line where it is none."""
        number, text = self._parts[place]
        parse, where = (_parse_game, "game") if self._is_pgn else (_parse_position, "line")
        return parse(number, text, f"{self._name}, {where} {number}")

    def title(self, place: int) -> str:
        """Return what tells an opening from others, without parsing it: the position, or the number of the game."""
        number, text = self._parts[place]
        return f"game {number}" if self._is_pgn else " ".join(text.split()[:4])


@lru_cache(8)
def load_book(name: str) -> Book:
    """Return the openings of a book. Raises OptionError where this machine does not have it as it was."""
    check_name(name)
    if name == STANDARD:
        return Book(f'{" ".join(chess.STARTING_FEN.split()[:4])} id "the usual position";'.encode(), ".epd", name)
    if name == OWN:
        return Book((files("botarena_chess") / "books" / "short.pgn").read_bytes(), ".pgn", name)
    path = folder() / name
    try:
        content = path.read_bytes()
    except OSError:
        raise OptionError(f"this machine has no book {name}: botarena-chess books add FILE (into {folder()})") from None
    if sha256(content).hexdigest()[:DIGITS] != name.partition("@")[2][:DIGITS]:
        raise OptionError(f"the book {path} has been changed: add the original file again")
    return Book(content, path.suffix, name)  # each opening was checked as the book was added


def parse_book(content: bytes, suffix: str, name: str) -> tuple[Opening, ...]:
    """Return the openings of a book.

    name: the name of the book in errors.

    Raises OptionError with the first line at fault.
    """
    return tuple(Book(content, suffix, name))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line with a position."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _games(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each game."""
    source = StringIO(text)
    begin, number = 0, 0
    while chess.pgn.skip_game(source):
        number += 1
        yield number, text[begin : source.tell()]
        begin = source.tell()


def _parse_position(number: int, line: str, where: str) -> Opening:
    board = chess.Board()
    try:
        fields = line.split()
        if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit():
            board.set_fen(" ".join(fields[:6]))
            operations: dict[str, object] = {}
        else:
            operations = dict(board.set_epd(line))
    except (ValueError, IndexError) as error:
        raise OptionError(f"{where}: {error}") from None
    title = str(operations.get("id") or f"position {number}")
    return _checked(Opening(title, board.fen(), ()), board, where)


def _parse_game(number: int, text: str, where: str) -> Opening:
    game = chess.pgn.read_game(StringIO(text))
    assert game is not None
    if game.errors:
        raise OptionError(f"{where}: {game.errors[0]}")
    board = game.board()
    fen = board.fen()
    moves = []
    for move in game.mainline_moves():
        moves.append(move.uci())
        board.push(move)
    words = (game.headers.get(tag, "") for tag in ("ECO", "Opening", "Variation"))
    title = " ".join(word for word in words if word and word != "?") or f"game {number}"
    return _checked(Opening(title, fen, tuple(moves)), board, where)


def _checked(opening: Opening, board: chess.Board, where: str) -> Opening:
    """Return an opening that can be played. Raises OptionError for another."""
    if board.chess960 or not board.is_valid():
        raise OptionError(f"{where}: the position is not possible in chess: {board.fen()}")
    if board.is_game_over() or board.is_repetition(3):
        raise OptionError(f"{where}: the game is over after the opening")
    printable = "".join(sign if sign.isprintable() else " " for sign in opening.name)
    return opening._replace(name=" ".join(printable.split())[:80])
