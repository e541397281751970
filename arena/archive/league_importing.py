"""Import the archive of a league: all of it is checked, and then stored in one transaction."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from typing import Any, Self, TypeVar

from arena.archive.errors import ArchiveError
from arena.archive.files import MAX_SENTENCE, parse_item
from arena.archive.importing import match_row, new_event
from arena.archive.json_types import MOST_SEATS, misfit
from arena.archive.league_checks import check_details, check_entry_names, check_league_name, check_line, check_snapshot
from arena.archive.league_lines import (
    FORMAT,
    KINDS,
    AttemptLine,
    BatchLine,
    DecisionLine,
    EntryLine,
    LeagueLine,
    Line,
    SeasonLine,
    SnapshotLine,
    parse_line,
)
from arena.errors import ArenaError
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import MOST_TABLES
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.results.season_table import SeasonPlace, unpack_table
from arena.league.run.batch_sums import batch_sums
from arena.store import Store
from arena.store.imported_leagues import ImportedBatch, ImportedEntry, ImportedLeague, ImportedSnapshot
from arena.store.league_rows import AttemptRow, EntryRow, Final, SeasonRow
from arena.store.rows import DecisionRow, MatchRow, NewEvent, log_problems
from arena.store.stored_definition import StoredDefinition
from arena.tournament.plan.definition import Definition
from referee.wire import clean

MOST_DAYS = 4000
"""Of a chain of secrets: each is hashed to verify it."""

MOST_MATCHES = 10**7
"""Of a batch."""

_Values = dict[str, Any]

_Kind = TypeVar("_Kind", bound=Line)


@dataclass(frozen=True, slots=True)
class LeagueArchive:
    """A league in a file, all of whose lines were checked. again: yields its lines from the beginning."""

    new: ImportedLeague
    team_of: tuple[int, ...]
    name: str
    again: Callable[[], Iterator[tuple[int, _Values]]]

    @classmethod
    def of(cls, again: Callable[[], Iterator[tuple[int, _Values]]], name: str) -> Self:
        """Read and check all lines. name: of the file.

        Raises ArchiveError if one is damaged, does not fit the others, or is missing.
        """
        reader = _Reader(again(), name)
        league = reader.league()
        archive = cls(league, tuple(_definition(league.definition, name).team_of), name, again)
        before, results = 0, []
        for batch in archive._rest(reader):
            if isinstance(batch, ImportedSnapshot):
                continue
            if batch.line.number <= before:
                raise ArchiveError(f"{name}: batch {batch.line.number} does not follow batch {before}")
            before = batch.line.number
            if batch.line.result is not None:
                results.append(batch.line.result)
        if sorted(results) != list(range(1, len(results) + 1)):
            raise ArchiveError(f"{name}: batches with results are missing")
        return archive

    def take_in(self, store: Store) -> int:
        """Store the league, closed, in one transaction; return how many batches with results it has.

        Raises StoreError if the database has a league of that name, or other files of a bot of the same version.
        """

        def rest() -> Iterator[ImportedBatch | ImportedSnapshot]:
            reader = _Reader(self.again(), self.name)
            reader.league()
            for read in self._rest(reader):
                yield read if isinstance(read, ImportedSnapshot) else read.imported()

        return store.imported_leagues.add(self.new, rest())

    def _rest(self, reader: "_Reader") -> "Iterator[_Batch | ImportedSnapshot]":
        """Yield what follows on the league. Raises ArchiveError where a line is not in its place."""
        last = 0
        while True:
            if (snapshot := reader.take(SnapshotLine)) is not None:
                if snapshot.number <= last:
                    raise ArchiveError(f"{self.name}: snapshot {snapshot.number} does not follow snapshot {last}")
                last = snapshot.number
                yield _snapshot(snapshot, self.name)
            elif (line := reader.take(BatchLine)) is not None:
                yield reader.batch(line, self.new, self.team_of)
            else:
                return reader.end()


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch of a file. sums: of its matches; empty for one that is void."""

    line: BatchLine
    attempts: tuple[AttemptRow, ...]
    event: NewEvent
    rows: tuple[MatchRow, ...]
    sums: bytes

    def imported(self) -> ImportedBatch:
        line = self.line
        values = {name: getattr(line, name) for name in line.__slots__ if name != "entries"}
        values |= {"entries": json.dumps(line.entries)}
        return ImportedBatch(values, self.attempts, self.event, self.rows, self.sums)


class _Reader:
    """Reads the lines of a file in their order."""

    def __init__(self, lines: Iterator[tuple[int, _Values]], name: str) -> None:
        self._lines = lines
        self._name = name
        self._next = next(lines, None)

    @property
    def _where(self) -> str:
        return f"{self._name}:{self._next[0]}" if self._next is not None else self._name

    def take(self, kind: type[_Kind]) -> _Kind | None:
        """Return the next line if it is of this kind; None if it is of another."""
        if self._next is None or KINDS.get(str(self._next[1].get("kind"))) is not kind:
            return None
        line = parse_line(self._next[1], kind, self._where)
        check_line(line, self._where)
        self._advance()
        return line

    def all(self, kind: type[_Kind]) -> list[_Kind]:
        """Return the next lines of this kind."""
        found = []
        while (line := self.take(kind)) is not None:
            found.append(line)
        return found

    def league(self) -> ImportedLeague:
        """Return what stands before the batches. Raises ArchiveError."""
        name = self._name
        head = self.take(LeagueLine)
        if head is None:
            raise ArchiveError(f"{name} is no archive of a league: its first line must be the league")
        if head.format != FORMAT:
            raise ArchiveError(f"{name}: lines of format {head.format}, and this arena reads {FORMAT}")
        check_league_name(head, name)
        definition = _stored_definition(head, name)
        table_size = _definition(definition, name).table_size
        seasons = [_season(line, table_size, name) for line in self.all(SeasonLine)]
        if [season.number for season, _ in seasons] != list(range(1, len(seasons) + 1)) or len(seasons) != head.season:
            raise ArchiveError(f"{name}: its seasons are not 1 to {head.season}")
        entries = [_entry(line, name) for line in self.all(EntryLine)]
        numbers = [each.row.number for each in entries]
        if numbers != sorted(set(numbers)) or len({each.row.name for each in entries}) < len(entries):
            raise ArchiveError(f"{name}: an entry is there twice")
        for season, standings in seasons:
            listed = [place.entry for place in unpack_table(standings)] if standings is not None else []
            if not set(listed) <= set(numbers) or not set((season.final and season.final.entries) or ()) <= set(
                numbers
            ):
                raise ArchiveError(f"{name}: season {season.number} ranks entries that are not there")
        log = [_decision(line, name) for line in self.all(DecisionLine)]
        for problem in log_problems(log, definition.hash):
            raise ArchiveError(f"{name}: {problem}")
        return ImportedLeague(
            head.name, head.game, definition, head.created, tuple(seasons), tuple(entries), tuple(log)
        )

    def batch(self, line: BatchLine, league: ImportedLeague, team_of: tuple[int, ...]) -> _Batch:
        """Return a batch with its matches. Raises ArchiveError."""
        known = {each.row.number for each in league.entries}
        where = f"{self._name}: batch {line.number}"
        attempts = tuple(
            AttemptRow(each.attempt, "", each.began, each.ended, each.outcome, each.reason)
            for each in self.all(AttemptLine)
        )
        if len({each.attempt for each in attempts}) < len(attempts):
            raise ArchiveError(f"{where} has an attempt twice")
        message = self._item("tournament").tournament
        event = new_event(message, where)
        fits = len(event.entrants) == len(line.entries) == len(set(line.entries)) and set(line.entries) <= known
        if not fits or not 1 <= line.season <= len(league.seasons):
            raise ArchiveError(f"{where} has entries, or a season, that are not there")
        if not 0 <= line.day < league.seasons[line.season - 1][0].days:
            raise ArchiveError(f"{where} was drawn on a day for which its season has no secret")
        _check_tables(event, len(line.entries), where)
        rows = []
        while self._next is not None and self._next[1].get("kind") == "match":
            rows.append(match_row(self._item("match").match, len(event.entrants), where))
        if (line.state == "stored") != (line.result is not None or (line.kind == "challenge" and bool(rows))):
            raise ArchiveError(f"{where} is {line.state} and has another result")
        whole = list(range(event.matches)) if line.state == "stored" else []
        if [row.number for row in rows] != whole:
            raise ArchiveError(f"{where} has {len(rows):,} matches, not {len(whole):,} in their order")
        sums = b""
        if rows:
            try:
                sums = batch_sums(rows, line.entries, team_of).to_bytes()
            except (ArenaError, ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise ArchiveError(f"{where} cannot be added up: {clean(str(error), MAX_SENTENCE)}") from None
        return _Batch(line, attempts, event, tuple(rows), sums)

    def end(self) -> None:
        """Raise ArchiveError unless all lines were read."""
        if self._next is not None:
            raise ArchiveError(f"{self._where}: no line of a league, or not in its place")

    def _item(self, kind: str) -> Any:
        if self._next is None or self._next[1].get("kind") != kind:
            raise ArchiveError(f"{self._where}: a {kind} is missing")
        item = parse_item(self._next[1], self._where)
        self._advance()
        return item

    def _advance(self) -> None:
        self._next = next(self._lines, None)


def _check_tables(event: NewEvent, bots: int, where: str) -> None:
    """Check that the matches of a batch are those of its tables, and not more than a batch may have."""
    definition = Definition.from_json(event.definition.values)
    size = len(set(definition.team_of)) or definition.seats
    if any(len(table) != size or not set(table) <= set(range(bots)) for table in definition.tables):
        raise ArchiveError(f"{where} has tables of other bots")
    if event.matches != len(definition.tables) * definition.rounds * size or not 0 < event.matches <= MOST_MATCHES:
        raise ArchiveError(f"{where} does not have the matches of its tables")


def _stored_definition(head: LeagueLine, name: str) -> StoredDefinition:
    values = _json(head.definition, f"{name}: the definition of the league")
    stored = StoredDefinition(values) if isinstance(values, dict) else None
    if stored is None or stored.text != head.definition or stored.hash != head.definition_hash:
        raise ArchiveError(f"{name}: the definition is not the one whose hash was published at the start")
    _definition(stored, name)
    return stored


def _definition(stored: StoredDefinition, name: str) -> LeagueDefinition:
    wrong = misfit(stored.values, LeagueDefinition)
    if not wrong and not 2 <= stored.seats <= MOST_SEATS:
        wrong = f"it has {stored.seats} seats"
    if wrong:
        raise ArchiveError(f"{name}: the definition of the league makes no sense: {clean(wrong, MAX_SENTENCE)}")
    try:
        return LeagueDefinition.from_json(stored.values)
    except ArenaError as error:
        raise ArchiveError(f"{name}: {clean(str(error), MAX_SENTENCE)}") from None


def _season(line: SeasonLine, table_size: int, name: str) -> tuple[SeasonRow, bytes | None]:
    """Return a season with its final table."""
    where = f"{name}: season {line.number}"
    try:
        secret = bytes.fromhex(line.secret)
    except ValueError:
        secret = b""
    if len(secret) != 32 or not 1 <= line.days <= MOST_DAYS:
        raise ArchiveError(f"{where} has no secret of 32 bytes, or no days")
    final = None
    if line.final is not None:
        values = _json(line.final, f"{where}: its final")
        wrong = misfit(values, Final)
        if wrong or values.keys() != set(Final.__slots__):
            raise ArchiveError(
                f"{where}: its final makes no sense: {clean(wrong or 'a value is missing', MAX_SENTENCE)}"
            )
        final = Final.from_json(values)
        if not 0 <= comb(max(final.top, 0), table_size) <= MOST_TABLES or final.tables < bool(final.entries):
            raise ArchiveError(f"{where}: its final makes no sense")
        if len(final.entries or ()) > final.top:
            raise ArchiveError(f"{where}: its final has more than {final.top} finalists")
    standings = None if line.standings is None else line.standings.encode()
    if standings is not None and (wrong := misfit({"rows": _json(line.standings or "", where)}, _Standings)):
        raise ArchiveError(f"{where}: its final table makes no sense: {clean(wrong, MAX_SENTENCE)}")
    row = SeasonRow(
        line.number, line.first_day, line.days, secret, line.commitment, line.entropy, line.ended, line.frozen, final
    )
    return row, standings


def _entry(line: EntryLine, file: str) -> ImportedEntry:
    check_entry_names(line, file)
    row = EntryRow(
        line.number,
        line.name,
        (line.bot, line.version),
        line.owner,
        line.is_anchor,
        line.state,
        line.reason,
        line.entered,
        line.placed,
    )
    return ImportedEntry(row, line.content)


def _decision(line: DecisionLine, name: str) -> DecisionRow:
    details = _json(line.details, f"{name}: decision {line.number}")
    if not isinstance(details, dict):
        raise ArchiveError(f"{name}: decision {line.number} does not say what it is about")
    check_details(line.kind, details, f"{name}: decision {line.number}")
    return DecisionRow(line.number, line.created, line.who, line.kind, details, line.reason, line.digest)


def _snapshot(line: SnapshotLine, name: str) -> ImportedSnapshot:
    try:
        snapshot = Snapshot.from_text(line.text)
    except (ArenaError, RecursionError) as error:
        raise ArchiveError(f"{name}: snapshot {line.number}: {clean(str(error), MAX_SENTENCE)}") from None
    check_snapshot(snapshot, f"{name}: snapshot {line.number}")
    return ImportedSnapshot(line.number, line.text.encode(), snapshot.digest())


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{where} is not JSON ({clean(str(error), MAX_SENTENCE)})") from None


@dataclass(frozen=True, slots=True)
class _Standings:
    """A final table, to check the types of its values."""

    rows: tuple[SeasonPlace, ...]
