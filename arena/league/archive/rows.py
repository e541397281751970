"""The lines of the archive of a league as the rows that are stored. Whatever does not make sense is an ArchiveError."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import comb
from typing import Any, TypeVar

from msgspec import structs

from arena.league.archive.checks import check_details, check_entry_names, check_snapshot
from arena.league.archive.lines import DecisionLine, EntryLine, LeagueLine, SeasonLine, SnapshotLine
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.final import MOST_TABLES
from arena.league.plan.matchmaking.snapshot import Snapshot
from arena.league.plan.secret_chain import MOST_DAYS
from arena.league.results.season_table import SeasonPlace
from arena.league.store.entry_grants import grants_in_log
from arena.league.store.imported_leagues import ImportedEntry, ImportedSnapshot
from arena.league.store.league_rows import EntryRow, Final, SeasonRow
from arena.results.archive.errors import MAX_SENTENCE, ArchiveError
from arena.results.archive.importing import MOST_SEATS
from arena.values.canonical_json import canonical_json, hash_of_definition
from arena.values.checking import MisfitError, misfits, read_value
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.rows import DecisionRow, NewEvent
from referee.engine.clean_text import clean

T = TypeVar("T")

MOST_MATCHES = 10**7
"""The most matches of a batch."""


def check_tables(event: NewEvent, bots: int, where: str) -> None:
    """Check that the matches of a batch are those of its tables, and no more than it may have. Raises ArchiveError."""
    definition = Definition.from_json(json.loads(event.definition_text))
    size = len(set(definition.team_of)) or definition.seats
    if any(len(table) != size or not set(table) <= set(range(bots)) for table in definition.tables):
        raise ArchiveError(f"{where} has tables of other bots")
    if event.matches != len(definition.tables) * definition.rounds * size or not 0 < event.matches <= MOST_MATCHES:
        raise ArchiveError(f"{where} does not have the matches of its tables")


def stored_definition(head: LeagueLine, name: str) -> dict[str, Any]:
    """Return the definition of a league as it is stored.

    name: of the file.

    Raises ArchiveError.
    """
    values = _json(head.definition, f"{name}: the definition of the league")
    if (
        not isinstance(values, dict)
        or canonical_json(values) != head.definition
        or hash_of_definition(values) != head.definition_hash
    ):
        raise ArchiveError(f"{name}: the definition is not the one whose hash was published at the start")
    league_definition(values, name)
    return values


def league_definition(values: Mapping[str, Any], name: str) -> LeagueDefinition:
    """Return a definition as leagues are played by it.

    name: of the file.

    Raises ArchiveError.
    """
    found = misfits(values, LeagueDefinition, is_partial=True)
    wrong = found[0].sentence if found else ""
    if not wrong and not 2 <= (seats := values.get("seats", 0)) <= MOST_SEATS:
        wrong = f"it has {seats} seats"
    if wrong:
        raise ArchiveError(f"{name}: the definition of the league makes no sense: {clean(wrong, MAX_SENTENCE)}")
    try:
        return LeagueDefinition.from_json(values)
    except ArenaError as error:
        raise ArchiveError(f"{name}: {clean(str(error), MAX_SENTENCE)}") from None


def season_row(line: SeasonLine, table_size: int, name: str) -> tuple[SeasonRow, bytes | None]:
    """Return a season with its final table.

    name: of the file.

    Raises ArchiveError.
    """
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
        final = _read(values, Final, f"{where}: its final")
        if missing := sorted(set(Final.__struct_fields__) - values.keys()):
            raise ArchiveError(f"{where}: its final makes no sense: {missing[0]} is missing")
        if comb(final.top, table_size) > MOST_TABLES:
            raise ArchiveError(f"{where}: its final makes no sense")
        if len(final.entries or ()) > final.top:
            raise ArchiveError(f"{where}: its final has more than {final.top} finalists")
    standings = None if line.standings is None else line.standings.encode()
    if line.standings is not None:
        _read(_json(line.standings, where), tuple[SeasonPlace, ...], f"{where}: its final table")
    values = {name: getattr(line, name) for name in SeasonLine.__struct_fields__ if name != "standings"}
    return SeasonRow(**values | {"secret": secret, "final": final}), standings


def entry_row(line: EntryLine, file: str) -> ImportedEntry:
    """Return an entry.

    file: its name.

    Raises ArchiveError.
    """
    check_entry_names(line, file)
    values = {
        name: getattr(line, name) for name in EntryLine.__struct_fields__ if name not in ("bot", "version", "content")
    }
    return ImportedEntry(EntryRow(**values, submission=(line.bot, line.version)), line.content)


def with_grants(entries: Iterable[ImportedEntry], log: Iterable[DecisionRow]) -> tuple[ImportedEntry, ...]:
    """Return entries with what the log grants them."""
    granted = {entry: grants[-1] for entry, grants in grants_in_log(log).items()}
    return tuple(
        replace(entry, row=replace(entry.row, grants=granted.get(entry.row.number, entry.row.grants)))
        for entry in entries
    )


def decision_row(line: DecisionLine, name: str) -> DecisionRow:
    """Return an entry of the log.

    name: of the file.

    Raises ArchiveError.
    """
    details = _json(line.details, f"{name}: decision {line.number}")
    if not isinstance(details, dict):
        raise ArchiveError(f"{name}: decision {line.number} does not say what it is about")
    check_details(line.kind, details, f"{name}: decision {line.number}")
    return DecisionRow(**structs.asdict(line) | {"details": details})


def imported_snapshot(line: SnapshotLine, name: str) -> ImportedSnapshot:
    """Return a snapshot of ratings.

    name: of the file.

    Raises ArchiveError.
    """
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


def _read(values: object, kind: type[T], what: str) -> T:
    """Return a value as one of its type.

    what: what it is, for errors.

    Raises ArchiveError.
    """
    try:
        return read_value(values, kind)
    except MisfitError as error:
        raise ArchiveError(f"{what} makes no sense: {clean(str(error), MAX_SENTENCE)}") from None
