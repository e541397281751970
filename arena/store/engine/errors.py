"""Errors of databases, and how those of drivers become sentences.

StoreError
├── NoDatabase         there is no database at the path
├── NoSuchRow          no tournament or match has that number
├── SearchTooLong      a search took longer than it may
├── ValueRefused       a value is none that the database can hold: a number that is too large, a NUL character
├── DamagedDatabase    what is stored is damaged
└── StoreUnavailable   it cannot be used now, and may be later: locked, full, its disk or its server fails
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.exc import DataError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from arena.values.errors import ArenaError


class StoreError(ArenaError):
    """The database cannot be used as asked; the message says why and what to do."""


class NoDatabase(StoreError):
    """There is no database at the path."""


class NoSuchRow(StoreError):
    """No tournament or match has that number."""


class SearchTooLong(StoreError):
    """A search took longer than it may.

    seconds: how long.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the search took longer than {seconds:g} s: choose a bot, a league or a tournament as well")


class ValueRefused(StoreError):
    """A value is none that the database can hold."""


class DamagedDatabase(StoreError):
    """What is stored is damaged; the message says where."""


class StoreUnavailable(StoreError):
    """The database cannot be used now, and the same may be tried again later.

    problem: the first part of the message: what happened.
    remedy: its second part: what to do.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem + remedy)
        self.problem = problem
        self.remedy = remedy


def hide_password(where: str) -> str:
    """Return the path or URL of a database with the password replaced by ***."""
    return re.sub(r"(?<=password=)[^&]*", "***", re.sub(r"(?<=://)([^/@:]*):.*@", r"\1:***@", where))


class _Problem(NamedTuple):
    """A problem in words."""

    problem: str
    """The first part of the message: what happened."""
    remedy: str
    """The second part of the message: what to do."""
    kind: type[StoreError] = StoreError
    """The class of the error to raise."""


_OTHER_DATABASE = "use another --db"
_LOCKED = _Problem(
    "is locked: another program is writing to it", f"wait until it ends, or {_OTHER_DATABASE}", StoreUnavailable
)
_DAMAGED = _Problem("is damaged", f"restore it from a copy, or {_OTHER_DATABASE}", DamagedDatabase)
_REFUSED = _Problem(
    "lets nobody in by that user and password", "see ~/.pgpass or PGPASSWORD, or the server's pg_hba.conf"
)
_MISSING = _Problem(
    "does not exist: its server has none of that name", f"make it (createdb NAME), or {_OTHER_DATABASE}"
)
_NO_CONNECTION_LEFT = _Problem(
    "has no connection left", "end other programs that use it, or raise the server's max_connections", StoreUnavailable
)
_SERVER_DOWN = _Problem(
    "is going down or coming up: its server ended the connection", "go on once it is back", StoreUnavailable
)

_SQLITE_MESSAGES = {
    "locked": _LOCKED,
    "readonly": _Problem(
        "is read-only", f"give yourself the right to write to it and to its folder, or {_OTHER_DATABASE}"
    ),
    "not a database": _Problem("is not a database at all", "name another file with --db"),
    "malformed": _DAMAGED,
    "could not decode": _DAMAGED,
    "no such table": _DAMAGED,
    "no such column": _DAMAGED,
    "disk is full": _Problem("cannot grow, the disk is full", "make room", StoreUnavailable),
    "disk i/o error": _Problem(
        "cannot be read or written: the disk reports an error", f"{_OTHER_DATABASE} on another disk", StoreUnavailable
    ),
    "unable to open": _Problem(
        "cannot be opened: you may lack the right to read it or to write to its folder", _OTHER_DATABASE
    ),
}
"""By part of an SQLite message: the problem."""

_SQLSTATES = {
    "25006": _Problem("is read-only: its server is a standby, or allows you to look only", _OTHER_DATABASE),
    "3D000": _MISSING,
    "28": _REFUSED,
    "42501": _Problem("forbids this to its user", "have its owner GRANT the right, or name another user"),
    "53100": _Problem("cannot grow, the disk of its server is full", "make room", StoreUnavailable),
    "53300": _NO_CONNECTION_LEFT,
    "55P03": _LOCKED,
    "40": _LOCKED,
    "57P": _SERVER_DOWN,
    "08": _SERVER_DOWN,
}
"""By the beginning of a PostgreSQL SQLSTATE: the problem. See https://www.postgresql.org/docs/current/errcodes-appendix.html"""

_CONNECTION_MESSAGES = {
    "password": _REFUSED,
    "no pg_hba.conf entry": _REFUSED,
    "peer authentication": _REFUSED,
    "not currently accepting": _SERVER_DOWN,
    "the database system": _SERVER_DOWN,
    "terminating connection": _SERVER_DOWN,
    "database": _MISSING,
    "role": _REFUSED,
    "too many": _NO_CONNECTION_LEFT,
}
"""By part of a PostgreSQL message that refuses a connection, which has no SQLSTATE: the problem."""


@contextmanager
def translate_errors(where: str) -> Iterator[None]:
    """Translate the driver's errors about the database at `where` to StoreError."""
    try:
        yield
    except OverflowError as error:
        if "SQLite" not in str(error):
            raise
        raise ValueRefused(f"the database {where} has no number that large: they end at {2**63 - 1}") from error
    except UnicodeDecodeError as error:  # SQLite quoted a damaged schema, or a stored text is damaged
        raise DamagedDatabase(f"the database {where} {_DAMAGED.problem}: {_DAMAGED.remedy}") from error
    except PoolTimeout as error:
        raise StoreUnavailable(f"all connections to the database {where} are in use", ": try again later") from error
    except (DBAPIError, sqlite3.Error) as error:
        diagnosis = _diagnose(error)
        separator = "; " if ": " in diagnosis.problem else ": "
        problem = f"the database {where} {diagnosis.problem}"
        if diagnosis.kind is StoreUnavailable:
            raise StoreUnavailable(problem, separator + diagnosis.remedy) from error
        raise diagnosis.kind(problem + separator + diagnosis.remedy if diagnosis.remedy else problem) from error


def _diagnose(error: DBAPIError | sqlite3.Error) -> _Problem:
    """Return the problem behind an error of a driver."""
    original = error.orig if isinstance(error, DBAPIError) else error
    message = str(original).strip()
    unknown = _Problem(f"refused: {message}", "")
    if isinstance(error, DataError):
        return _Problem(f"cannot hold a value: {' '.join(message.split())}", "", ValueRefused)
    if isinstance(original, sqlite3.Error):
        return next((diagnosis for part, diagnosis in _SQLITE_MESSAGES.items() if part in message.lower()), unknown)
    state = getattr(original, "sqlstate", None)
    if state is not None:
        return next((diagnosis for code, diagnosis in _SQLSTATES.items() if state.startswith(code)), unknown)
    one_line = " ".join(message.split())
    if "FATAL:" in message or "fe_sendauth:" in message:
        reason = re.split("FATAL:|fe_sendauth:", message)[-1].lower()
        unknown = _Problem(f"refused: {one_line}", "")
        return next((diagnosis for part, diagnosis in _CONNECTION_MESSAGES.items() if part in reason), unknown)
    return _Problem(f"cannot be reached: {one_line}", "look whether its server runs", StoreUnavailable)
