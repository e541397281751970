"""The database of a command: which one it uses, rows read from it, and what is wrong with it after a failure."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import click

from arena.values.errors import ArenaError
from referee.paths import is_utf8

if TYPE_CHECKING:
    from arena.store import Store

DEFAULT_DB = "arena.db"
"""In the current folder."""

_META = "arena.db"

_IN_MEMORY = (":memory:", "file::memory:", "sqlite:///:memory:", "sqlite:///file::memory:")
_NO_FILE = ("sqlite:", "sqlite:/", "sqlite://", "sqlite:///")

Row = TypeVar("Row")


def remember_database(context: click.Context, _parameter: click.Parameter, db: str) -> str:
    """Note which database a command uses, for `describe_damage`; the callback of `--db`.

    Raises BadParameter for one that would be gone when the command ends, and a URL that is not UTF-8.
    """
    if not db.strip() or db.startswith(_IN_MEMORY) or db in _NO_FILE:
        what = "is kept in memory only, and gone when the command ends" if db.strip() else "is empty"
        raise click.BadParameter(f"{db!r} {what}: name a file or the URL of a database", param_hint="--db")
    if "://" in db and not is_utf8(db):  # it may have a password, which is not to be quoted
        raise click.BadParameter("the URL of the database is not UTF-8: write other bytes as %FF", param_hint="--db")
    context.find_root().meta[_META] = db
    return db


def read_rows(db: str, read: "Callable[[Store], list[Row]]") -> list[Row]:
    """Return the rows that `read` returns from a database; none where there is no database yet."""
    from arena.store import NoDatabase, open_store

    try:
        with open_store(db) as store:
            return read(store)
    except NoDatabase:
        return []


def describe_damage(context: click.Context) -> str | None:
    """Return what is wrong with the database that a failed command used; None where nothing is.

    A failure caused by a damaged database is no bug of arena. One that comes where no database is yet may be.
    """
    from arena.store import NoDatabase

    db = context.find_root().meta.get(_META)
    if db is None:
        return None
    try:
        fault = next(iter(database_faults(db)), None)
    except NoDatabase:
        return None
    except ArenaError as error:
        return str(error)
    if fault is None:
        return None
    from arena.store import hide_password

    return f"the database {hide_password(db)} is damaged ({fault}): restore it from a copy, or use another --db"


def database_faults(db: str) -> Iterable[str]:
    """Return the faults of a database as sentences: of its pages, or else of its values."""
    from arena.league.integrity import LEAGUES
    from arena.results.integrity import invalid_values
    from arena.store import backup, open_store
    from arena.store.engine.errors import StoreError

    with open_store(db) as store:
        try:
            file = store.file
        except StoreError:  # a server checks its own pages
            file = None
        faults = backup.database_faults(file) if file is not None else []
        return faults or store.query(lambda connection: invalid_values(connection, LEAGUES))
