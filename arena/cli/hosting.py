"""The options that say how bots are run."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from arena.tournament.run.hosting import Hosting
from referee.sandbox import MODES

UNCONFINED = "bots that are not confined can reach the database, and with it the cards and each other's files"


def hosting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --sandbox and --affinity to a command."""
    for option in (
        click.option("--affinity", is_flag=True, help="Pin each bot process to one core."),
        click.option(
            "--sandbox", type=click.Choice(MODES), default="auto", show_default=True, help="How bots are confined."
        ),
    ):
        command = option(command)
    return command


def rated_hosting_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add them and --trust-bots to a command whose matches are rated, handed on together as `hosting`.

    The command ends with a UsageError where nobody trusts the bots.
    """

    @wraps(function)
    def command(*args: Any, sandbox: str, affinity: bool, trust_bots: bool, **others: Any) -> Any:
        if sandbox == "off" and not trust_bots:
            raise click.UsageError(f"{UNCONFINED}: --sandbox off needs --trust-bots where matches are rated")
        return function(*args, hosting=Hosting(sandbox, affinity, trust_bots), **others)

    trusting = click.option(
        "--trust-bots",
        is_flag=True,
        envvar="ARENA_TRUST_BOTS",
        show_envvar=True,
        help="Rate bots that are not kept from each other.",
    )
    return hosting_options(trusting(command))
