"""The option --db, which every command that reads or writes matches has."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


def db_option(function: Function) -> Function:
    """Add `--db PATH|URL`, handed on as `db`."""
    return click.option(
        "--db",
        metavar="PATH|URL",
        envvar="ARENA_DB",
        show_envvar=True,
        default="arena.db",
        show_default=True,
        help="The database: a file, or postgresql://USER@HOST/NAME.",
    )(function)
