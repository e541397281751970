"""Import the archive of a league: all of it is checked, and then stored in one transaction."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from arena.league.archive.checks import check_league_name, check_line
from arena.league.archive.lines import (
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
from arena.league.archive.rows import (
    check_tables,
    decision_row,
    entry_row,
    imported_snapshot,
    league_definition,
    season_row,
    stored_definition,
    with_grants,
)
from arena.league.results.season_table import unpack_table
from arena.league.run.batch_sums import batch_sums
from arena.league.store.imported_leagues import ImportedBatch, ImportedLeague, ImportedLeagues, ImportedSnapshot
from arena.league.store.league_rows import AttemptRow
from arena.results.archive.errors import ArchiveError
from arena.results.archive.files import MAX_SENTENCE, ItemLines
from arena.results.archive.importing import match_row, new_event, refuse_misfit
from arena.results.openings import OpeningOf, find_openings
from arena.store import Store
from arena.values.canonical_json import hash_of_definition
from arena.values.errors import ArenaError
from arena.values.rows import LogEnd, MatchRow, NewEvent, log_problems
from referee.engine.clean_text import clean

_Values = dict[str, Any]

_Kind = TypeVar("_Kind", bound=Line)


@dataclass(frozen=True, slots=True)
class LeagueArchive:
    """A league in a file, all of whose lines were checked."""

    new: ImportedLeague
    team_of: tuple[int, ...]
    opening_of: OpeningOf | None
    name: str
    again: Callable[[], Iterator[tuple[int, _Values]]]
    """Reads the file again: yields its lines from the beginning."""

    @classmethod
    def of(cls, again: Callable[[], Iterator[tuple[int, _Values]]], name: str) -> Self:
        """Read and check all lines.

        name: of the file.

        Raises ArchiveError if one is damaged, does not fit the others, or is missing.
        """
        reader = _Reader(again(), name)
        league = reader.league()
        definition = league_definition(league.definition, name)
        opening_of = find_openings(definition.game, definition.options)
        archive = cls(league, tuple(definition.team_of), opening_of, name, again)
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

        return ImportedLeagues(store).add(self.new, rest())

    def _rest(self, reader: "_Reader") -> "Iterator[_Batch | ImportedSnapshot]":
        """Yield what follows on the league. Raises ArchiveError where a line is not in its place."""
        last = 0
        while True:
            if (snapshot := reader.take(SnapshotLine)) is not None:
                if snapshot.number <= last:
                    raise ArchiveError(f"{self.name}: snapshot {snapshot.number} does not follow snapshot {last}")
                last = snapshot.number
                yield imported_snapshot(snapshot, self.name)
            elif (line := reader.take(BatchLine)) is not None:
                yield reader.batch(line, self.new, self.team_of, self.opening_of if line.experiments else None)
            else:
                return reader.end()


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch of a file, with all that its lines say."""

    line: BatchLine
    attempts: tuple[AttemptRow, ...]
    event: NewEvent
    rows: tuple[MatchRow, ...]
    sums: bytes
    """The sums of its matches; empty if the batch is void."""

    def imported(self) -> ImportedBatch:
        line = self.line
        values = {name: getattr(line, name) for name in line.__slots__ if name not in ("entries", "experiments")}
        values |= {"entries": json.dumps(line.entries)}
        return ImportedBatch(values, self.attempts, self.event, self.rows, self.sums)


class _Reader:
    """Reads the lines of a file in their order."""

    def __init__(self, lines: Iterator[tuple[int, _Values]], name: str) -> None:
        self._lines = lines
        self._items = ItemLines()
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
        definition = stored_definition(head, name)
        table_size = league_definition(definition, name).table_size
        seasons = [season_row(line, table_size, name) for line in self.all(SeasonLine)]
        if [season.number for season, _ in seasons] != list(range(1, len(seasons) + 1)) or len(seasons) != head.season:
            raise ArchiveError(f"{name}: its seasons are not 1 to {head.season}")
        entries = [entry_row(line, name) for line in self.all(EntryLine)]
        numbers = [each.row.number for each in entries]
        if numbers != sorted(set(numbers)) or len({each.row.name for each in entries}) < len(entries):
            raise ArchiveError(f"{name}: an entry is there twice")
        for season, standings in seasons:
            listed = [place.entry for place in unpack_table(standings)] if standings is not None else []
            if not set(listed) <= set(numbers) or not set((season.final and season.final.entries) or ()) <= set(
                numbers
            ):
                raise ArchiveError(f"{name}: season {season.number} ranks entries that are not there")
        log = [decision_row(line, name) for line in self.all(DecisionLine)]
        for problem in log_problems(log, hash_of_definition(definition), LogEnd(head.log_entries, head.log_hash)):
            raise ArchiveError(f"{name}: {problem}")
        return ImportedLeague(
            head.name, head.game, definition, head.created, tuple(seasons), with_grants(entries, log), tuple(log)
        )

    def batch(
        self, line: BatchLine, league: ImportedLeague, team_of: tuple[int, ...], opening_of: OpeningOf | None
    ) -> _Batch:
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
        refuse_misfit(event, (), where)
        fits = len(event.entrants) == len(line.entries) == len(set(line.entries)) and set(line.entries) <= known
        if not fits or not 1 <= line.season <= len(league.seasons):
            raise ArchiveError(f"{where} has entries, or a season, that are not there")
        if not 0 <= line.day < league.seasons[line.season - 1][0].days:
            raise ArchiveError(f"{where} was drawn on a day for which its season has no secret")
        check_tables(event, len(line.entries), where)
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
                sums = batch_sums(rows, line.entries, team_of, opening_of=opening_of).to_bytes()
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
        item = self._items.item(self._next[1], self._where)
        self._advance()
        return item

    def _advance(self) -> None:
        self._next = next(self._lines, None)
