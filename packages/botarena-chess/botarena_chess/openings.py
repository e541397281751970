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
from pathlib import Path

from botarena_chess.book_index import BookIndex, load_index
from botarena_chess.movetext import NoMove
from botarena_chess.opening import Opening
from botarena_chess.polyglot import SUFFIX as POLYGLOT
from botarena_chess.polyglot import PolyglotBook
from botarena_chess.rules import Rules
from botarena_chess.standard import CHESS
from referee.engine.errors import OptionError

DIGITS = 12
SUFFIXES = (".epd", ".fen", ".pgn", POLYGLOT)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}@[0-9a-f]{12}\.(epd|fen|pgn|bin)")


def folder() -> Path:
    """Return the folder with the books of this machine."""
    return Path(os.environ.get("ARENA_CHESS_BOOKS") or Path.home() / ".local/share/botarena-chess")


def add_book(path: Path, on_read: Callable[[int], object] = lambda count: None, rules: Rules = CHESS) -> str:
    """Copy a file into the folder of books and return the name under which it is known.

    rules: those of the game whose openings it holds.
    on_read: is called after each opening that can be played, with how many there were.

    Raises OptionError for a file that cannot be read or is no book.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise OptionError(f"{path} is no opening book by its name: it must end in {', '.join(SUFFIXES)}")
    if path.suffix.lower() == POLYGLOT and not rules.takes_polyglot:
        raise OptionError(f"{path} is a Polyglot book, which holds openings of chess alone, and none of {rules.name}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}") from None
    suffix = path.suffix.lower()
    book = None if suffix == POLYGLOT else Book(content, suffix, str(path), rules)
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


def check_name(name: str, rules: Rules = CHESS) -> None:
    """Raise OptionError for a name that no book can have, or none with openings of these rules."""
    if name not in rules.books and not _NAME.fullmatch(name):
        own = " or ".join(f'"{own}"' for own in sorted(rules.books))
        raise OptionError(f'book is {own} or the name that `botarena-chess books add FILE` prints, not "{name}"')
    if name.endswith(POLYGLOT) and not rules.takes_polyglot:
        raise OptionError(f"{name} is a Polyglot book, which holds openings of chess alone, and none of {rules.name}")


class Book:
    """The openings of a book, each parsed when it is asked for: books have up to millions, and a match begins from one.

    content: the bytes of its file. suffix: that of its file. name: the name of the book in errors. rules: of its game.
    """

    def __init__(
        self,
        content: bytes | mmap.mmap,
        suffix: str,
        name: str,
        rules: Rules = CHESS,
        index: BookIndex | None = None,
    ) -> None:
        """Divide a book into openings, or take `index` for where they begin.

        Raises OptionError for one without any.
        """
        self._content = content
        self._is_pgn = suffix == ".pgn"
        self._name = name
        self._rules = rules
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
            opening = self._rules.read_game(text) if self._is_pgn else self._rules.read_position(text)
        except NoMove as error:
            before = bytes(self._content[: self.index.begins[place]]).count(b"\n")
            raise OptionError(f"{self._name}, line {before + error.line}, in game {number}: {error}") from None
        except (ValueError, IndexError) as error:
            raise OptionError(f"{self._name}, {'game' if self._is_pgn else 'line'} {number}: {error}") from None
        title = _one_line(opening.name) or f"{'game' if self._is_pgn else 'position'} {number}"
        return opening._replace(name=title)

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
def load_book(name: str, rules: Rules = CHESS) -> Book | PolyglotBook:
    """Return the openings of a book. Raises OptionError where this machine does not have it as it was."""
    check_name(name, rules)
    if name in rules.books:
        return Book(*rules.books[name], name, rules)
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
        return Book(content, path.suffix, name, rules, index)
    if sha256(content).hexdigest()[:DIGITS] != name.partition("@")[2][:DIGITS]:
        raise _changed(path)
    book = Book(content, path.suffix, name, rules)
    book.index.save(path)
    return book


def _changed(path: Path) -> OptionError:
    return OptionError(f"the book {path} has been changed: add the original file again")


def parse_book(content: bytes, suffix: str, name: str, rules: Rules = CHESS) -> tuple[Opening, ...]:
    """Return the openings of a book.

    name: the name of the book in errors.
    rules: of its game.

    Raises OptionError with the first line at fault.
    """
    return tuple(Book(content, suffix, name, rules))


def _one_line(name: str) -> str:
    """Return the name of an opening as it is shown."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())[:80]
