"""Opening books: files of positions (EPD or FEN, one a line), of games (PGN) or of Polyglot, known by name and content.

A definition must mean the same game on every machine and in years. So a book is copied into a folder of this machine
under its name and the beginning of its SHA-256, `8moves@1f0c5a3b9d2e.pgn`, and that name is the value of the option
`book`. The folder is that of the environment variable ARENA_CHESS_BOOKS, or ~/.local/share/botarena-chess.
"""

import mmap
import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from pathlib import Path

import chess
import chess.pgn

from botarena_chess.book_index import BookIndex, load_index
from botarena_chess.movetext import NoMove, main_line
from botarena_chess.opening import Opening
from botarena_chess.polyglot import SUFFIX as POLYGLOT
from botarena_chess.polyglot import PolyglotBook
from referee.engine.errors import OptionError

STANDARD = "standard"
"""The book with the usual starting position alone."""

OWN = "short"
"""The book of this package."""

DIGITS = 12
SUFFIXES = (".epd", ".fen", ".pgn", POLYGLOT)

_TAG = re.compile(r"^\[[A-Za-z0-9_]+\s+\"[^\n]*$", re.MULTILINE)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}@[0-9a-f]{12}\.(epd|fen|pgn|bin)")


def folder() -> Path:
    """Return the folder with the books of this machine."""
    return Path(os.environ.get("ARENA_CHESS_BOOKS") or Path.home() / ".local/share/botarena-chess")


def add_book(path: Path, on_read: Callable[[int], object] = lambda count: None) -> str:
    """Copy a file into the folder of books and return the name under which it is known.

    on_read: is called after each opening that can be played, with how many there were.

    Raises OptionError for a file that cannot be read or is no book.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise OptionError(f"{path} is no opening book by its name: it must end in {', '.join(SUFFIXES)}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}") from None
    suffix = path.suffix.lower()
    book = None if suffix == POLYGLOT else Book(content, suffix, str(path))
    if book is None:
        PolyglotBook(content, str(path)).check()
    else:
        for count, _ in enumerate(book, 1):
            on_read(count)
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-.")[:64] or "book"
    name = f"{stem}@{sha256(content).hexdigest()[:DIGITS]}{suffix}"
    folder().mkdir(parents=True, exist_ok=True)
    copy = folder() / name
    draft = copy.with_name(f"{name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(copy)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OptionError(f"{path} cannot be copied to {copy}: {error.strerror}") from None
    if book is not None:
        book.index.save(copy)
    return name


def check_name(name: str) -> None:
    """Raise OptionError for a name that no book can have."""
    if name not in (STANDARD, OWN) and not _NAME.fullmatch(name):
        raise OptionError(
            f'book is "{STANDARD}", "{OWN}" or the name that `botarena-chess books add FILE` prints, not "{name}"'
        )


class Book:
    """The openings of a book, each parsed when it is asked for: books have up to millions, and a match begins from one.

    content: the bytes of its file. suffix: that of its file. name: the name of the book in errors.
    """

    def __init__(self, content: bytes | mmap.mmap, suffix: str, name: str, index: BookIndex | None = None) -> None:
        """Divide a book into openings, or take `index` for where they begin.

        Raises OptionError for one without any.
        """
        self._content = content
        self._is_pgn = suffix == ".pgn"
        self._name = name
        self.index = index or BookIndex.of(content, is_pgn=self._is_pgn, name=name)

    def __len__(self) -> int:
        return len(self.index.numbers)

    @property
    def summary(self) -> str:
        """What it holds, in words."""
        return f"{len(self):,} openings"

    def __iter__(self) -> Iterator[Opening]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> Opening:
        """Return an opening. Raises OptionError with its line or its game where it is none."""
        place = range(len(self))[place]
        number, text = self.index.numbers[place], self._text(place)
        try:
            return (_parse_game if self._is_pgn else _parse_position)(number, text)
        except NoMove as error:
            before = bytes(self._content[: self.index.begins[place]]).count(b"\n")
            raise OptionError(f"{self._name}, line {before + error.line}, in game {number}: {error}") from None
        except (ValueError, IndexError) as error:
            raise OptionError(f"{self._name}, {'game' if self._is_pgn else 'line'} {number}: {error}") from None

    def title(self, place: int) -> str:
        """Return what tells an opening from others, without parsing it: the position, or the number of the game."""
        return f"game {self.index.numbers[place]}" if self._is_pgn else " ".join(self._text(place).split()[:4])

    def _text(self, place: int) -> str:
        part = self._content[self.index.begins[place] : self.index.begins[place + 1]]
        try:
            text = part.decode("utf-8")
        except UnicodeDecodeError:
            text = part.decode("latin-1")
        text = text.replace("\r\n", "\n")
        return text if self._is_pgn else text.partition("\n")[0]


@lru_cache(8)
def load_book(name: str) -> Book | PolyglotBook:
    """Return the openings of a book. Raises OptionError where this machine does not have it as it was."""
    check_name(name)
    if name == STANDARD:
        return Book(f'{" ".join(chess.STARTING_FEN.split()[:4])} id "the usual position";'.encode(), ".epd", name)
    if name == OWN:
        return Book((files("botarena_chess") / "books" / "short.pgn").read_bytes(), ".pgn", name)
    path = folder() / name
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        raise OptionError(f"this machine has no book {name}: botarena-chess books add FILE (into {folder()})") from None
    except ValueError:  # of no bytes
        raise _changed(path) from None
    if path.suffix == POLYGLOT:
        if sha256(content).hexdigest()[:DIGITS] != name.partition("@")[2][:DIGITS]:
            raise _changed(path)
        return PolyglotBook(content, name)
    # Each opening was checked as the book was added, and the file is as it was then if its size and time are.
    if index := load_index(path):
        return Book(content, path.suffix, name, index)
    if sha256(content).hexdigest()[:DIGITS] != name.partition("@")[2][:DIGITS]:
        raise _changed(path)
    book = Book(content, path.suffix, name)
    book.index.save(path)
    return book


def _changed(path: Path) -> OptionError:
    return OptionError(f"the book {path} has been changed: add the original file again")


def parse_book(content: bytes, suffix: str, name: str) -> tuple[Opening, ...]:
    """Return the openings of a book.

    name: the name of the book in errors.

    Raises OptionError with the first line at fault.
    """
    return tuple(Book(content, suffix, name))


def _parse_position(number: int, line: str) -> Opening:
    """Return the position of a line. Raises ValueError or IndexError."""
    board = chess.Board()
    fields = line.split()
    if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit():
        board.set_fen(" ".join(fields[:6]))
        operations: dict[str, object] = {}
    else:
        operations = dict(board.set_epd(line))
    title = str(operations.get("id") or f"position {number}")
    return _checked(Opening(title, board.fen(), ()), board)


def _parse_game(number: int, text: str) -> Opening:
    """Return the moves of a game. Raises NoMove, or ValueError where its first position is none."""
    headers = chess.pgn.read_headers(StringIO(text))
    assert headers is not None
    board = headers.board()
    fen = board.fen()
    moves = tuple(move.uci() for move in main_line(board, _TAG.sub("", text)))
    words = (headers.get(tag, "") for tag in ("ECO", "Opening", "Variation"))
    title = " ".join(word for word in words if word and word != "?") or f"game {number}"
    return _checked(Opening(title, fen, moves), board)


def _checked(opening: Opening, board: chess.Board) -> Opening:
    """Return an opening that can be played. Raises ValueError for another."""
    if board.chess960 or not board.is_valid():
        raise ValueError(f"the position is not possible in chess: {board.fen()}")
    if board.is_game_over() or board.is_repetition(3):
        raise ValueError("the game is over after the opening")
    printable = "".join(sign if sign.isprintable() else " " for sign in opening.name)
    return opening._replace(name=" ".join(printable.split())[:80])
