"""What can be wrong with a database, as sentences."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from arena.errors import ArenaError


class StoreError(ArenaError):
    """The database cannot be used as asked; the message says why and what to do."""


class NoDatabase(StoreError):
    """There is nothing at the path."""


class NoSuchRow(StoreError):
    """No tournament or match has that number."""


_SENTENCES = {
    "locked": "is locked: another program is writing to it; wait until it ends, or use another --db",
    "readonly": "is read-only: give yourself the right to write to it and to its folder, or use another --db",
    "not a database": "is not a database at all: name another file with --db",
    "malformed": "is damaged: restore it from a copy, or use another --db",
    "disk is full": "cannot grow, the disk is full: make room, then go on with --resume",
    "disk i/o error": "cannot be read or written: the disk reports an error; use another --db on another disk",
    "unable to open": "cannot be opened: you may lack the right to read it or to write to its folder; use another --db",
}
"""What SQLite says, and what we say of the database instead."""


@contextmanager
def sentences(where: str) -> Iterator[None]:
    """Turn the driver's errors about the database at `where` into StoreError."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        told = str(error.orig if isinstance(error, DBAPIError) else error)
        said = told.lower()
        for part, sentence in _SENTENCES.items():
            if part in said:
                raise StoreError(f"the database {where} {sentence}") from error
        raise StoreError(f"the database {where} refused: {told}") from error
