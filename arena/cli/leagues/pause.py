"""`arena league pause`: pause a league."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("pause")
@click.argument("name", metavar="NAME")
@optional_reason_option
@by_option
@db_option
def command(name: str, reason: str, by: str | None, db: str) -> None:
    """Pause a league.

    Batches under way are played to their end, and no others begin until `arena league resume`.
    """
    from arena.league.control import pause
    from arena.store import open_store

    with open_store(db, write=True) as store:
        pause(store, name, by, reason)
    echo(f"league {name} is paused")
