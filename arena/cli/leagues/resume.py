"""`arena league resume`: resume a league."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("resume")
@click.argument("name", metavar="NAME")
@optional_reason_option
@by_option
@db_option
def command(name: str, reason: str, by: str | None, db: str) -> None:
    """Resume a league.

    `arena league run` plays on.
    """
    from arena.league.control import resume
    from arena.store import open_store

    with open_store(db, write=True) as store:
        resume(store, name, by, reason)
    echo(f"league {name} is open again")
