"""Import the archive of a league: all of it is checked, and then stored in one transaction."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Self

from arena.league.archive.checks import check_league_name
from arena.league.archive.lines import (
    LEAGUE,
    VERSION,
    AttemptLine,
    BatchLine,
    DecisionLine,
    EntryLine,
    LeagueLine,
    SeasonLine,
    SnapshotLine,
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
from arena.results.archive.errors import MAX_SENTENCE, ArchiveError
from arena.results.archive.files import ArchiveReader
from arena.results.archive.importing import match_row, new_event, refuse_misfit
from arena.results.openings import OpeningOf, find_openings
from arena.store import Store
from arena.values.canonical_json import hash_of_definition
from arena.values.errors import ArenaError
from arena.values.rows import LogEnd, MatchRow, NewEvent, log_problems
from referee.engine.clean_text import clean


@dataclass(frozen=True, slots=True)
class LeagueArchive:
    """A league in a file, all of whose lines were checked."""

    new: ImportedLeague
    team_of: tuple[int, ...]
    opening_of: OpeningOf | None
    again: Callable[[], ArchiveReader]
    """Reads the file again, from the beginning."""

    @classmethod
    def of(cls, file: BinaryIO, name: str) -> Self:
        """Read and check all lines.

        file: stays open until the league is taken in, as it is read again.
        name: of the file.

        Raises ArchiveError if one is damaged, does not fit the others, or is missing.
        """

        def again() -> ArchiveReader:
            file.seek(0)
            return ArchiveReader(file, name, LEAGUE)

        reader = again()
        league = _league(reader)
        definition = league_definition(league.definition, name)
        opening_of = find_openings(definition.game, definition.options)
        archive = cls(league, tuple(definition.team_of), opening_of, again)
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
            reader = self.again()
            _league(reader)
            for read in self._rest(reader):
                yield read if isinstance(read, ImportedSnapshot) else read.imported()

        return ImportedLeagues(store).add(self.new, rest())

    def _rest(self, reader: ArchiveReader) -> "Iterator[_Batch | ImportedSnapshot]":
        """Yield what follows on the league. Raises ArchiveError where a line is not in its place."""
        last = 0
        while True:
            if (snapshot := reader.take(SnapshotLine)) is not None:
                if snapshot.number <= last:
                    raise ArchiveError(f"{reader.name}: snapshot {snapshot.number} does not follow snapshot {last}")
                last = snapshot.number
                yield imported_snapshot(snapshot, reader.name)
            elif (line := reader.take(BatchLine)) is not None:
                yield _batch(reader, line, self.new, self.team_of, self.opening_of if line.experiments else None)
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
        values = {
            name: getattr(line, name) for name in line.__struct_fields__ if name not in ("entries", "experiments")
        }
        values |= {"entries": json.dumps(line.entries)}
        return ImportedBatch(values, self.attempts, self.event, self.rows, self.sums)


def _league(reader: ArchiveReader) -> ImportedLeague:
    """Return what stands before the batches. Raises ArchiveError."""
    name = reader.name
    head = reader.take(LeagueLine)
    if head is None:
        raise ArchiveError(f"{name} is no archive of a league: its first line must be the league")
    if head.format != VERSION:
        raise ArchiveError(f"{name}: lines of format {head.format}, and this arena reads {VERSION}")
    check_league_name(head, name)
    definition = stored_definition(head, name)
    table_size = league_definition(definition, name).table_size
    seasons = [season_row(line, table_size, name) for line in reader.take_all(SeasonLine)]
    if [season.number for season, _ in seasons] != list(range(1, len(seasons) + 1)) or len(seasons) != head.season:
        raise ArchiveError(f"{name}: its seasons are not 1 to {head.season}")
    entries = [entry_row(line, name) for line in reader.take_all(EntryLine)]
    numbers = [entry.row.number for entry in entries]
    if numbers != sorted(set(numbers)) or len({entry.row.name for entry in entries}) < len(entries):
        raise ArchiveError(f"{name}: an entry is there twice")
    for season, standings in seasons:
        listed = [place.entry for place in unpack_table(standings)] if standings is not None else []
        if not set(listed) <= set(numbers) or not set((season.final and season.final.entries) or ()) <= set(numbers):
            raise ArchiveError(f"{name}: season {season.number} ranks entries that are not there")
    log = [decision_row(line, name) for line in reader.take_all(DecisionLine)]
    for problem in log_problems(log, hash_of_definition(definition), LogEnd(head.log_entries, head.log_hash)):
        raise ArchiveError(f"{name}: {problem}")
    return ImportedLeague(
        head.name,
        head.game,
        definition,
        head.created,
        tuple(seasons),
        with_grants(entries, log),
        tuple(log),
        head.published_log_hash,
    )


def _batch(
    reader: ArchiveReader,
    line: BatchLine,
    league: ImportedLeague,
    team_of: tuple[int, ...],
    opening_of: OpeningOf | None,
) -> _Batch:
    """Return a batch with its matches. Raises ArchiveError."""
    known = {entry.row.number for entry in league.entries}
    where = f"{reader.name}: batch {line.number}"
    attempts = tuple(
        AttemptRow(attempt.attempt, "", attempt.began, attempt.ended, attempt.outcome, attempt.reason)
        for attempt in reader.take_all(AttemptLine)
    )
    if len({attempt.attempt for attempt in attempts}) < len(attempts):
        raise ArchiveError(f"{where} has an attempt twice")
    if reader.kind != "tournament":
        raise ArchiveError(f"{reader.where}: a tournament is missing")
    message = reader.item().tournament
    event = new_event(message, where)
    refuse_misfit(event, (), where)
    fits = len(event.entrants) == len(line.entries) == len(set(line.entries)) and set(line.entries) <= known
    if not fits or not 1 <= line.season <= len(league.seasons):
        raise ArchiveError(f"{where} has entries, or a season, that are not there")
    if not 0 <= line.day < league.seasons[line.season - 1][0].days:
        raise ArchiveError(f"{where} was drawn on a day for which its season has no secret")
    check_tables(event, len(line.entries), where)
    rows = []
    while reader.kind == "match":
        rows.append(match_row(reader.item().match, len(event.entrants), where))
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
