"""The options by which an organiser grants single bots the network or devices, and hands them keys."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import click

from arena.cli.options import add_options
from arena.run.hosting import Hosting

Granted = tuple[tuple[str, str], ...]
"""Names of bots, and what each is granted."""


def _parse_grants(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> Granted:
    granted = []
    for text in texts:
        name, equals, words = text.partition("=")
        if not (name and equals and words):
            raise click.BadParameter(f'"{text}" is not BOT=GRANT, such as club/owl=network')
        granted += [(name, word.strip()) for word in words.split(",")]
    return tuple(granted)


def _read_secrets(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[tuple[str, str, str], ...]:
    secrets = []
    for text in texts:
        name, colon, variable = text.rpartition(":")
        if not (name and colon and variable.isidentifier()):
            raise click.BadParameter(f'"{text}" is not BOT:VARIABLE, such as club/owl:LLM_API_KEY')
        if variable not in os.environ:
            raise click.BadParameter(f"the variable {variable} is not set: export it first")
        secrets.append((name, variable, os.environ[variable]))
    return tuple(secrets)


grant_option = click.option(
    "--grant",
    "granted",
    multiple=True,
    metavar="BOT=GRANT",
    callback=_parse_grants,
    help="Grant a bot of the field more than others: network, or device:/dev/NAME; repeatable. Tables show it.",
)
"""Passes `granted`: names of bots and words of grants."""


def secret_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --secret to a command that takes `hosting`, which gets the secrets."""

    @wraps(function)
    def command(*args: Any, hosting: Hosting, secrets: tuple[tuple[str, str, str], ...], **others: Any) -> Any:
        return function(*args, hosting=replace(hosting, secrets=secrets), **others)

    return add_options(
        command,
        click.option(
            "--secret",
            "secrets",
            multiple=True,
            metavar="BOT:VARIABLE",
            callback=_read_secrets,
            help="Hand an environment variable to one bot alone, such as a key; repeatable. It is stored nowhere.",
        ),
    )
