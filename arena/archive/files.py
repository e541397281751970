"""Items as files: JSON lines, which people and `arena ratings` can read too, or protobuf.

A line of a match begins with what `arena ratings` reads: its bots, ranks, scores and deal, and of games with openings
its opening and log. All else is the item itself.
The kind of a line is that of its item, but "void" for a match that does not count.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import SEEK_CUR
from math import inf
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import DecodeError

from arena.archive.errors import ArchiveError
from arena.ratings import Result
from arena.store.stored_definition import StoredDefinition
from arena.texts import json_text
from referee.v1.archive_pb2 import ArchivedMatch, ArchivedTournament, ArchiveItem
from referee.wire import clean

if TYPE_CHECKING:
    from arena.tournament.results.openings import OpeningOf

FORMATS = ("jsonl", "protobuf")
"""The formats of a file."""

ITEM_BYTES = 64 * 1024**2
"""Bytes of one item. The largest have the notes of a match, of which 64 KiB are kept for each seat."""

MAX_SENTENCE = 300
"""Most characters of an error message about a line."""


def write(items: Iterable[ArchiveItem], form: str, file: BinaryIO) -> int:
    """Write items in one of `FORMATS`; return the number of matches among them."""
    matches = 0
    rules = _NO_RULES
    for item in items:
        matches += item.HasField("match")
        if item.HasField("tournament"):
            rules = _rules(item.tournament)
        if form == "protobuf":
            content = item.SerializeToString(deterministic=True)
            file.write(_varint(len(content)) + content)
        else:
            file.write(_text(item, rules))
    return matches


def item_text(item: ArchiveItem, tournament: ArchivedTournament) -> bytes:
    """Return an item as a line. tournament: the one that it belongs to."""
    return _text(item, _rules(tournament))


class _Rules(NamedTuple):
    """What the lines of a tournament's matches follow. names: of its field. team_of: by seat, as in `match_result`."""

    names: Sequence[str]
    team_of: Sequence[int]
    opening_of: "OpeningOf | None" = None


_NO_RULES = _Rules((), ())


def _rules(tournament: ArchivedTournament) -> _Rules:
    from arena.tournament.results.openings import find_openings

    team_of = StoredDefinition(json.loads(tournament.definition)).team_of
    return _Rules(_names(tournament), team_of, find_openings(tournament.game, tournament.options))


def _names(tournament: ArchivedTournament) -> list[str]:
    return [bot.name for bot in tournament.entrants]


def _text(item: ArchiveItem, rules: _Rules) -> bytes:
    return json_text(_line(item, rules)).encode() + b"\n"


def read(file: BinaryIO, name: str) -> Iterator[ArchiveItem]:
    """Yield the items of a file of either format. Raises ArchiveError if it is damaged or truncated."""
    first = file.read(1)
    if first == b"{":
        yield from _read_lines(file, first, name)
    elif first:
        yield from _read_protobuf(file, first, name)


def match_result(match: ArchivedMatch, names: Sequence[str], team_of: Sequence[int]) -> Result:
    """Return the result of a match, as the ratings take it. team_of: by seat; empty if every seat plays for itself."""
    from arena.store.rows import ResultRow as Stored
    from arena.tournament.results.team_results import team_result

    seats = match.seats
    sat = tuple(seat.entrant for seat in seats)
    stored = Stored(match.deal, sat, tuple(seat.score for seat in seats), tuple(seat.rank for seat in seats))
    return team_result(stored, names, team_of)


def _line(item: ArchiveItem, rules: _Rules) -> dict[str, Any]:
    kind = item.WhichOneof("item") or ""
    content = MessageToDict(getattr(item, kind), preserving_proto_field_name=True)
    for key in ("options", "versions"):
        if key in content:
            content[key] = dict(sorted(content[key].items()))  # protobuf promises no order
    if kind != "match" or item.match.voided_by:
        return {"kind": "void" if kind == "match" else kind, kind: content}
    return {"kind": "match", **_result_values(item.match, rules), "match": content}


def _result_values(match: ArchivedMatch, rules: _Rules) -> dict[str, Any]:
    """Return what a line says of a match beside its record."""
    result = match_result(match, rules.names, rules.team_of)
    values: dict[str, Any] = {
        "bots": result.teams,
        "ranks": result.ranks,
        "scores": result.scores,
        "deal": result.deal,
    }
    if rules.opening_of is not None:
        values |= {"opening": rules.opening_of(match.seed, len(match.seats)), "log": match.digest.hex()}
    return values


def read_values(file: BinaryIO, name: str, first: bytes = b"", before: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the values of each line, which are objects. first: of the file, if that was read.

    before: the number of lines before those that are read.

    Raises ArchiveError for a line that is none.
    """
    number, text = before, first + file.readline(ITEM_BYTES)
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


class ItemLines:
    """Reads the lines of the items of one file, in their order: a tournament stands before its matches.

    Raises ArchiveError for a line that is no item, or that says something else of a match than the record in it.
    """

    def __init__(self) -> None:
        self._rules: _Rules | None = None

    def item(self, values: dict[str, Any], where: str) -> ArchiveItem:
        """Return the item of the next line. where: it stands, for errors."""
        item = parse_item(values, where)
        if item.HasField("tournament"):
            self._rules = _Rules(_names(item.tournament), ())
            with suppress(ValueError, TypeError, AttributeError, RecursionError):  # what imports it, says what is wrong
                self._rules = _rules(item.tournament)
        elif values["kind"] == "match" and self._rules is not None:
            self._compare(values, item.match, self._rules, where)
        return item

    def _compare(self, values: dict[str, Any], match: ArchivedMatch, rules: _Rules, where: str) -> None:
        try:
            recorded = json.loads(json_text(_result_values(match, rules)))
        except LookupError:
            raise ArchiveError(
                f"{where}: match {match.number} has a bot that is not in the field, or other teams"
            ) from None
        for name, value in recorded.items():
            if name in values and values[name] != value:
                told, true = (clean(json_text(each), MAX_SENTENCE) for each in (values[name], value))
                raise ArchiveError(
                    f"{where}: match {match.number} has the {name} {told} beside its record, which says {true}: the "
                    "file was changed after it was exported"
                )


def check_results(file: BinaryIO, name: str) -> None:
    """Raise ArchiveError if a line of a file contradicts the record of its match, or lacks its tournament's line.

    JSON lines of another origin are left alone, as they have no records.
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
    lines, last = ItemLines(), inf
    for number, values in read_values(file, name, before=before):
        if values["kind"] not in ("tournament", "match"):
            continue
        item = lines.item(values, f"{name}:{number}")
        if item.HasField("match") and item.match.number <= last:  # the first of all, or of the next batch of a league
            raise _no_tournament(f"{name}:{number}")
        last = item.match.number if item.HasField("match") else -1


def _kind(line: bytes) -> str:
    """Return the kind of the item of a line, "match" where none is said; empty where it is no item."""
    with suppress(ValueError, RecursionError):
        values = json.loads(line)
        kind = values.get("kind", "match") if isinstance(values, dict) else None
        if isinstance(kind, str) and (kind != "match" or isinstance(values.get(kind), dict)):
            return kind
    return ""


def parse_item(values: dict[str, Any], where: str) -> ArchiveItem:
    """Return the item of a line. where: it stands, for errors. Raises ArchiveError if it is none."""
    try:
        kind = "match" if values["kind"] == "void" else values["kind"]
        return ParseDict({kind: values[kind]}, ArchiveItem())
    except (ValueError, TypeError, LookupError, ParseError, RecursionError, SystemError) as error:
        # protobuf raises SystemError for a lone surrogate.
        raise _no_item(where, error) from None


def _no_tournament(where: str) -> ArchiveError:
    return ArchiveError(
        f"{where}: the record of a match, without the line of its tournament before it: the file was changed after it "
        "was exported, so export it again"
    )


def _no_item(where: str, error: Exception) -> ArchiveError:
    what = clean(f"{type(error).__name__}: {error}", MAX_SENTENCE)
    return ArchiveError(f"{where}: no item of an archive ({what})")


def _read_lines(file: BinaryIO, first: bytes, name: str) -> Iterator[ArchiveItem]:
    lines = ItemLines()
    for number, values in read_values(file, name, first):
        yield lines.item(values, f"{name}:{number}")


def _read_protobuf(file: BinaryIO, byte: bytes, name: str) -> Iterator[ArchiveItem]:
    number = 0
    while byte:
        number += 1
        length = shift = 0
        while byte and byte[0] & 128 and shift < 28:
            length |= (byte[0] & 127) << shift
            shift += 7
            byte = file.read(1)
        length |= (byte[0] if byte else 0) << shift
        content = file.read(length) if length <= ITEM_BYTES else b""
        try:
            item = ArchiveItem.FromString(content)
        except DecodeError:
            item = ArchiveItem()
        if len(content) < length or item.WhichOneof("item") is None:
            raise ArchiveError(f"{name}: item {number} is damaged, or the file is no archive")
        yield item
        byte = file.read(1)


def _varint(value: int) -> bytes:
    packed = bytearray()
    while value > 127:
        packed.append(value & 127 | 128)
        value >>= 7
    packed.append(value)
    return bytes(packed)
