"""Databases of a PostgreSQL server, for several machines that store in one place.

SQLite lets one program write at a time. Here programs write side by side, and wait for each other
only where they must: for the numbers of tournaments and versions (`NUMBERS`, an advisory lock until the
end of the transaction), and for one tournament's row, which each locks before it adds to its matches. So
the first record of a match counts here as well, whoever brings it.
"""

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import ArgumentError

from arena.store.errors import StoreError

PATIENCE_MS = 30_000
"""Milliseconds to wait for another program's transaction before the database counts as locked."""

REACH_SECONDS = "10"
"""How long to wait for the server's first word, unless the URL says it (connect_timeout)."""

NUMBERS = 0x6172656E61
"""The key of the lock for numbers: "arena" in ASCII."""


def postgres_engine(url: URL, name: str) -> Engine:
    """Return the engine of a database on a server; `name`: as people may see it.

    Raises StoreError where the driver is not installed, or cannot use the URL.
    """
    query = {"connect_timeout": REACH_SECONDS, "application_name": "arena", **url.query}
    try:
        engine = create_engine(
            url.set(drivername="postgresql+psycopg", query=query), isolation_level="READ COMMITTED", pool_pre_ping=True
        )
    except ModuleNotFoundError:
        raise StoreError(
            f"{name} needs psycopg, the driver of PostgreSQL, which is not installed: pip install 'botarena[postgres]'"
        ) from None
    except ArgumentError as error:
        raise StoreError(f"{name} is not the URL of a database that can be used: {error}") from None

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("writes", False):
            patience = options.get("patience")
            milliseconds = PATIENCE_MS if patience is None else round(1000 * patience)
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
        if options.get("numbers", False):
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({NUMBERS})")

    return engine
