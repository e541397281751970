"""`arena tourney pause`: have a tournament stop."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("pause")
@click.argument("id", metavar="ID", type=click.IntRange(min=1))
@optional_reason_option
@by_option
@db_option
def command(id: int, reason: str, by: str | None, db: str) -> None:
    """Have a tournament stop.

    Whoever plays it, on this machine or another one with the same database, stops within a second or so with exit
    code 6; the matches under way are played again later. `arena tourney resume ID` goes on.
    """
    from arena.store import open_store
    from arena.tournament.control import pause

    with open_store(db, write=True) as store:
        pause(store, store.tournament(id), by, reason)
    echo(f"tournament {id} is paused; go on with: arena tourney resume {id} --db {db}")
