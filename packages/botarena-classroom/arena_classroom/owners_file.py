"""An owners file: a table in CSV that says who handed in which folder.

    folder,owner,name,handed_in
    Doe Jane_1234_assignsubmission_file_,jane,owl,2026-05-01 17:58

It is read as spreadsheets write it: with commas, semicolons or tabs, with a byte order mark or without, in UTF-8,
UTF-16 or the Windows code page 1252.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from arena.packs.errors import BadName
from arena.packs.names import check_name, word_from
from arena_classroom.errors import OwnersError

MOST_BYTES = 4 * 1024**2
"""Bytes of an owners file."""

COLUMNS = {"folder": ("folder", "bot", "file"), "owner": ("owner",), "name": ("name",), "handed_in": ("handed_in",)}
"""Column to the titles that it may have."""

_REQUIRED = ("folder", "owner")

_SHOWN = 10
"""Mistakes that an error lists."""

_GERMAN_TIME = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?")
"""01.05.2026 17:58, as spreadsheets write it where days come first."""


@dataclass(frozen=True, slots=True)
class OwnersRow:
    """A row of an owners file."""

    number: int
    """The number of the row, as a spreadsheet counts."""
    folder: str
    """The name of an entry in the folder of hand-ins."""
    owner: str
    """The owner, as a word that begins the bot's name."""
    name: str = ""
    """The name of the only bot; empty if it is not given."""
    handed_in: datetime | None = None
    """When it was handed in; None if that is not given."""


def read_owners(path: Path) -> list[OwnersRow]:
    """Return the rows of an owners file. Raises OwnersError, with the numbers of the rows that are wrong."""
    lines = read_csv(path, 'name a CSV file, or "folders" if folders are named after owners')
    top, titles = next(numbered(lines), (0, []))
    if not titles:
        raise OwnersError(f"{path} is empty: its first row names the columns, folder and owner at least")
    columns = _columns(path, titles)
    reader = _RowReader()
    mistakes: list[str] = []
    for number, line in numbered(lines, top):
        try:
            reader.add(number, {key: line[place] if place < len(line) else "" for key, place in columns.items()})
        except (OwnersError, BadName) as error:
            mistakes.append(f"row {number}: {error}")
    if mistakes:
        raise OwnersError(f"{path} has mistakes, so nothing was submitted:{listed(mistakes)}")
    if not reader.rows:
        raise OwnersError(f"{path} has no row below its titles: add one for each folder, with its owner")
    return reader.rows


def numbered(lines: Sequence[list[str]], after: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with their numbers as a spreadsheet counts.

    after: the number of the row below which they stand.
    """
    return ((number, line) for number, line in enumerate(lines[after:], after + 1) if any(line))


def listed(mistakes: Sequence[str]) -> str:
    """Return mistakes as the end of an error, each on a line; of many the first."""
    more = f"\n    and {len(mistakes) - _SHOWN} more" if len(mistakes) > _SHOWN else ""
    return "".join(f"\n    {mistake}" for mistake in mistakes[:_SHOWN]) + more


class _RowReader:
    """Makes rows of cells, and compares them with those above."""

    def __init__(self) -> None:
        self.rows: list[OwnersRow] = []
        self._folders: dict[str, int] = {}
        self._owners: dict[str, tuple[str, int]] = {}

    def add(self, number: int, cells: Mapping[str, str]) -> None:
        """Add a row. Raises OwnersError, BadName."""
        folder, text = cells["folder"].rstrip("/\\"), cells["owner"]
        for key in _REQUIRED:
            if not cells[key]:
                raise OwnersError(f"{key} is empty")
        if "/" in folder or "\\" in folder or folder in (".", ".."):
            raise OwnersError(f'folder is "{folder}": it must be the name of an entry of the folder, not a path')
        if (above := self._folders.setdefault(folder, number)) != number:
            raise OwnersError(f'"{folder}" is in row {above} already: leave one of them')
        owner = word_from(text)
        if not owner:
            raise OwnersError(f'no owner can be made of "{text}": write it in letters from a to z')
        other, above = self._owners.setdefault(owner, (text.casefold(), number))
        if other != text.casefold():
            raise OwnersError(f'"{text}" becomes the owner {owner}, as another one in row {above}: change one of them')
        name = check_name(word_from(cells["name"]) or cells["name"]) if cells.get("name") else ""
        self.rows.append(OwnersRow(number, folder, owner, name, _time(cells.get("handed_in", ""))))


def read_csv(path: Path, remedy: str = "name a CSV file") -> list[list[str]]:
    """Return the cells of a file, row by row, without blanks around them.

    remedy: what to do if it is no file.

    Raises OwnersError.
    """
    try:
        if not path.is_file():
            raise OwnersError(f"{path} is not a file: {remedy}")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise OwnersError(f"{path} cannot be read: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise OwnersError(f"{path} is too large: it has more than {MOST_BYTES >> 20} MiB")
    if content.startswith(b"PK"):
        raise OwnersError(f"{path} is a spreadsheet and not a CSV file: save it as CSV")
    text = unicodedata.normalize("NFC", _decode(content))
    first, _, rest = text.lstrip().partition("\n")
    if match := re.fullmatch(r'"?sep=(.)"?\s*', first, re.IGNORECASE):  # a line for Excel alone; it counts as a row
        delimiter, text = match[1], f"\n{rest}"
    else:
        delimiter = max(";\t,", key=first.count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        return [[cell.strip() for cell in line] for line in reader]
    except csv.Error as error:
        raise OwnersError(f"{path} cannot be read as CSV: {error}") from None


def _decode(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _columns(path: Path, titles: Sequence[str]) -> dict[str, int]:
    """Return the place of each column; other columns are left alone. Raises OwnersError."""
    known = [re.sub(r"[\s-]+", "_", title.casefold()) for title in titles]
    columns: dict[str, int] = {}
    for key, names in COLUMNS.items():
        places = [place for place, title in enumerate(known) if title in names]
        if len(places) > 1:
            raise OwnersError(f"{path} has two columns {key} ({', '.join(titles[place] for place in places)})")
        if places:
            columns[key] = places[0]
        elif key in _REQUIRED:
            shown = ", ".join(filter(None, titles)) or "none"
            raise OwnersError(f"{path} has no column {key}: its first row must name the columns (it has {shown})")
    return columns


def _time(text: str) -> datetime | None:
    """Return a point in time, in the time zone of this machine where it names none. Raises OwnersError."""
    if not text:
        return None
    try:
        if match := _GERMAN_TIME.fullmatch(text):
            day, month, year, hour, minute, second = (int(part or 0) for part in match.groups())
            return datetime(year, month, day, hour, minute, second).astimezone()
        return parse_time(text)
    except (ValueError, OverflowError):
        raise OwnersError(f'handed_in is "{text}": write it as 2026-05-01 17:58') from None


def parse_time(text: str) -> datetime:
    """Return a point in time from ISO 8601, in the time zone of this machine where it names none. Raises ValueError."""
    if re.fullmatch(r"[\d-]{8,10}", text):
        raise ValueError(f"{text} has no time of day")
    return datetime.fromisoformat(text).astimezone()
