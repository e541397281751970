"""The option --db, which every command that reads or writes matches has, and what is read where there may be none."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.cli.damage import remember

if TYPE_CHECKING:
    from arena.store import Store

DEFAULT = "arena.db"
"""In the current folder."""

Row = TypeVar("Row")
Function = TypeVar("Function", bound=Callable[..., Any])


def db_option(function: Function) -> Function:
    """Add `--db PATH|URL`, handed on as `db`."""
    return click.option(
        "--db",
        metavar="PATH|URL",
        envvar="ARENA_DB",
        show_envvar=True,
        default=DEFAULT,
        show_default=True,
        help="The database: a file, or postgresql://USER@HOST/NAME.",
        callback=_remembered,
    )(function)


def _remembered(context: click.Context, _parameter: click.Parameter, db: str) -> str:
    remember(context, db)
    return db


def stored(db: str, read: "Callable[[Store], list[Row]]") -> list[Row]:
    """Return the rows that `read` finds in a database; none where there is no database yet."""
    from arena.store import NoDatabase, open_store

    try:
        with open_store(db) as store:
            return read(store)
    except NoDatabase:
        return []
