"""The options that packages add to commands of arena."""

from collections.abc import Callable
from functools import partial, wraps
from inspect import cleandoc
from typing import Any

import click

from arena.cli.options import add_options


def package_options(command: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options of packages to a command, handed on together as `packages`, by name, and what its help says.

    Packages are asked when the module of the command is imported, which is when it is called.

    command: as it is typed below `arena`.
    """

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        from arena.hooks.plugins import plugins

        parts = plugins().hook.arena_command(command=command)
        options = [option for part in parts for option in part.options]

        @wraps(function)
        def extended(*args: Any, **values: Any) -> Any:
            return function(*args, packages={option.name: values.pop(option.name) for option in options}, **values)

        texts = [cleandoc(function.__doc__ or ""), *(part.help for part in parts if part.help)]
        extended.__doc__ = "\n\n".join(texts)
        return add_options(extended, *(partial(_add_option, option) for option in options))

    return add


def _add_option(option: click.Option, function: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option that is made already, as `click.option` adds others."""
    vars(function).setdefault("__click_params__", []).append(option)
    return function
