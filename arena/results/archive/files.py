"""Archives as lines of JSON: one reader and one writer for tournaments and leagues.

Each line is an object. Its kind stands under `kind`, and its content under the name of its kind, but that of a void
match under `match`. Which kinds there are, a `Format` declares. A content is an item (protos/referee/v1/archive.proto)
or a struct. A match says its result beside its content (`match_lines`). The last line, the end, counts those before
it, so that a file that was cut off is told from a whole one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import SEEK_CUR
from math import inf
from pathlib import Path
from secrets import token_hex
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO, NamedTuple, TypeVar

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from msgspec import Struct, to_builtins

from arena.results.archive.errors import MAX_SENTENCE, ArchiveError
from arena.results.archive.match_lines import MatchRules
from arena.values.checking import MisfitError, read_value
from arena.values.near_path import did_you_mean_path
from arena.values.texts import json_text
from referee.engine.clean_text import clean
from referee.v1.archive_pb2 import ArchivedEnd, ArchiveItem

ITEM_BYTES = 64 * 1024**2
"""Bytes of one line. The largest have the notes of a match, of which 64 KiB are kept for each seat."""

_Line = TypeVar("_Line", bound=Struct)


class Format(NamedTuple):
    """What the lines of an archive may be."""

    what: str
    """What an archive holds, for errors."""
    kinds: Mapping[str, type[Struct] | type[ArchiveItem]]
    """The type of the content of each kind of lines."""
    check: Callable[[Any, str], None] = lambda line, where: None
    """Checks what the type of a struct does not say; takes the struct and its place in the file. Raises ArchiveError.
    """


TOURNAMENT = Format(
    "a tournament",
    dict.fromkeys(("tournament", "action", "match", "void", "output", "process_failure", "end"), ArchiveItem),
)
"""The lines of a tournament: it comes first, then the kinds in this order, but matches and void ones mixed."""


class ArchiveReader:
    """Reads the lines of an archive in their order.

    Raises ArchiveError for a line that is damaged, too long or of no kind of the format, or that says something else
    of a match than the record in it, and for a file that was cut off.
    """

    def __init__(self, file: BinaryIO, name: str, form: Format) -> None:
        self.name = name
        """The name of the file, for errors."""
        self._form = form
        self._lines = _whole_lines(file, name)
        self._ahead: list[tuple[int, dict[str, Any]]] | None = None
        self._rules: MatchRules | None = None

    @property
    def where(self) -> str:
        """The place of the next line, for errors."""
        return f"{self.name}:{self._next[0][0]}" if self._next else self.name

    @property
    def kind(self) -> str | None:
        """The kind of the next line; None at the end. Raises ArchiveError for one that is not of the format."""
        if not self._next:
            return None
        kind = self._next[0][1]["kind"]
        if not isinstance(kind, str) or kind not in self._form.kinds:
            raise ArchiveError(
                f"{self.where}: no line of {self._form.what}, or not in its place: its kind is "
                f"{clean(repr(kind), MAX_SENTENCE)}, and not {', '.join(self._form.kinds)}"
            )
        return kind

    def take(self, kind: type[_Line]) -> _Line | None:
        """Return the next line if it is of this kind; None if it is of another."""
        if (name := self.kind) is None or self._form.kinds[name] is not kind:
            return None
        line = _struct(self._next[0][1], kind, f"{self.where}: no {name} of {self._form.what}")
        self._form.check(line, self.where)
        self._ahead = None
        return line

    def take_all(self, kind: type[_Line]) -> list[_Line]:
        """Return the next lines of this kind."""
        found = []
        while (line := self.take(kind)) is not None:
            found.append(line)
        return found

    def item(self) -> ArchiveItem:
        """Return the next line, which is an item."""
        assert self.kind is not None
        values, where = self._next[0][1], self.where
        item = _item(values, where)
        if item.HasField("tournament"):
            self._rules = MatchRules.found(item.tournament)
        elif values["kind"] == "match" and self._rules is not None:
            self._rules.compare(values, item.match, where)
        self._ahead = None
        return item

    def end(self) -> None:
        """Raise ArchiveError unless all lines were read."""
        if self.kind is not None:
            raise ArchiveError(
                f"{self.where}: no line of {self._form.what}, or not in its place: a {self.kind} stands there"
            )

    @property
    def _next(self) -> list[tuple[int, dict[str, Any]]]:
        """The number and the values of the next line, if there is one. It is read once it is asked for."""
        if self._ahead is None:
            self._ahead = [line for line in [next(self._lines, None)] if line is not None]
        return self._ahead


class ArchiveWriter:
    """Makes the lines of an archive, in their order: a tournament stands before its matches."""

    def __init__(self, form: Format) -> None:
        self._form = form
        self._rules = MatchRules()
        self._count = 0

    def line(self, content: Struct | ArchiveItem) -> bytes:
        """Return the next line."""
        self._count += 1
        if isinstance(content, ArchiveItem):
            if content.HasField("tournament"):
                self._rules = MatchRules.of(content.tournament)
            return _text(self._item_values(content))
        kind = next(kind for kind, of_kind in self._form.kinds.items() if of_kind is type(content))
        return _text({"kind": kind, kind: to_builtins(content)})

    def end(self) -> bytes:
        """Return the last line, which counts those before it."""
        return _text(self._item_values(ArchiveItem(end=ArchivedEnd(items=self._count))))

    def _item_values(self, item: ArchiveItem) -> dict[str, Any]:
        kind = item.WhichOneof("item") or ""
        content = MessageToDict(getattr(item, kind), preserving_proto_field_name=True)
        for key in ("options", "versions"):
            if key in content:
                content[key] = dict(sorted(content[key].items()))  # protobuf promises no order
        if kind != "match" or item.match.voided_by:
            return {"kind": "void" if kind == "match" else kind, kind: content}
        return {"kind": "match", **self._rules.values(item.match), "match": content}


@contextmanager
def open_archive(path: Path) -> Iterator[BinaryIO]:
    """Open a file that is read more than once; a pipe is copied for that.

    Raises ArchiveError if it cannot be opened.
    """
    try:
        source = path.open("rb")
    except OSError as error:
        hint = did_you_mean_path(path) if isinstance(error, FileNotFoundError) else ""
        raise ArchiveError(f"{path} cannot be read: {error.strerror}{hint}") from None
    with source:
        if source.seekable():
            yield source
            return
        with TemporaryFile() as copy:
            copyfileobj(source, copy)
            yield copy


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces an earlier one once it is whole, under a name that no other export writes to.

    A pipe or a device is written to as it is.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    part = path.with_name(f".{path.name}.{token_hex(4)}")
    try:
        with part.open("xb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(items: Iterable[ArchiveItem], file: BinaryIO) -> int:
    """Write the archive of a tournament; return the number of matches in it."""
    matches, writer = 0, ArchiveWriter(TOURNAMENT)
    for item in items:
        matches += item.HasField("match")
        file.write(writer.line(item))
    file.write(writer.end())
    return matches


def read(file: BinaryIO, name: str) -> Iterator[ArchiveItem]:
    """Yield the items of the archive of a tournament without its end; `ArchiveReader` says what it raises.

    name: of the file, for errors.
    """
    reader = ArchiveReader(file, name, TOURNAMENT)
    while reader.kind is not None:
        yield reader.item()


def check_results(file: BinaryIO, name: str) -> None:
    """Check that the lines of matches in archives say what their records do, and that each archive is whole.

    A file may hold several archives, one after the other. JSON lines of another origin are left alone, as they have no
    records.

    Raises ArchiveError.
    """
    before, line = 0, file.readline(ITEM_BYTES)
    while (kind := _kind(line)) not in ("tournament", "league"):
        if not line:
            return
        before += 1
        if kind == "match":
            raise _no_tournament(f"{name}:{before}")
        line = file.readline(ITEM_BYTES)
    file.seek(-len(line), SEEK_CUR)
    rules, last = MatchRules(), inf
    ended = False
    for number, values in _lines(file, name, before=before):
        where = f"{name}:{number}"
        if ended:  # the next archive begins
            kind, before, last, ended = values["kind"], number - 1, inf, False
        if (end := _end_of(values, where)) is not None:
            if end != (count := number - 1 - before):
                raise _incomplete(where, f"{count:,} lines stand before its end, which counts {end:,}")
            ended = True
        if values["kind"] == "tournament":
            rules, last = MatchRules.found(_item(values, where).tournament), -1
        elif values["kind"] == "match":
            match = _item(values, where).match
            if match.number <= last:
                begins = match.number == 0 < last and kind == "league"  # the next batch
                if last == inf or begins:
                    raise _no_tournament(where)
                raise ArchiveError(f"{where}: match {match.number} is there twice, or not in its place")
            rules.compare(values, match, where)
            last = match.number
    if not ended:
        raise _incomplete(name, "its end is missing")


def _text(values: dict[str, Any]) -> bytes:
    return json_text(values).encode() + b"\n"


def _whole_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the values of each line but the end.

    Raises ArchiveError for a file that was cut off, and where something follows its end.
    """
    count, lines = 0, _lines(file, name)
    for number, values in lines:
        end = _end_of(values, f"{name}:{number}")
        if end is None:
            count += 1
            yield number, values
            continue
        if end != count:
            raise _incomplete(name, f"it has {count:,} lines, and by its end {end:,}")
        if next(lines, None) is not None:
            raise ArchiveError(f"{name}: something follows its end: export it again")
        return
    if count:
        raise _incomplete(name, "its end is missing")


def _lines(file: BinaryIO, name: str, before: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the values of each line, which are objects with a kind.

    before: the number of lines before those that are read.

    Raises ArchiveError for a line that is none.
    """
    number, text = before, file.readline(ITEM_BYTES + 1)
    while text:
        number += 1
        if len(text) > ITEM_BYTES:
            raise ArchiveError(f"{name}:{number}: no item of an archive (more than {ITEM_BYTES // 1024**2} MiB)")
        try:
            values = json.loads(text.decode())  # strict, where json.loads lets half a surrogate pair pass
            if b"\\u" in text:
                json.dumps(values, ensure_ascii=False).encode()  # protobuf and databases fail on a lone surrogate
            values["kind"]
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise _no_item(f"{name}:{number}", error) from None
        yield number, values
        text = file.readline(ITEM_BYTES + 1)


def _item(values: dict[str, Any], where: str) -> ArchiveItem:
    """Return the item of a line.

    where: the place of the line, for errors.

    Raises ArchiveError if it is none.
    """
    try:
        kind = "match" if values["kind"] == "void" else values["kind"]
        return ParseDict({kind: values[kind]}, ArchiveItem())
    except (ValueError, TypeError, LookupError, ParseError, RecursionError, SystemError) as error:
        # protobuf raises SystemError for a lone surrogate.
        raise _no_item(where, error) from None


def _struct(values: dict[str, Any], kind: type[_Line], wrong_where: str) -> _Line:
    """Return the struct of a line.

    wrong_where: the beginning of an error.

    Raises ArchiveError if its values are not those of the struct.
    """
    try:
        return read_value(values.get(values["kind"]), kind)
    except MisfitError as error:
        raise ArchiveError(f"{wrong_where}: {clean(str(error), MAX_SENTENCE)}") from None


def _end_of(values: dict[str, Any], where: str) -> int | None:
    """Return how many lines an end counts, None for a line that is no end.

    where: the place of the line, for errors.
    """
    return _item(values, where).end.items if values["kind"] == "end" else None


def _kind(line: bytes) -> str:
    """Return the kind of the item of a line, "match" where none is said; empty where it is no item."""
    with suppress(ValueError, RecursionError):
        values = json.loads(line)
        kind = values.get("kind", "match") if isinstance(values, dict) else None
        if isinstance(kind, str) and (kind != "match" or isinstance(values.get(kind), dict)):
            return kind
    return ""


def _incomplete(name: str, why: str) -> ArchiveError:
    return ArchiveError(
        f"{name} is not whole: {why}, so it was cut off or changed after it was exported: export it again"
    )


def _no_tournament(where: str) -> ArchiveError:
    return ArchiveError(
        f"{where}: the record of a match, without the line of its tournament before it: the file was changed after it "
        "was exported, so export it again"
    )


def _no_item(where: str, error: Exception) -> ArchiveError:
    what = clean(f"{type(error).__name__}: {error}", MAX_SENTENCE)
    return ArchiveError(f"{where}: no item of an archive ({what})")
