"""Items as lines of JSON, which people and `arena ratings` can read too.

A line of a match begins with what `arena ratings` reads: its bots, ranks, scores and deal, and of games with openings
its opening and log. All else is the item itself.
The kind of a line is that of its item, but "void" for a match that does not count. The last item counts those before
it, so that a file that was cut off is told from a whole one.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import SEEK_CUR
from math import inf
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

from arena.ratings import Result
from arena.results.archive.errors import ArchiveError
from arena.values.definition import Definition
from arena.values.texts import json_text
from referee.engine.clean_text import clean
from referee.v1.archive_pb2 import ArchivedEnd, ArchivedMatch, ArchivedTournament, ArchiveItem

if TYPE_CHECKING:
    from arena.results.openings import OpeningOf

ITEM_BYTES = 64 * 1024**2
"""Bytes of one item. The largest have the notes of a match, of which 64 KiB are kept for each seat."""

MAX_SENTENCE = 300
"""Most characters of an error message about a line."""


def write(items: Iterable[ArchiveItem], file: BinaryIO) -> int:
    """Write items as lines, and their end; return the number of matches among them."""
    matches, count, writer = 0, 0, LineWriter()
    for item in items:
        count += 1
        matches += item.HasField("match")
        file.write(writer.line(item))
    file.write(writer.line(_end(count)))
    return matches


def with_end(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines, and then the one that counts them."""
    count = 0
    for line in lines:
        count += 1
        yield line
    yield LineWriter().line(_end(count))


def _end(items: int) -> ArchiveItem:
    return ArchiveItem(end=ArchivedEnd(items=items))


class LineWriter:
    """Makes the lines of items, in their order: a tournament stands before its matches."""

    def __init__(self) -> None:
        self._rules = _NO_RULES

    def line(self, item: ArchiveItem) -> bytes:
        """Return the line of the next item."""
        if item.HasField("tournament"):
            self._rules = _rules(item.tournament)
        return json_text(_line_values(item, self._rules)).encode() + b"\n"


class _Rules(NamedTuple):
    """What the lines of a tournament's matches follow."""

    names: Sequence[str]
    """The names of the bots of the field."""
    team_of: Sequence[int]
    """The number of the team of each seat; empty if every seat plays for itself."""
    opening_of: "OpeningOf | None" = None


_NO_RULES = _Rules((), ())


def _rules(tournament: ArchivedTournament) -> _Rules:
    from arena.results.openings import find_openings

    team_of = Definition.read(json.loads(tournament.definition)).team_of
    return _Rules(_names(tournament), team_of, find_openings(tournament.game, tournament.options))


def _names(tournament: ArchivedTournament) -> list[str]:
    return [bot.name for bot in tournament.entrants]


def read(file: BinaryIO, name: str) -> Iterator[ArchiveItem]:
    """Yield the items of a file without its end.

    Raises ArchiveError for a line that is none, and for a file that was cut off.
    """
    lines = ItemLines()
    for number, values in read_lines(file, name):
        yield lines.item(values, f"{name}:{number}")


def read_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the values of each line of a file but its end, as `read_values` does.

    Raises ArchiveError if it is damaged or cut off, or something follows its end.
    """
    count, lines = 0, read_values(file, name)
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


def _end_of(values: dict[str, Any], where: str) -> int | None:
    """Return how many lines an end counts, None for a line that is no end.

    where: the place of the line, for errors.
    """
    return parse_item(values, where).end.items if values["kind"] == "end" else None


def _incomplete(name: str, why: str) -> ArchiveError:
    return ArchiveError(
        f"{name} is not whole: {why}, so it was cut off or changed after it was exported: export it again"
    )


def match_result(match: ArchivedMatch, names: Sequence[str], team_of: Sequence[int]) -> Result:
    """Return the result of a match, as the ratings take it.

    team_of: the team of each seat; empty if every seat plays for itself.
    """
    from arena.results.team_results import team_result
    from arena.values.rows import ResultRow as Stored

    seats = match.seats
    sat = tuple(seat.entrant for seat in seats)
    stored = Stored(match.deal, sat, tuple(seat.score for seat in seats), tuple(seat.rank for seat in seats))
    return team_result(stored, names, team_of)


def _line_values(item: ArchiveItem, rules: _Rules) -> dict[str, Any]:
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


def read_values(file: BinaryIO, name: str, before: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the values of each line, which are objects.

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


class ItemLines:
    """Reads the lines of the items of one file, in their order: a tournament stands before its matches.

    Raises ArchiveError for a line that is no item, or that says something else of a match than the record in it.
    """

    def __init__(self) -> None:
        self._rules: _Rules | None = None

    def item(self, values: dict[str, Any], where: str) -> ArchiveItem:
        """Return the item of the next line.

        where: the place of the line, for errors.
        """
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
    lines, last = ItemLines(), inf
    ended = False
    for number, values in read_values(file, name, before=before):
        where = f"{name}:{number}"
        if ended:  # the next archive begins
            kind, before, last, ended = values["kind"], number - 1, inf, False
        if (end := _end_of(values, where)) is not None:
            if end != (count := number - 1 - before):
                raise _incomplete(where, f"{count:,} lines stand before its end, which counts {end:,}")
            ended = True
        if values["kind"] not in ("tournament", "match"):
            continue
        item = lines.item(values, where)
        if item.HasField("match") and item.match.number <= last:
            begins = item.match.number == 0 < last and kind == "league"  # the next batch
            if last == inf or begins:
                raise _no_tournament(where)
            raise ArchiveError(f"{where}: match {item.match.number} is there twice, or not in its place")
        last = item.match.number if item.HasField("match") else -1
    if not ended:
        raise _incomplete(name, "its end is missing")


def _kind(line: bytes) -> str:
    """Return the kind of the item of a line, "match" where none is said; empty where it is no item."""
    with suppress(ValueError, RecursionError):
        values = json.loads(line)
        kind = values.get("kind", "match") if isinstance(values, dict) else None
        if isinstance(kind, str) and (kind != "match" or isinstance(values.get(kind), dict)):
            return kind
    return ""


def parse_item(values: dict[str, Any], where: str) -> ArchiveItem:
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


def _no_tournament(where: str) -> ArchiveError:
    return ArchiveError(
        f"{where}: the record of a match, without the line of its tournament before it: the file was changed after it "
        "was exported, so export it again"
    )


def _no_item(where: str, error: Exception) -> ArchiveError:
    what = clean(f"{type(error).__name__}: {error}", MAX_SENTENCE)
    return ArchiveError(f"{where}: no item of an archive ({what})")
