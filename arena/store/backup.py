"""A copy of a database, made while others go on writing to it."""

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from arena.store.errors import StoreError, translate_errors
from arena.store.opening import open_store

_PAGES = 4096
"""Copied at a time; a writer may come in between."""


def database_file(where: str) -> Path:
    """Return the file of a database. Raises StoreError where there is none, or it is none of ours."""
    with open_store(where) as store:
        return store.file


def database_faults(source: Path) -> list[str]:
    """Return what is wrong with a database, in words."""
    with translate_errors(str(source)), _reading(source) as connection:
        return integrity_faults(connection)


def back_up(source: Path, target: Path) -> int:
    """Copy a database to a new file, prove the copy sound, and return its size in bytes.

    The copy is the database as it was at one moment, and needs no other file beside it. Until it is whole it has
    another name, so that nobody takes half a copy for one.

    Raises StoreError where `target` is there already, or anything goes wrong; then nothing is left of it.
    """
    if target.exists():
        raise StoreError(f"{target} is there already: name a file that is not")
    if not target.absolute().parent.is_dir():
        raise StoreError(f"the folder {target.absolute().parent} does not exist: make it, or name another file")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.absolute().parent)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from None
    os.close(handle)
    part = Path(name)
    try:
        with translate_errors(str(source)), _reading(source) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new, pages=_PAGES)
            new.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            faults = integrity_faults(new)
        if faults:
            raise StoreError(f"the copy of {source} is damaged ({faults[0]}), and so is {source}, most likely")
        size = part.stat().st_size
        part.chmod(0o666 & ~_umask())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return size


def integrity_faults(connection: sqlite3.Connection) -> list[str]:
    """Return what SQLite finds wrong with a database: pages, indexes, and rows that refer to nothing."""
    faults = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    lost = [f"a row of {row[0]} refers to no row of {row[2]}" for row in connection.execute("PRAGMA foreign_key_check")]
    return [fault for fault in faults if fault != "ok"] + lost


def _reading(source: Path) -> "closing[sqlite3.Connection]":
    return closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
