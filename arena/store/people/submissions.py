"""Submitted bots: immutable versions under names, and packs of files by hash."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from arena.store.engine.blobs import compress, decompress
from arena.store.engine.clock import database_time
from arena.store.engine.connection import OpenConnection
from arena.store.engine.errors import NoSuchRow, StoreError
from arena.store.engine.row_map import JSON, RowMap, Stored
from arena.store.engine.schema import packs, submissions
from arena.store.people.closed_names import check_owner, load_closed_names
from arena.values.errors import ArenaError
from arena.values.rows import utc_now


@dataclass(frozen=True, slots=True)
class PackRow:
    """The files of a submission.

    files, bytes: the number of files and their total size.
    """

    sha256: str
    """The SHA-256 of the pack, in hex."""
    archive: bytes
    """The files as a tar archive."""
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """One version of a submitted bot.

    name, version: as in club/owl@3; versions count from 1.
    files, bytes: the number of files of the content, and their total size.
    created, retired: times in UTC, ISO 8601; retired is None while it may enter tournaments.
    """

    name: str
    version: int
    source: str
    """The hash of the pack as submitted, in hex."""
    content: str
    """The hash of the pack that plays: of the one submitted, or of the output of its build."""
    manifest: dict[str, Any]
    """Its `bot.toml`, as JSON values."""
    report: dict[str, Any]
    """The report of the check that accepted it, as JSON values."""
    files: int
    bytes: int
    created: str
    received: str
    """When it was handed in, before its check, by the clock of the database; UTC, ISO 8601."""
    retired: str | None
    practice_only: bool = False
    """Whether it may practise, and enters neither leagues nor tournaments."""

    @property
    def title(self) -> str:
        """Name and version: club/owl@3."""
        return f"{self.name}@{self.version}"


class StaysInPractice(ArenaError):
    """A version that is not let enter leagues; the message says why."""


class Submissions:
    """The submitted bots of a database, as `Store.submissions`."""

    def __init__(self, where: str, read: OpenConnection, write: OpenConnection) -> None:
        self._where = where
        self._read = read
        self._write = write

    def all(self, *, practice: bool = False) -> list[SubmissionRow]:
        """Return all versions of all bots, by name and version.

        practice: with those that are for practice alone, which nobody but their owner and organisers knows.
        """
        query = _select_rows() if practice else _select_rows().where(submissions.c.practice_only == 0)
        with self._read() as connection:
            # Sorted here, as a server sorts by its own collation.
            return sorted(map(_submission, connection.execute(query)), key=lambda row: (row.name, row.version))

    def version(self, name: str, version: int) -> SubmissionRow:
        """Return a version of a bot. Raises NoSuchRow if there is none."""
        with self._read() as connection:
            of_version = (submissions.c.name == name) & (submissions.c.version == version)
            row = connection.execute(_select_rows().where(of_version)).first()
        if row is None:
            raise NoSuchRow(f"the database {self._where} has no bot {name}@{version}: `arena bots` lists those it has")
        return _submission(row)

    def state(self) -> tuple[int, int, str, int]:
        """Return what changes with every version that is stored, retired, readmitted, or let enter leagues."""
        counts = func.max(submissions.c.id), func.count(submissions.c.retired), func.max(submissions.c.retired)
        with self._read() as connection:
            query = select(*counts, func.sum(submissions.c.practice_only))
            newest, retired, when, practice = connection.execute(query).one()
        return newest or 0, retired, when or "", int(practice or 0)

    def now(self) -> str:
        """Return the time of the database, in UTC as ISO 8601."""
        with self._read() as connection:
            return database_time(connection)

    def newest(self) -> list[SubmissionRow]:
        """Return the newest version of each bot that plays: neither retired nor for practice alone; by name."""
        newest: dict[str, SubmissionRow] = {row.name: row for row in self.all() if row.retired is None}
        return list(newest.values())

    def versions(self, name: str) -> list[SubmissionRow]:
        """Return all versions of a bot, the oldest first; none if there is no such bot."""
        with self._read() as connection:
            return list(map(_submission, connection.execute(_of_bot(name))))

    def latest(self, names: Iterable[str]) -> dict[str, SubmissionRow]:
        """Return the newest versions of bots, retired or not, by name; those without any are left out."""
        with self._read() as connection:
            query = _select_rows().where(submissions.c.name.in_(list(names))).order_by(submissions.c.version)
            return {row.name: row for row in map(_submission, connection.execute(query))}

    def shown_versions(self, name: str, *, practice: bool = False) -> list[SubmissionRow]:
        """Return all versions of a bot for readers, as `versions`; none of a bot of a closed account.

        practice: with those that are for practice alone.
        """
        with self._read() as connection:
            is_hidden = load_closed_names(connection).hides(name)
        return [] if is_hidden else [row for row in self.versions(name) if practice or not row.practice_only]

    def refuse_closed_owner(self, name: str) -> None:
        """Raise OwnerClosed for a bot of an account that was closed."""
        with self._read() as connection:
            check_owner(connection, name)

    def archive(self, sha256: str) -> bytes:
        """Return the archive of a pack. Raises NoSuchRow if there is none with that hash."""
        with self._read() as connection:
            packed = connection.scalar(select(packs.c.packed).where(packs.c.sha256 == sha256))
        if packed is None:
            raise NoSuchRow(f"the database {self._where} has no files with the hash {sha256}: restore it from a copy")
        return decompress(packed)

    def add(
        self,
        name: str,
        source: PackRow,
        content: PackRow,
        manifest: dict[str, Any],
        report: dict[str, Any],
        received: str | None = None,
        *,
        practice_only: bool = False,
    ) -> SubmissionRow:
        """Store a new version of a bot and its files, in one transaction, and return it.

        received, practice_only: as in `SubmissionRow`; received None: now.

        Raises OwnerClosed for a bot of a closed account.
        """
        with self._write() as connection:
            return add_version(
                connection, name, source, content, manifest, report, received, practice_only=practice_only
            )

    def let_enter(self, name: str, version: int) -> None:
        """Let a version that was for practice alone enter leagues and tournaments, as one that is received now.

        Raises StaysInPractice unless it may.
        """
        with self._write() as connection:
            let_enter(connection, name, version, database_time(connection))

    def retire(self, name: str, versions: Iterable[int], *, back: bool = False) -> None:
        """Bar versions of a bot from new tournaments.

        back: readmit them instead.
        """
        with self._write() as connection:
            of_versions = (submissions.c.name == name) & submissions.c.version.in_(list(versions))
            to_change = submissions.c.retired.is_not(None) if back else submissions.c.retired.is_(None)
            connection.execute(
                update(submissions).where(of_versions, to_change).values(retired=None if back else utc_now())
            )


def add_version(
    connection: Connection,
    name: str,
    source: PackRow,
    content: PackRow,
    manifest: dict[str, Any],
    report: dict[str, Any],
    received: str | None = None,
    *,
    practice_only: bool = False,
) -> SubmissionRow:
    """Store a new version of a bot and its files; the caller's transaction numbers versions alone.

    received, practice_only: as in `SubmissionRow`; received None: now.

    Raises OwnerClosed for a bot of a closed account.
    """
    check_owner(connection, name)
    for pack in {source.sha256: source, content.sha256: content}.values():
        is_pack = packs.c.sha256 == pack.sha256
        files = connection.scalar(select(packs.c.files).where(is_pack))
        if files is None or (files == 0 and pack.files):  # the files of a closed account are wiped
            values = {"packed": compress(pack.archive), "files": pack.files, "bytes": pack.bytes}
            stored = insert(packs).values(sha256=pack.sha256, **values)
            connection.execute(stored if files is None else update(packs).where(is_pack).values(values))
    last = connection.scalar(select(func.max(submissions.c.version)).where(submissions.c.name == name))
    version = (last or 0) + 1
    connection.execute(
        insert(submissions).values(
            name=name,
            version=version,
            source=source.sha256,
            content=content.sha256,
            manifest=json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
            report=json.dumps(report, ensure_ascii=False),
            created=utc_now(),
            received=received or database_time(connection),
            practice_only=int(practice_only),
        )
    )
    added = (submissions.c.name == name) & (submissions.c.version == version)
    return _submission(connection.execute(_select_rows().where(added)).one())


def let_enter(connection: Connection, name: str, version: int, received: str) -> None:
    """Let a version that was for practice alone enter leagues and tournaments.

    received: when that was asked for, which deadlines are held against: a version that practised before a deadline may
        not enter after it as if it had been handed in in time.

    Raises StaysInPractice if there is no such version, or it is retired, or a newer one plays: that would go on.
    """
    known = {row.version: row for row in map(_submission, connection.execute(_of_bot(name)))}
    row = known.get(version)
    if row is None or not row.practice_only:
        raise StaysInPractice(f"{name}@{version} is no version for practice alone")
    if row.retired is not None:
        raise StaysInPractice(f"{row.title} is retired")
    newer = [other.title for other in known.values() if other.version > version and not other.practice_only]
    if newer:
        raise StaysInPractice(f"{newer[-1]} is newer and was let enter before {row.title}: hand that in again")
    of_version = (submissions.c.name == name) & (submissions.c.version == version)
    connection.execute(update(submissions).where(of_version).values(practice_only=0, received=received))


def _of_bot(name: str) -> Select[Any]:
    return _select_rows().where(submissions.c.name == name).order_by(submissions.c.version)


_SUBMISSION = RowMap(
    SubmissionRow,
    submissions,
    manifest=JSON,
    report=JSON,
    practice_only=Stored(bool),
    files=Stored(columns=(packs.c.files,)),
    bytes=Stored(columns=(packs.c.bytes,)),
)


def _select_rows() -> Select[Any]:
    return select(*_SUBMISSION.columns).join_from(submissions, packs, packs.c.sha256 == submissions.c.content)


def _submission(row: Any) -> SubmissionRow:
    try:
        return _SUBMISSION.load(row)
    except ValueError as error:
        raise StoreError(f"the submission {row.name}@{row.version} is damaged ({error}): restore a copy") from None
