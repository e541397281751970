"""The options --seed and --deals-of, of commands that begin a tournament."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class Deals:
    """From what the deals follow: a number, or the earlier tournament that had them; neither: a random secret."""

    seed: int | None = None
    of: int | None = None


def deals_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options, handed on together as `deals`. The command ends with a UsageError where both are given."""

    @wraps(function)
    def command(*args: Any, seed: int | None, deals_of: int | None, **others: Any) -> Any:
        if seed is not None and deals_of is not None:
            raise click.UsageError("--seed and --deals-of exclude each other")
        return function(*args, deals=Deals(seed, deals_of), **others)

    for option in (
        click.option(
            "--deals-of",
            type=click.IntRange(min=1),
            metavar="ID",
            help="Deals of an earlier tournament, all of them again.",
        ),
        click.option(
            "--seed", type=click.IntRange(min=0), metavar="N", help="Deals from a number, for development only."
        ),
    ):
        command = option(command)
    return command
