"""Read results of matches that arena did not play, from files.

pgn          games of chess, by their tags
csv_results  CSV: two players and a result on each line, or a line for each player of a match
json_lines   JSON lines: an object for each match
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from arena.near_path import did_you_mean_path
from arena.ratings.experiments import LoggedResult
from arena.ratings.reading import csv_results, json_lines, pgn
from arena.ratings.reading.errors import ReadingError

_READERS: dict[str, Callable[[TextIO, str], Iterator[LoggedResult]]] = {
    ".pgn": pgn.read,
    ".csv": csv_results.read,
    ".jsonl": json_lines.read,
    ".ndjson": json_lines.read,
}

FORMATS = tuple(_READERS)
"""The file name extensions of the formats."""


def read(paths: Iterable[Path]) -> Iterator[LoggedResult]:
    """Yield the results in files, with what these tell of openings and logs; deals are numbered across files.

    Raises ReadingError if a file cannot be read or a line is invalid.
    """
    first_deal = 0
    for path in paths:
        reader = _READERS.get(path.suffix.lower())
        if reader is None:
            raise ReadingError(f"{path}: results are read from files that end in {', '.join(FORMATS)}")
        last_deal = -1
        try:
            with path.open(encoding=_encoding(path), newline="") as file:
                for match in reader(file, str(path)):
                    deal = match.result.deal
                    last_deal = max(last_deal, deal)
                    yield match._replace(result=match.result._replace(deal=first_deal + deal))
        except OSError as error:
            hint = did_you_mean_path(path) if isinstance(error, FileNotFoundError) else ""
            raise ReadingError(f"{path} cannot be read: {error.strerror}{hint}") from None
        if last_deal < 0:
            raise ReadingError(f"{path} holds no result")
        first_deal += last_deal + 1


def _encoding(path: Path) -> str:
    """Return the encoding of a file: UTF-8 or, if it is invalid as such, ISO 8859-1, as in the PGN standard of 1994."""
    with path.open(encoding="utf-8", newline="") as file:
        try:
            while file.read(1 << 20):
                pass
        except UnicodeDecodeError:
            return "iso-8859-1"
    return "utf-8-sig"


__all__ = ["FORMATS", "ReadingError", "read"]
