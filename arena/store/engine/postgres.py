"""Databases of a PostgreSQL server, for several machines that share a database.

SQLite lets one program write at a time. A server lets programs write concurrently; they wait for each other only to
assign numbers of tournaments and versions (`NUMBERS`, an advisory lock until the end of the transaction), and to add
matches to the same tournament, whose row each locks first. So the first record of a match counts here as well.
"""

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import ArgumentError

from arena.store.engine.errors import StoreError
from arena.store.engine.schema import Short
from arena.values.installing import how_to_install

PATIENCE_MS = 30_000
"""Milliseconds to wait for another program's transaction before the database counts as locked."""

CONNECT_TIMEOUT = "10"
"""Seconds to wait for a connection, unless the URL sets connect_timeout."""

NUMBERS = 0x6172656E61
"""The key of the lock for numbers: "arena" in ASCII."""


class _SentShort(Short):
    """How a number for a 32-bit column is sent: as 64 bits, as a server refuses to compare what does not fit."""

    __visit_name__ = "BIGINT"
    render_bind_cast = True


def postgres_engine(url: URL, name: str) -> Engine:
    """Return the engine of a database on a server.

    name: its name in messages, without a password.

    Raises StoreError if the driver is not installed or cannot use the URL.
    """
    query = {"connect_timeout": CONNECT_TIMEOUT, "application_name": "arena", **url.query}
    try:
        engine = create_engine(
            url.set(drivername="postgresql+psycopg", query=query),
            isolation_level="READ COMMITTED",
            pool_pre_ping=True,
            hide_parameters=True,
        )
    except ModuleNotFoundError:
        raise StoreError(
            f"{name} needs psycopg, the driver of PostgreSQL, which is not installed: "
            f"{how_to_install('botarena[postgres]')}"
        ) from None
    except ArgumentError as error:
        raise StoreError(f"{name} is not the URL of a database that can be used: {error}") from None
    engine.dialect.colspecs = {**engine.dialect.colspecs, Short: _SentShort}

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("writes", False):
            patience = options.get("patience")
            milliseconds = PATIENCE_MS if patience is None else round(1000 * patience)
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
        if options.get("numbers", False):
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({NUMBERS})")

    return engine
