"""`arena tourney pause`: pause a tournament."""

import click

from arena.cli.options import TOURNAMENT_NUMBER, by_option, db_option, optional_reason_option
from arena.cli.output import echo
from arena.values.texts import shell_line


@click.command("pause")
@click.argument("id", metavar="ID", type=TOURNAMENT_NUMBER)
@optional_reason_option
@by_option
@db_option
def command(id: int, reason: str, by: str | None, db: str) -> None:
    """Pause a tournament.

    The process that plays it, on this or another machine with the same database, stops within about a second with exit
    code 6. Unfinished matches are played again after `arena tourney resume ID`.
    """
    from arena.results.control import pause
    from arena.results.stored_tournament import StoredTournament
    from arena.store import hide_password, open_store

    with open_store(db, write=True) as store:
        pause(StoredTournament.load(store, id), by, reason)
    again = shell_line("arena", "tourney", "resume", id, "--db", hide_password(db))
    echo(f"tournament {id} is paused; resume with: {again}")
