"""Find, create, upgrade or refuse a database.

SQLite in WAL mode: readers and the writer do not wait for each other, and a process killed in the
middle of a transaction leaves nothing of it behind. `synchronous=NORMAL` keeps every committed
transaction through the death of any process; a power cut may cost the last ones, never the file.
"""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError

from arena.store.errors import NoDatabase, StoreError, sentences
from arena.store.schema import HEAD
from arena.store.store import Store

PATIENCE = 5.0
"""Seconds to wait for another program's transaction before the database counts as locked."""


def open_store(where: str | Path, *, create: bool = False, write: bool = False) -> Store:
    """Open the database at `where`: a path, or an SQLite URL such as sqlite:///arena.db.

    create: make the file where it is missing (implies `write`). write: say at once, not at the first
    change, where the database cannot be written. A database of an older arena is upgraded.

    Raises NoDatabase where there is nothing, StoreError for anything else that is in the way.
    """
    name = str(where)
    url = _url(name)
    path = Path(url.database) if url.database and not url.query else None
    if path is not None:
        _check_path(path, name, create)
    engine = _engine(url)
    try:
        with sentences(name):
            _prepare(engine, name, create=create, write=create or write)
    except StoreError:
        engine.dispose()
        if path is None or create or write or not _unwritable(path):
            raise
        engine = _engine(_frozen(path))
        with sentences(name):
            _prepare(engine, name, create=False, write=False)
    return Store(engine, name)


def _url(name: str) -> URL:
    if "://" not in name:
        return URL.create("sqlite", database=name)
    try:
        url = make_url(name)
    except ArgumentError:
        raise StoreError(f"{name} is neither a path nor the URL of a database (sqlite:///PATH)") from None
    if url.get_backend_name() != "sqlite":
        raise StoreError(f"{name} is not an SQLite database: give a path, or sqlite:///PATH")
    return url


def _check_path(path: Path, name: str, create: bool) -> None:
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


def _unwritable(path: Path) -> bool:
    """Tell whether `path` is at rest and readable, but SQLite may not put its helper files beside it."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError:
        return False
    log = path.with_name(path.name + "-wal")
    return not (log.exists() and log.stat().st_size)


def _frozen(path: Path) -> URL:
    return make_url(f"sqlite:///file:{quote(str(path.absolute()))}?immutable=1&uri=true")


def _engine(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": PATIENCE})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # sqlite3 begins no transactions of its own; `begun` does
        connection.execute("PRAGMA synchronous=NORMAL")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        # A writer takes the lock at once: a reader that turned writer could not wait for it.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _prepare(engine: Engine, name: str, *, create: bool, write: bool) -> None:
    with engine.connect() as connection:
        found = _version(connection, name)
    if found == HEAD and not write:
        return
    if found is None and not create:
        raise NoDatabase(f"there is no database at {name}: run a tournament first, or name one with --db")
    if found is None:
        with engine.connect() as connection:
            raw = connection.connection.cursor()
            raw.execute("PRAGMA journal_mode=WAL")  # not possible inside a transaction
            raw.close()
    with engine.execution_options(writes=True).begin() as connection:
        if _version(connection, name) != HEAD:  # it may have been made while we waited
            _migrate(connection)
        # Where the file is read-only, SQLite begins all the same and objects to the first change only.
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def _version(connection: Connection, name: str) -> str | None:
    """Return the schema's version, None where the file is empty. Raises StoreError where it is not ours, or newer."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise StoreError(f"{name} is a database of some other program: name another file with --db")
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or ""
    if found > HEAD:
        raise StoreError(
            f"the database {name} was written by a newer arena (its schema is {found}, this one knows {HEAD}): "
            "update arena, or use another --db"
        )
    return found


def _migrate(connection: Connection) -> None:
    from alembic import command  # here, because it is slow to import and rarely needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
