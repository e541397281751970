"""The one way in which commands print: whatever a text came from, a terminal has nothing to heed in it."""

import click

from arena.texts import printable


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a line on stdout. err: on stderr. nl: end the line."""
    click.echo(printable(str(message)), err=err, nl=nl)
