"""The option -o, of commands that play a game."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


def game_options(function: Function) -> Function:
    """Add `-o NAME=VALUE`, which may be given several times, handed on as `options`: see `parse_options`."""
    return click.option(
        "-o", "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."
    )(function)


def parse_options(given: Sequence[str]) -> dict[str, str]:
    """Return the options of `-o name=value`. Raises BadParameter for another form, or two values of one name."""
    parsed: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.BadParameter(f'"{text}" is not NAME=VALUE', param_hint="-o")
        if parsed.setdefault(name.strip(), value.strip()) != value.strip():
            twice = f"{name.strip()} is given twice, as {parsed[name.strip()]} and as {value.strip()}"
            raise click.BadParameter(twice, param_hint="-o")
    return parsed
