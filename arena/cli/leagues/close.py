"""`arena league close`: close a league."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("close")
@click.argument("name", metavar="NAME")
@optional_reason_option
@by_option
@db_option
def command(name: str, reason: str, by: str | None, db: str) -> None:
    """Close a league.

    No bot enters any more, and nothing is played once the batches under way have ended. It cannot be opened again; its
    board and matches stay.
    """
    from arena.league.control import close
    from arena.store import open_store

    with open_store(db, write=True) as store:
        close(store, name, by, reason)
    echo(f"league {name} is closed")
