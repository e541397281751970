"""What can be wrong with a database, as sentences."""

import re
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


def hidden(where: str) -> str:
    """Return the path or URL of a database as people may see it: without a password."""
    return re.sub(r"(?<=password=)[^&]*", "***", re.sub(r"(?<=://)([^/@:]*):.*@", r"\1:***@", where))


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

_STATES = {
    "25006": "is read-only: its server is a standby, or allows you to look only; use another --db",
    "3D000": "does not exist: its server has none of that name; make it (createdb NAME), or use another --db",
    "28": "lets nobody in by that user and password: see ~/.pgpass or PGPASSWORD, or the server's pg_hba.conf",
    "42501": "forbids this to its user: have its owner GRANT the right, or name another user",
    "53100": "cannot grow, the disk of its server is full: make room, then go on with --resume",
    "53300": "has no connection left: end other programs that use it, or raise the server's max_connections",
    "55P03": "is locked: another program is writing to it; wait until it ends, or use another --db",
    "57P": "is going down or coming up: its server ended the connection; go on with --resume once it is back",
}
"""How PostgreSQL's SQLSTATE begins, and what we say: https://www.postgresql.org/docs/current/errcodes-appendix.html"""

_UNREACHED = {
    "password": _STATES["28"],
    "no pg_hba.conf entry": _STATES["28"],
    "peer authentication": _STATES["28"],
    "database": _STATES["3D000"],
    "role": _STATES["28"],
    "too many": _STATES["53300"],
}
"""What PostgreSQL says to whom it does not let in, without an SQLSTATE, and what we say of the database instead."""


@contextmanager
def sentences(where: str) -> Iterator[None]:
    """Turn the driver's errors about the database at `where` into StoreError."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise StoreError(f"the database {where} {_sentence(error)}") from error


def _sentence(error: DBAPIError | sqlite3.Error) -> str:
    """Return what is the matter with a database, and what to do."""
    raised = error.orig if isinstance(error, DBAPIError) else error
    told = str(raised).strip()
    if isinstance(raised, sqlite3.Error):
        found = next((sentence for part, sentence in _SENTENCES.items() if part in told.lower()), "")
        return found or f"refused: {told}"
    state = getattr(raised, "sqlstate", None)
    if state is not None:
        found = next((sentence for code, sentence in _STATES.items() if state.startswith(code)), "")
        return found or f"refused: {told}"
    first = " ".join(told.split())
    if "FATAL:" in told or "fe_sendauth:" in told:
        reason = re.split("FATAL:|fe_sendauth:", told)[-1].lower()
        return next((sentence for part, sentence in _UNREACHED.items() if part in reason), f"refused: {first}")
    return f"cannot be reached: {first}"
