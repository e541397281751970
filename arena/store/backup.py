"""Back up a database while others write to it, and check its integrity."""

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from arena.store.engine.errors import StoreError, translate_errors
from arena.store.opening import open_store

_PAGES = 4096
"""Pages copied at a time; others may write in between."""


def database_file(where: str) -> Path:
    """Return the file of a database. Raises StoreError if it does not exist or is not a database of arena."""
    with open_store(where) as store:
        return store.file


def database_faults(source: Path) -> list[str]:
    """Return the integrity errors of a database, as sentences."""
    with translate_errors(str(source)), _open_read_only(source) as connection:
        return integrity_faults(connection)


def back_up(source: Path, target: Path) -> int:
    """Copy a database to a new file, check the integrity of the copy, and return its size in bytes.

    The copy is a consistent snapshot in a single file. It is written under a temporary name and renamed when complete.
    Folders that are missing are made.

    Raises StoreError if `target` exists or the copy fails; a failed copy is deleted.
    """
    if target.exists():
        raise StoreError(f"{target} is there already: name a file that is not")
    try:
        target.absolute().parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.absolute().parent)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from None
    os.close(handle)
    temporary = Path(name)
    try:
        with (
            translate_errors(str(source)),
            _open_read_only(source) as source_connection,
            closing(sqlite3.connect(temporary)) as copy,
        ):
            source_connection.backup(copy, pages=_PAGES)
            copy.execute("DELETE FROM runs")  # who plays a tournament plays it in the database that is copied
            copy.commit()
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            faults = integrity_faults(copy)
        if faults:
            raise StoreError(f"the copy of {source} is damaged ({faults[0]}), and so is {source}, most likely")
        size = temporary.stat().st_size
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return size


def integrity_faults(connection: sqlite3.Connection) -> list[str]:
    """Return the errors that SQLite reports of a database: in pages, indexes and foreign keys."""
    faults = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    dangling = [
        f"a row of {row[0]} refers to no row of {row[2]}" for row in connection.execute("PRAGMA foreign_key_check")
    ]
    return [fault for fault in faults if fault != "ok"] + dangling


def _open_read_only(source: Path) -> "closing[sqlite3.Connection]":
    return closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
