"""Results of elsewhere: files of matches that arena did not play.

pgn          games of chess, by their tags
csv_results  CSV: two players and a result on each line, or a line for each player of a match
json_lines   JSON lines: an object for each match
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from arena.ratings.reading import csv_results, json_lines, pgn
from arena.ratings.reading.errors import ReadingError
from arena.ratings.result import Result

_READERS: dict[str, Callable[[TextIO, str], Iterator[Result]]] = {
    ".pgn": pgn.read,
    ".csv": csv_results.read,
    ".jsonl": json_lines.read,
    ".ndjson": json_lines.read,
}

FORMATS = tuple(_READERS)
"""The endings of file names by which the formats are told apart."""


def read(paths: Iterable[Path]) -> Iterator[Result]:
    """Yield the results in files, whose deals are numbered on from file to file.

    Raises ReadingError where a file cannot be read or a line makes no sense.
    """
    first = 0
    for path in paths:
        reader = _READERS.get(path.suffix.lower())
        if reader is None:
            raise ReadingError(f"{path}: results are read from files that end in {', '.join(FORMATS)}")
        last = -1
        try:
            with path.open(encoding=_encoding(path), newline="") as file:
                for result in reader(file, str(path)):
                    last = max(last, result.deal)
                    yield result._replace(deal=first + result.deal)
        except OSError as error:
            raise ReadingError(f"{path} cannot be read: {error.strerror}") from None
        if last < 0:
            raise ReadingError(f"{path} holds no result")
        first += last + 1


def _encoding(path: Path) -> str:
    """Return how a file is written: as UTF-8, or else as the PGN standard of 1994 has it, and older programs."""
    with path.open(encoding="utf-8", newline="") as file:
        try:
            while file.read(1 << 20):
                pass
        except UnicodeDecodeError:
            return "iso-8859-1"
    return "utf-8-sig"


__all__ = ["FORMATS", "ReadingError", "read"]
