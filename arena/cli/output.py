"""How commands print: with no control character that a terminal would obey, wherever a text came from."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.values.texts import json_text, printable

if TYPE_CHECKING:
    from arena.values.text_table import Column

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


def table_width() -> int | None:
    """Return how many cells a line of a table may have: the width of the terminal.

    None: any number, as the table is piped or written to a file.
    """
    if not _is_terminal():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def table_text(columns: Sequence["Column"], lines: Sequence[Sequence[object]], heads: int = 0) -> str:
    """Return a table as it is printed: as wide as the terminal allows, and with all columns where it is piped.

    heads: as in `TextTable`.
    """
    from arena.values.text_table import TextTable

    return TextTable(columns, lines, heads=heads).render(width=table_width())


def print_table(columns: Sequence["Column"], lines: Sequence[Sequence[object]]) -> None:
    """Print a table."""
    echo(table_text(columns, lines))


def matrix_text(names: Sequence[str], values: Any) -> str:
    """Return a matrix of numbers between the bots of a field; for a large field only the smallest and the largest."""
    from arena.values.text_table import Column, TextTable, text_column

    if len(names) > LARGEST_MATRIX:
        pairs = [values[one][other] for one in range(len(names)) for other in range(len(names)) if one != other]
        return f"{min(pairs)} to {max(pairs)}"
    lines = [
        [number, name, *("-" if place == number - 1 else values[number - 1][place] for place in range(len(names)))]
        for number, name in enumerate(names, 1)
    ]
    columns = [Column(""), text_column(""), *(Column(str(number)) for number in range(1, len(names) + 1))]
    return TextTable(columns, lines, heads=2).render(width=table_width())


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
    key: str, holders: Sequence[Mapping[str, str]], columns: Sequence["Column"], none: str, as_json: bool
) -> None:
    """Print who holds a token.

    key: the key of the list in JSON.
    columns: the columns of the table.
    none: the message if there is no holder.
    """
    if as_json:
        echo(json_text({key: list(holders)}))
    elif holders:
        print_table(columns, [tuple(holder.values()) for holder in holders])
    else:
        echo(none, err=True)
