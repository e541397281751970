"""Databases in a file.

SQLite in WAL mode: readers and the writer do not wait for each other, and a process killed in the
middle of a transaction leaves nothing of it behind. `synchronous=NORMAL` keeps every committed
transaction through the death of any process; a power cut may cost the last ones, never the file.
"""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

from arena.store.errors import NoDatabase, StoreError

PATIENCE = 30.0
"""Seconds to wait for another program's transaction before the database counts as locked. A long one of ours, which
sends a million matches back to be added up, takes half a second on a machine that does nothing else."""


def check_path(path: Path, name: str, create: bool) -> None:
    """Raise StoreError where no database can be opened, or with `create` made, at `path`. `name`: as it was given."""
    try:
        if path.is_dir():
            raise StoreError(f"{name} is a folder: name a file in it with --db, such as {path / 'arena.db'}")
        if path.exists() and path.stat().st_size:
            return
    except OSError as error:
        raise StoreError(f"the database {name} cannot be opened: {error.strerror}; use another --db") from None
    if not create:
        raise NoDatabase(f"there is no database at {name}: run a tournament first, or name one with --db")
    if not path.absolute().parent.is_dir():
        raise StoreError(f"the folder {path.absolute().parent} does not exist: make it, or use another --db")


def is_unwritable(path: Path) -> bool:
    """Tell whether `path` is at rest and readable, but SQLite may not put its helper files beside it."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError:
        return False
    log = path.with_name(path.name + "-wal")
    return not (log.exists() and log.stat().st_size)


def immutable_url(path: Path) -> URL:
    """Return the URL of a database that nobody changes."""
    return make_url(f"sqlite:///file:{quote(str(path.absolute()))}?immutable=1&uri=true")


def sqlite_engine(url: URL) -> Engine:
    """Return the engine of a database in a file."""
    engine = create_engine(url, connect_args={"timeout": PATIENCE})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # sqlite3 begins no transactions of its own; `begun` does
        connection.execute("PRAGMA synchronous=NORMAL")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        options = connection.get_execution_options()
        writes = options.get("writes", False)
        patience = PATIENCE if (given := options.get("patience")) is None else given
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {round(1000 * patience)}")
        # A writer takes the lock at once: a reader that turned writer could not wait for it.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def turn_on_wal(engine: Engine) -> None:
    """Have a new database keep its changes in a file beside it until they are merged."""
    with engine.connect() as connection:
        raw = connection.connection.cursor()
        raw.execute("PRAGMA journal_mode=WAL")  # not possible inside a transaction
        raw.close()
