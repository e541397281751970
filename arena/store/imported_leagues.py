"""Leagues that are taken in from an archive: stored whole, in one transaction, and closed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from arena.store import row_saving
from arena.store.blobs import compress
from arena.store.errors import StoreError
from arena.store.league_log import note_end
from arena.store.league_rows import AttemptRow, EntryRow, SeasonRow
from arena.store.rows import DecisionRow, MatchRow, NewEvent, utc_now
from arena.store.schema import (
    accounts,
    batch_attempts,
    batches,
    entries,
    events,
    league_log,
    leagues,
    packs,
    snapshots,
    submissions,
)
from arena.store.season_rows import insert_season
from arena.store.stored_definition import StoredDefinition
from arena.store.submissions import OpenConnection


@dataclass(frozen=True, slots=True)
class ImportedEntry:
    """An entry. content: the hash of the files that played, in hex; the files themselves are not there."""

    row: EntryRow
    content: str


@dataclass(frozen=True, slots=True)
class ImportedSnapshot:
    """Ratings from which batches were drawn. sha256: of the text, in hex."""

    number: int
    text: bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """A batch that is over. values: its columns. sums: of its matches, packed; empty if it is void."""

    values: dict[str, Any]
    attempts: tuple[AttemptRow, ...]
    event: NewEvent
    rows: tuple[MatchRow, ...]
    sums: bytes


@dataclass(frozen=True, slots=True)
class ImportedLeague:
    """What a league has beside batches and snapshots. seasons: with their final tables."""

    name: str
    game: str
    definition: StoredDefinition
    created: str
    seasons: tuple[tuple[SeasonRow, bytes | None], ...]
    entries: tuple[ImportedEntry, ...]
    log: tuple[DecisionRow, ...]


class ImportedLeagues:
    """Takes leagues in, as `Store.imported_leagues`."""

    def __init__(self, where: str, add: OpenConnection) -> None:
        """add: opens a transaction that may add events and versions of submissions."""
        self._where = where
        self._add = add

    def add(self, new: ImportedLeague, rest: Iterator[ImportedBatch | ImportedSnapshot]) -> int:
        """Store a league, closed; return how many of its batches have a result.

        Raises StoreError if there is a league of that name, or a bot of the same version with other files, or if people
        use the database: all writers wait meanwhile, and the league's owners may be others than theirs.
        """
        with self._add() as connection:
            is_open = select(leagues.c.id).where(leagues.c.state != "closed").limit(1)
            if any(connection.scalar(query) is not None for query in (is_open, select(accounts.c.name).limit(1))):
                raise StoreError(
                    f"the database {self._where} has accounts or open leagues: take the league into another one (--db)"
                )
            if connection.scalar(select(leagues.c.id).where(leagues.c.name == new.name)) is not None:
                raise StoreError(f"the database {self._where} has a league {new.name} already: use another one (--db)")
            values: dict[str, Any] = {
                "name": new.name,
                "game": new.game,
                "definition": new.definition.text,
                "created": new.created,
            }
            values |= {"definition_hash": new.definition.hash, "state": "closed", "results": 0}
            key = connection.execute(insert(leagues).values(values)).inserted_primary_key
            assert key is not None
            league = int(key[0])
            for season, standings in new.seasons:
                insert_season(connection, league, season, standings)
            for entry in new.entries:
                self._add_entry(connection, league, entry)
            for decision in new.log:
                connection.execute(insert(league_log).values(league_id=league, **decision.values()))
            if new.log:
                note_end(connection, league, new.log[-1])
            results = 0
            for each in rest:
                if isinstance(each, ImportedSnapshot):
                    snapshot = {"number": each.number, "packed": compress(each.text), "sha256": each.sha256}
                    connection.execute(insert(snapshots).values(league_id=league, created=new.created, **snapshot))
                else:
                    _add_batch(connection, league, each)
                    results += each.values["result"] is not None
            connection.execute(update(leagues).where(leagues.c.id == league).values(results=results))
            return results

    def _add_entry(self, connection: Connection, league: int, entry: ImportedEntry) -> None:
        """Add an entry, and its submission without files if that is not there; that version is retired."""
        row = entry.row
        name, version = row.submission
        of_version = (submissions.c.name == name) & (submissions.c.version == version)
        known = connection.execute(select(submissions.c.id, submissions.c.content).where(of_version)).first()
        if known is not None and known.content != entry.content:
            raise StoreError(
                f"the database {self._where} has other files of {row.title}: take the league into another one (--db)"
            )
        if known is None:
            if connection.scalar(select(packs.c.sha256).where(packs.c.sha256 == entry.content)) is None:
                pack = {"sha256": entry.content, "packed": compress(b""), "files": 0, "bytes": 0}
                connection.execute(insert(packs).values(pack))
            values = {"name": name, "version": version, "source": entry.content, "content": entry.content}
            values |= {"manifest": "{}", "report": "{}", "created": row.entered, "retired": utc_now()}
            added = connection.execute(insert(submissions).values(values)).inserted_primary_key
            assert added is not None
            submission = added[0]
        else:
            submission = known.id
        values = {name: getattr(row, name) for name in row.__slots__ if name not in ("submission", "grants")}
        values["grants"] = row.grants.text
        connection.execute(insert(entries).values(league_id=league, submission_id=submission, **values))


def _add_batch(connection: Connection, league: int, batch: ImportedBatch) -> None:
    event, first = row_saving.add_event(connection, batch.event, None)
    connection.execute(update(events).where(events.c.id == event).values(finished=batch.values["ended"]))
    row_saving.add_matches(connection, event, first, batch.rows)
    values = batch.values | {"sums": compress(batch.sums) if batch.sums else None, "runner": "", "lease_until": 0}
    connection.execute(insert(batches).values(league_id=league, event_id=event, **values))
    for each in batch.attempts:
        attempt = {name: getattr(each, name) for name in each.__slots__}
        connection.execute(insert(batch_attempts).values(league_id=league, batch=values["number"], **attempt))
