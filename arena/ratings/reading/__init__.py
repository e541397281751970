"""Read results of matches that arena did not play, from files.

pgn          games of chess, by their tags
csv_results  CSV: two players and a result on each line, or a line for each player of a match
json_lines   JSON lines: an object for each match
"""

import codecs
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from arena.ratings.experiments import LoggedResult
from arena.ratings.reading import csv_results, json_lines, pgn
from arena.ratings.reading.errors import ReadingError
from arena.values.near_path import did_you_mean_path

_READERS: dict[str, Callable[[TextIO, str], Iterator[LoggedResult]]] = {
    ".pgn": pgn.read,
    ".csv": csv_results.read,
    ".jsonl": json_lines.read,
    ".ndjson": json_lines.read,
}

FORMATS = tuple(_READERS)
"""The file name extensions of the formats."""

_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""Encodings that are not read, by their byte-order marks; the longer ones first, as they begin like shorter ones."""


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
    """Return the encoding of a file: UTF-8 or, if it is invalid as such, ISO 8859-1, as in the PGN standard of 1994.

    Raises ReadingError for a file in UTF-16 or UTF-32.
    """
    with path.open("rb") as content:
        first = content.read(4)
    other = next((encoding for mark, encoding in _MARKS.items() if first.startswith(mark)), "")
    if not other and b"\0" in first[:2]:  # without a mark, one byte of the first letter is 0
        other = "UTF-16 or UTF-32"
    if other:
        raise ReadingError(f"{path} is text in {other}, and results are read in UTF-8: save it in that encoding")
    with path.open(encoding="utf-8", newline="") as file:
        try:
            while file.read(1 << 20):
                pass
        except UnicodeDecodeError:
            return "iso-8859-1"
    return "utf-8-sig"


__all__ = ["FORMATS", "ReadingError", "read"]
