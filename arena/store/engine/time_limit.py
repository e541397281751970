"""A limit on the time of queries that visitors choose."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from arena.store.engine.errors import SearchTooLong

SEARCH_SECONDS = 5.0
"""For a search: filters that few matches pass could read all of a large database."""

_STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the clock: less than a millisecond."""

_CANCELLED = "57014"
"""The SQLSTATE of a statement that took too long."""


@contextmanager
def limited(connection: Connection, seconds: float | None) -> Iterator[None]:
    """Limit the time of each query of the block; SQLite's are limited together. Raises SearchTooLong.

    seconds: None: no limit.
    """
    if seconds is None:
        yield
        return
    limit = _of_sqlite if connection.dialect.name == "sqlite" else _of_postgresql
    try:
        with limit(connection, seconds):
            yield
    except DBAPIError as error:
        if str(error.orig) == "interrupted" or getattr(error.orig, "sqlstate", None) == _CANCELLED:
            raise SearchTooLong(seconds) from None
        raise


@contextmanager
def _of_sqlite(connection: Connection, seconds: float) -> Iterator[None]:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    until = time.monotonic() + seconds
    driver.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)


@contextmanager
def _of_postgresql(connection: Connection, seconds: float) -> Iterator[None]:
    connection.exec_driver_sql(f"SET LOCAL statement_timeout = {max(round(seconds * 1000), 1)}")
    yield
    connection.exec_driver_sql("SET LOCAL statement_timeout = DEFAULT")
