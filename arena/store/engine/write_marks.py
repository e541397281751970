"""Marks by which a program notices cheaply that nothing was written, whoever writes."""

import sqlite3
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

SNAPSHOT = text("SELECT pg_current_snapshot()::text")
"""On a PostgreSQL server: which transactions that write are visible. Those of its other databases change it, too."""


class WriteMarks:
    """The marks of a database, by a connection that is kept: they are read all the time. Threads may share it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = Lock()
        self._watcher: sqlite3.Connection | None = None
        self._session: Connection | None = None

    def read(self) -> Hashable:
        """Return a mark: one that equals an earlier one tells that nothing was committed in between.

        Where it cannot be read it equals no other.
        """
        with self._lock:
            return self._read_file() if self._engine.dialect.name == "sqlite" else self._ask_server()

    def _ask_server(self) -> Hashable:
        if self._session is not None:
            try:
                return str(self._session.scalar(SNAPSHOT))
            except DBAPIError:  # the server has ended the connection
                self._close()
        self._session = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        return str(self._session.scalar(SNAPSHOT))

    def _read_file(self) -> Hashable:
        try:
            if self._watcher is None:
                path = quote(str(Path(self._engine.url.database or "").absolute()))
                # A connection of its own: the pragma tells what all others have written.
                self._watcher = sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)
            return int(self._watcher.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error:
            self._close()
            return object()

    def close(self) -> None:
        """Close the connection of its own."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None
        if self._session is not None:
            session, self._session = self._session, None
            with suppress(DBAPIError):
                session.close()
