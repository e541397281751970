"""Find, create, upgrade or refuse a database: a file (`sqlite`), or one of a server (`postgres`)."""

import re
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, insert, inspect, make_url, text
from sqlalchemy.exc import ArgumentError

from arena.store.engine.errors import DamagedDatabase, NoDatabase, StoreError, hide_password, translate_errors
from arena.store.engine.postgres import postgres_engine
from arena.store.engine.schema import FIRST, HEAD, alembic_version, metadata
from arena.store.engine.sqlite import can_read_immutable, check_path, immutable_url, sqlite_engine, turn_on_wal
from arena.store.store import Store

LAST_TO_UPGRADE = "032042ed"
"""The commit of the last arena that upgrades databases from before the first release."""

MIGRATIONS = "arena.store:migrations"
"""Where alembic finds the steps."""

_URL_FORMS = "sqlite:///PATH or postgresql://USER@HOST/NAME"


def open_store(where: str | Path, *, create: bool = False, write: bool = False) -> Store:
    """Open the database at `where`: a path, sqlite:///arena.db, or postgresql://user@host/name.

    A database of an older arena is upgraded.

    create: create the file or the tables if missing (implies `write`); on a server the empty database must exist.
    write: raise now, not at the first change, if the database cannot be written.

    Raises NoDatabase if there is none, StoreError if it cannot be opened.
    """
    url = _url(str(where))
    name = hide_password(str(where))
    if url.get_backend_name() == "postgresql":
        return _open_engine(postgres_engine(url, name), name, create, write)
    path = Path(url.database) if url.database and not url.query else None
    if path is not None:
        check_path(path, name, create)
    try:
        return _open_engine(sqlite_engine(url), name, create, write)
    except StoreError:
        if path is None or create or write or not can_read_immutable(path):
            raise
        return _open_engine(sqlite_engine(immutable_url(path)), name, False, False)


def _open_engine(engine: Engine, name: str, create: bool, write: bool) -> Store:
    try:
        with translate_errors(name):
            _prepare(engine, name, create=create, write=create or write)
    except StoreError:
        engine.dispose()
        raise
    return Store(engine, name)


def _url(name: str) -> URL:
    if "://" not in name:
        return URL.create("sqlite", database=name)
    scheme, rest = name.split("://", 1)
    try:
        # PostgreSQL's own programs accept this shorter scheme too.
        url = make_url(f"postgresql://{rest}" if scheme == "postgres" else name)
    except (ArgumentError, ValueError):
        raise StoreError(f"{hide_password(name)} is neither a path nor the URL of a database ({_URL_FORMS})") from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"{hide_password(name)} is no database that arena can use: give a path, {_URL_FORMS}")
    return url


def _prepare(engine: Engine, name: str, *, create: bool, write: bool) -> None:
    with engine.connect() as connection:
        version = _version(connection, name)
    if version == HEAD and not write:
        return
    if version is None and not create:
        raise NoDatabase(f"there is no database at {name}: run a tournament or a league first, or name one with --db")
    if version is None and engine.dialect.name == "sqlite":
        turn_on_wal(engine)
    with engine.execution_options(writes=True, numbers=version != HEAD).begin() as connection:
        version = _version(connection, name)  # another program may have created it while we waited
        if version is None:
            _create(connection)
        elif version != HEAD:
            _migrate(connection)
        # A read-only database raises at the first change, not at the beginning of the transaction.
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def _version(connection: Connection, name: str) -> str | None:
    """Return the schema's version, None if there are no tables.

    Raises StoreError if the database belongs to another program, to a newer arena, or to one from before the first
    release, or is damaged.
    """
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise StoreError(f"{name} is a database of some other program: name another file with --db")
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if not isinstance(version, str) or re.fullmatch(r"\d{4}", version) is None:
        raise DamagedDatabase(
            f"the database {name} is damaged (its schema has no version): restore it from a copy, or use another --db"
        )
    if version > HEAD:
        raise StoreError(
            f"the database {name} was written by a newer arena (its schema is {version}, this one knows {HEAD}): "
            "update arena, or use another --db"
        )
    if version < FIRST:
        raise StoreError(
            f"the database {name} was written before the first release of arena (its schema is {version}, this one "
            f"upgrades from {FIRST}): run `arena tourney list` on a copy of it with arena at commit {LAST_TO_UPGRADE}, "
            "which upgrades it, and use that copy; or use another --db"
        )
    if version == HEAD and (missing := sorted(set(metadata.tables) - set(tables))):
        raise DamagedDatabase(
            f"the database {name} is damaged (the table {missing[0]} is missing): restore it from a copy, or use "
            "another --db"
        )
    return version


def _create(connection: Connection) -> None:
    """Create the tables as the migrations would leave them, without these: they take a quarter of a second."""
    alembic_version.create(connection)  # the first table: `referee.sandbox.filesystem_view` looks for it
    metadata.create_all(connection, checkfirst=False)
    connection.execute(insert(alembic_version).values(version_num=HEAD))


def _migrate(connection: Connection) -> None:
    """Upgrade the tables."""
    from alembic import command  # here, because it is slow to import and rarely needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
