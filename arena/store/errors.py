"""What can be wrong with a database, as sentences.

StoreError
├── NoDatabase         there is nothing at the path
├── NoSuchRow          no tournament or match has that number
├── DamagedDatabase    what is stored makes no sense
└── StoreUnavailable   it cannot be used now, and may be later: locked, full, its disk or its server fails
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError

from arena.errors import ArenaError


class StoreError(ArenaError):
    """The database cannot be used as asked; the message says why and what to do."""


class NoDatabase(StoreError):
    """There is nothing at the path."""


class NoSuchRow(StoreError):
    """No tournament or match has that number."""


class DamagedDatabase(StoreError):
    """What is stored makes no sense; the message says where."""


class StoreUnavailable(StoreError):
    """The database cannot be used now, and the same may be tried again later.

    problem: the message without what to do. remedy: what is left of it.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem + remedy)
        self.problem = problem
        self.remedy = remedy


def hide_password(where: str) -> str:
    """Return the path or URL of a database as people may see it: without a password."""
    return re.sub(r"(?<=password=)[^&]*", "***", re.sub(r"(?<=://)([^/@:]*):.*@", r"\1:***@", where))


class _Trouble(NamedTuple):
    """What is the matter. remedy: what to do. kind: the error that says so."""

    problem: str
    remedy: str
    kind: type[StoreError] = StoreError


_ELSEWHERE = "use another --db"
_LOCKED = _Trouble(
    "is locked: another program is writing to it", f"wait until it ends, or {_ELSEWHERE}", StoreUnavailable
)
_DAMAGED = _Trouble("is damaged", f"restore it from a copy, or {_ELSEWHERE}", DamagedDatabase)
_REFUSED = _Trouble(
    "lets nobody in by that user and password", "see ~/.pgpass or PGPASSWORD, or the server's pg_hba.conf"
)
_MISSING = _Trouble("does not exist: its server has none of that name", f"make it (createdb NAME), or {_ELSEWHERE}")
_CROWDED = _Trouble(
    "has no connection left", "end other programs that use it, or raise the server's max_connections", StoreUnavailable
)
_GONE = _Trouble(
    "is going down or coming up: its server ended the connection", "go on once it is back", StoreUnavailable
)

_SENTENCES = {
    "locked": _LOCKED,
    "readonly": _Trouble("is read-only", f"give yourself the right to write to it and to its folder, or {_ELSEWHERE}"),
    "not a database": _Trouble("is not a database at all", "name another file with --db"),
    "malformed": _DAMAGED,
    "could not decode": _DAMAGED,
    "no such table": _DAMAGED,
    "no such column": _DAMAGED,
    "disk is full": _Trouble("cannot grow, the disk is full", "make room", StoreUnavailable),
    "disk i/o error": _Trouble(
        "cannot be read or written: the disk reports an error", f"{_ELSEWHERE} on another disk", StoreUnavailable
    ),
    "unable to open": _Trouble(
        "cannot be opened: you may lack the right to read it or to write to its folder", _ELSEWHERE
    ),
}
"""What SQLite says, and what we say of the database instead."""

_STATES = {
    "25006": _Trouble("is read-only: its server is a standby, or allows you to look only", _ELSEWHERE),
    "3D000": _MISSING,
    "28": _REFUSED,
    "42501": _Trouble("forbids this to its user", "have its owner GRANT the right, or name another user"),
    "53100": _Trouble("cannot grow, the disk of its server is full", "make room", StoreUnavailable),
    "53300": _CROWDED,
    "55P03": _LOCKED,
    "40": _LOCKED,
    "57P": _GONE,
    "08": _GONE,
}
"""How PostgreSQL's SQLSTATE begins, and what we say: https://www.postgresql.org/docs/current/errcodes-appendix.html"""

_UNREACHED = {
    "password": _REFUSED,
    "no pg_hba.conf entry": _REFUSED,
    "peer authentication": _REFUSED,
    "not currently accepting": _GONE,
    "starting up": _GONE,
    "shutting down": _GONE,
    "recovery mode": _GONE,
    "database": _MISSING,
    "role": _REFUSED,
    "too many": _CROWDED,
}
"""What PostgreSQL says to whom it does not let in, without an SQLSTATE, and what we say of the database instead."""


@contextmanager
def translate_errors(where: str) -> Iterator[None]:
    """Turn the driver's errors about the database at `where` into StoreError."""
    try:
        yield
    except OverflowError as error:
        if "SQLite" not in str(error):
            raise
        raise StoreError(f"the database {where} has no number that large: they end at {2**63 - 1}") from error
    except UnicodeDecodeError as error:  # what SQLite quotes of a damaged schema, or a text of ours
        raise DamagedDatabase(f"the database {where} {_DAMAGED.problem}: {_DAMAGED.remedy}") from error
    except (DBAPIError, sqlite3.Error) as error:
        trouble = _trouble(error)
        joint = "; " if ": " in trouble.problem else ": "
        problem = f"the database {where} {trouble.problem}"
        if trouble.kind is StoreUnavailable:
            raise StoreUnavailable(problem, joint + trouble.remedy) from error
        raise trouble.kind(problem + joint + trouble.remedy if trouble.remedy else problem) from error


def _trouble(error: DBAPIError | sqlite3.Error) -> _Trouble:
    """Return what is the matter with a database, and what to do."""
    raised = error.orig if isinstance(error, DBAPIError) else error
    told = str(raised).strip()
    refused = _Trouble(f"refused: {told}", "")
    if isinstance(raised, sqlite3.Error):
        return next((trouble for part, trouble in _SENTENCES.items() if part in told.lower()), refused)
    state = getattr(raised, "sqlstate", None)
    if state is not None:
        return next((trouble for code, trouble in _STATES.items() if state.startswith(code)), refused)
    first = " ".join(told.split())
    if "FATAL:" in told or "fe_sendauth:" in told:
        reason = re.split("FATAL:|fe_sendauth:", told)[-1].lower()
        refused = _Trouble(f"refused: {first}", "")
        return next((trouble for part, trouble in _UNREACHED.items() if part in reason), refused)
    return _Trouble(f"cannot be reached: {first}", "look whether its server runs", StoreUnavailable)
