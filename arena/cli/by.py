"""The options --by and --reason, of commands that write into a tournament's log."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


def by_option(function: Function) -> Function:
    """Add `--by NAME`, handed on as `by`."""
    return click.option("--by", metavar="NAME", help="Who decides it  [default: the user of this computer]")(function)


def reason_option(function: Function) -> Function:
    """Add `--reason TEXT`, which must be given, handed on as `reason`."""
    return click.option("--reason", metavar="TEXT", required=True, help="Why; it stands in the log.")(function)
