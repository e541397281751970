"""Databases in an SQLite file.

In WAL mode readers and the writer do not wait for each other, and a transaction whose process is killed is rolled
back. With `synchronous=NORMAL` committed transactions survive the death of any process; a power cut may lose the last
ones but does not damage the file.
"""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

from arena.store.engine.errors import NoDatabase, StoreError
from arena.values.near_path import did_you_mean_path

PATIENCE = 30.0
"""Seconds to wait for another program's transaction before the database counts as locked. The
longest of ours, which marks a million matches as unsummarised, takes half a second on an idle machine."""


def check_path(path: Path, name: str, create: bool) -> None:
    """Raise StoreError if no database can be opened or, with `create`, created at `path`.

    name: the path as given.
    """
    try:
        if path.is_dir():
            raise StoreError(f"{name} is a folder: name a file in it with --db, such as {path / 'arena.db'}")
        if path.exists() and path.stat().st_size:
            return
    except OSError as error:
        raise StoreError(f"the database {name} cannot be opened: {error.strerror}; use another --db") from None
    if not create:
        hint = did_you_mean_path(path)
        raise NoDatabase(
            f"there is no database at {name}: run a tournament or a league first, or name one with --db{hint}"
        )
    if not path.absolute().parent.is_dir():
        raise StoreError(f"the folder {path.absolute().parent} does not exist: make it, or use another --db")


def can_read_immutable(path: Path) -> bool:
    """Return whether `path` can be read as immutable: it is readable, and has no WAL with changes."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError:
        return False
    log = path.with_name(path.name + "-wal")
    return not (log.exists() and log.stat().st_size)


def immutable_url(path: Path) -> URL:
    """Return the URL that opens a database as immutable, without locks or helper files."""
    return make_url(f"sqlite:///file:{quote(str(path.absolute()))}?immutable=1&uri=true")


def sqlite_engine(url: URL) -> Engine:
    """Return the engine of a database in a file."""
    engine = create_engine(url, connect_args={"timeout": PATIENCE}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # sqlite3 begins no transactions itself; `on_begin` does
        connection.execute("PRAGMA synchronous=NORMAL")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        writes = options.get("writes", False)
        patience = options.get("patience")
        connection.exec_driver_sql(
            f"PRAGMA busy_timeout = {round(1000 * (PATIENCE if patience is None else patience))}"
        )
        # A writer takes the lock at the beginning: a reader that becomes a writer cannot wait for it.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def turn_on_wal(engine: Engine) -> None:
    """Set a new database to WAL mode."""
    with engine.connect() as connection:
        raw = connection.connection.cursor()
        raw.execute("PRAGMA journal_mode=WAL")  # not possible inside a transaction
        raw.close()
