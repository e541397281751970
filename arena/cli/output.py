"""How commands print: with no control character that a terminal would obey, wherever a text came from."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import click

from arena.values.texts import json_text, printable

LARGEST_MATRIX = 24
"""Bots of the largest field whose matrices are printed whole."""


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a line on stdout.

    err: on stderr, where nobody can be told that it cannot be written.
    nl: whether to end the line.
    """
    with suppress(OSError) if err else nullcontext():
        click.echo(printable(str(message)), err=err, nl=nl)


def write_text(file: Path, text: str | bytes, option: str) -> None:
    """Write a file that an option names, with the folders that are missing. Raises BadParameter where that fails."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    except OSError as error:
        raise click.BadParameter(f"{file} cannot be written: {error.strerror}", param_hint=option) from None


def print_progress(line: str) -> None:
    """Print a line on stderr, of what a command is doing."""
    echo(line, err=True)


def matrix_text(names: Sequence[str], values: Any) -> str:
    """Return a matrix of numbers between the bots of a field; for a large field only the smallest and the largest."""
    from tabulate import tabulate

    if len(names) > LARGEST_MATRIX:
        pairs = [values[one][other] for one in range(len(names)) for other in range(len(names)) if one != other]
        return f"{min(pairs)} to {max(pairs)}"
    lines = [
        [number, name, *("-" if place == number - 1 else values[number - 1][place] for place in range(len(names)))]
        for number, name in enumerate(names, 1)
    ]
    alignment = ["right", "left", *["right"] * len(names)]
    return tabulate(lines, ["", "", *range(1, len(names) + 1)], "simple", colalign=alignment)


def print_token(holder: Mapping[str, str], token: str, use: str, as_json: bool) -> None:
    """Print a new token, for the only time.

    holder: whose it is, with `name`.
    use: what to do with it, a sentence.
    """
    if as_json:
        echo(json_text({**holder, "token": token}))
    else:
        echo(token)
        echo(f"This is the token of {holder['name']}, and is not shown again. {use}", err=True)


def print_holders(
    key: str, holders: Sequence[Mapping[str, str]], headers: Sequence[str], none: str, as_json: bool
) -> None:
    """Print who holds a token.

    key: the key of the list in JSON.
    headers: the headers of the columns.
    none: the message if there is no holder.
    """
    if as_json:
        echo(json_text({key: list(holders)}))
    elif holders:
        from tabulate import tabulate

        echo(tabulate([tuple(holder.values()) for holder in holders], headers, "simple"))
    else:
        echo(none, err=True)
