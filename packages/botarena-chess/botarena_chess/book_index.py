"""Where the openings of a book begin, so that a match reads the one that it begins from and nothing else.

A book of 2.6 million positions takes minutes to parse, and each process of a tournament opens it. So it is read whole
once, as it is added; where its openings begin is written beside it, as FILE.index. An index is made anew where it is
missing or is not of this file, by size and time of change. Integers are in the byte order of the machine: one of
another order finds another size, and makes the index anew.

    magic     "openings 1\\n", then zeros up to byte 16
    file      its size, its time of change in ns, and the number of openings: 3 integers of 8 bytes
    begins    n + 1 integers of 8 bytes: where each opening begins, and where the last one ends
    numbers   n integers of 4 bytes: the line of each, or the number of its game, from 1
"""

import mmap
import os
from array import array
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from struct import Struct
from typing import NamedTuple, Self

import chess.pgn

from referee.engine.errors import OptionError

MAGIC = b"openings 1\n".ljust(16, b"\0")

_HEAD = Struct("=16sQQQ")

BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
UTF8_BOM = b"\xef\xbb\xbf"


class BookIndex(NamedTuple):
    """Where the openings of a book begin."""

    begins: "array[int] | memoryview"
    """The first byte of each opening, and the end of the last one."""
    numbers: "array[int] | memoryview"
    """The line of each opening, or the number of its game, from 1."""

    @classmethod
    def of(cls, content: bytes | mmap.mmap, *, is_pgn: bool, name: str) -> Self:
        """Find the openings in the content of a book.

        name: that of the book in errors. Raises OptionError for a file without any, or one that is no text.
        """
        if encoding := BOMS.get(content[:2]):
            raise OptionError(f"{name} is written in {encoding}: save it as UTF-8")
        begins, numbers = array("Q"), array("I")
        for begin, end, number in (_games if is_pgn else _lines)(content):
            begins[len(numbers) :] = array("Q", (begin, end))
            numbers.append(number)
        if not numbers:
            raise OptionError(f"{name} holds no opening")
        return cls(begins, numbers)

    def save(self, book: Path) -> None:
        """Write it beside its book, where that can be done."""
        state = book.stat()
        path = _path(book)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with suppress(OSError):
            try:
                with draft.open("wb") as file:
                    file.write(_HEAD.pack(MAGIC, state.st_size, state.st_mtime_ns, len(self.numbers)))
                    for numbers in self:
                        file.write(numbers)
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)


def load_index(book: Path) -> BookIndex | None:
    """Return the index beside a book; None where there is none of this file."""
    try:
        state = book.stat()
        with _path(book).open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # a file of no bytes cannot be mapped
        return None
    if len(mapped) < _HEAD.size:
        return None
    magic, size, changed, count = _HEAD.unpack(mapped[: _HEAD.size])
    end = _HEAD.size + 8 * (count + 1)
    if (magic, size, changed) != (MAGIC, state.st_size, state.st_mtime_ns) or len(mapped) != end + 4 * count:
        return None
    return BookIndex(mapped[_HEAD.size : end].cast("Q"), mapped[end:].cast("I"))


def _path(book: Path) -> Path:
    return book.with_name(f"{book.name}.index")


def _lines(content: bytes | mmap.mmap) -> Iterator[tuple[int, int, int]]:
    """Yield the first byte, the end and the number of each line with a position."""
    begin = len(UTF8_BOM) if content[: len(UTF8_BOM)] == UTF8_BOM else 0
    number, size = 0, len(content)
    while begin < size:
        number += 1
        end = content.find(b"\n", begin)
        end = size if end < 0 else end + 1
        line = content[begin:end].strip()
        if line and not line.startswith(b"#"):
            yield begin, end, number
        begin = end


def _games(content: bytes | mmap.mmap) -> Iterator[tuple[int, int, int]]:
    """Yield the first byte, the end and the number of each game."""
    begin = len(UTF8_BOM) if content[: len(UTF8_BOM)] == UTF8_BOM else 0
    source = StringIO(content[:].decode("latin-1"), newline="\n")  # so that a character is a byte
    source.seek(begin)
    number = 0
    while chess.pgn.skip_game(source):
        number += 1
        yield begin, source.tell(), number
        begin = source.tell()
