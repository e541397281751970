"""The options that say how bots are run."""

from collections.abc import Callable
from typing import Any

import click

from arena.tournament.hosting import Hosting
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


def rated_hosting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add them and --trust-bots to a command whose matches are rated."""
    trust = click.option("--trust-bots", is_flag=True, help="Let --sandbox off be rated.")
    return hosting_options(trust(command))


def rated_hosting(sandbox: str, affinity: bool, trust_bots: bool) -> Hosting:
    """Return how the bots of a tournament are run. Raises UsageError where nobody trusts them."""
    if sandbox == "off" and not trust_bots:
        raise click.UsageError(f"{UNCONFINED}: --sandbox off needs --trust-bots where matches are rated")
    return Hosting(sandbox, affinity)
