"""Leagues that are taken in from an archive: stored whole, in one transaction, and closed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from arena.league.store.batch_queries import ATTEMPT
from arena.league.store.league_entries import ENTRY
from arena.league.store.league_log import DECISION, note_end
from arena.league.store.league_rows import AttemptRow, EntryRow, SeasonRow
from arena.league.store.season_rows import insert_season
from arena.store import Store
from arena.store.engine.blobs import compress
from arena.store.engine.errors import StoreError
from arena.store.engine.schema import (
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
from arena.store.matches import row_saving
from arena.values.canonical_json import canonical_json, hash_of_definition
from arena.values.rows import DecisionRow, MatchRow, NewEvent, utc_now


@dataclass(frozen=True, slots=True)
class ImportedEntry:
    """An entry of an imported league."""

    row: EntryRow
    content: str
    """The hash of the files that played, in hex; the files themselves are not there."""


@dataclass(frozen=True, slots=True)
class ImportedSnapshot:
    """Ratings from which batches were drawn."""

    number: int
    text: bytes
    sha256: str
    """The SHA-256 of the text, in hex."""


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """A batch that is over."""

    values: dict[str, Any]
    """The values of its columns in the database, by name."""
    attempts: tuple[AttemptRow, ...]
    event: NewEvent
    rows: tuple[MatchRow, ...]
    sums: bytes
    """The sums of its matches, packed; empty if it is void."""


@dataclass(frozen=True, slots=True)
class ImportedLeague:
    """What a league has beside batches and snapshots."""

    name: str
    game: str
    definition: Mapping[str, Any]
    created: str
    seasons: tuple[tuple[SeasonRow, bytes | None], ...]
    """The seasons, each with its final table; None for a season without one."""
    entries: tuple[ImportedEntry, ...]
    log: tuple[DecisionRow, ...]
    published_log_hash: str = ""
    """The hash that its log had, if the names of closed accounts are replaced in it; empty otherwise."""


class ImportedLeagues:
    """Takes leagues into a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, new: ImportedLeague, rest: Iterator[ImportedBatch | ImportedSnapshot]) -> int:
        """Store a league, closed; return how many of its batches have a result.

        Raises StoreError if there is a league of that name, or a bot of the same version with other files, or if people
        use the database: all writers wait meanwhile, and the league's owners may be others than theirs.
        """
        with self._store.write(numbers=True) as connection:
            is_open = select(leagues.c.id).where(leagues.c.state != "closed").limit(1)
            if any(connection.scalar(query) is not None for query in (is_open, select(accounts.c.name).limit(1))):
                raise StoreError(
                    f"the database {self._store.where} has accounts or open leagues: take the league into another one "
                    "(--db)"
                )
            if connection.scalar(select(leagues.c.id).where(leagues.c.name == new.name)) is not None:
                raise StoreError(
                    f"the database {self._store.where} has a league {new.name} already: use another one (--db)"
                )
            values: dict[str, Any] = {
                "name": new.name,
                "game": new.game,
                "definition": canonical_json(new.definition),
                "created": new.created,
            }
            values |= {"definition_hash": hash_of_definition(new.definition), "state": "closed", "results": 0}
            key = connection.execute(insert(leagues).values(values)).inserted_primary_key
            assert key is not None
            league = int(key[0])
            for season, standings in new.seasons:
                insert_season(connection, league, season, standings)
            for entry in new.entries:
                self._add_entry(connection, league, entry)
            for decision in new.log:
                connection.execute(insert(league_log).values(league_id=league, **DECISION.values(decision)))
            if new.log:
                note_end(connection, league, new.log[-1])
            results = 0
            for imported in rest:
                if isinstance(imported, ImportedSnapshot):
                    snapshot = {"number": imported.number, "packed": compress(imported.text), "sha256": imported.sha256}
                    connection.execute(insert(snapshots).values(league_id=league, created=new.created, **snapshot))
                else:
                    _add_batch(connection, league, imported)
                    results += imported.values["result"] is not None
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
                f"the database {self._store.where} has other files of {row.title}: take the league into another one "
                "(--db)"
            )
        if known is None:
            if connection.scalar(select(packs.c.sha256).where(packs.c.sha256 == entry.content)) is None:
                pack = {"sha256": entry.content, "packed": compress(b""), "files": 0, "bytes": 0}
                connection.execute(insert(packs).values(pack))
            values = {"name": name, "version": version, "source": entry.content, "content": entry.content}
            values |= {"manifest": "{}", "report": "{}", "retired": utc_now()}
            values |= {"created": row.entered, "received": row.entered}
            added = connection.execute(insert(submissions).values(values)).inserted_primary_key
            assert added is not None
            submission = added[0]
        else:
            submission = known.id
        connection.execute(insert(entries).values(league_id=league, submission_id=submission, **ENTRY.values(row)))


def _add_batch(connection: Connection, league: int, batch: ImportedBatch) -> None:
    event, first = row_saving.add_event(connection, batch.event, None)
    connection.execute(update(events).where(events.c.id == event).values(finished=batch.values["ended"]))
    row_saving.add_matches(connection, event, first, batch.rows)
    values = batch.values | {"sums": compress(batch.sums) if batch.sums else None, "runner": "", "lease_until": 0}
    connection.execute(insert(batches).values(league_id=league, event_id=event, **values))
    for record in batch.attempts:
        attempt = ATTEMPT.values(record)
        connection.execute(insert(batch_attempts).values(league_id=league, batch=values["number"], **attempt))
