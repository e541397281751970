"""`arena tourney resume`: go on with a tournament."""

import click

from arena.cli.by import by_option
from arena.cli.crew import Crew, crew_options
from arena.cli.database import db_option
from arena.cli.hosting import rated_hosting_options
from arena.cli.play_tournament import go_on
from arena.cli.settings import SETTINGS
from arena.cli.tournament_options import Telling, telling_options
from arena.tournament.run.hosting import Hosting


@click.command("resume", context_settings=SETTINGS)
@click.argument("id", metavar="ID", type=click.IntRange(min=1))
@click.option("--entropy", metavar="TEXT", help="The public value that the tournament awaits.")
@crew_options
@rated_hosting_options
@telling_options
@by_option
@db_option
def command(
    id: int,
    entropy: str | None,
    crew: Crew,
    hosting: Hosting,
    telling: Telling,
    by: str | None,
    db: str,
) -> None:
    """Go on with a tournament.

    Plays the matches that are not stored, as `arena tourney --resume ID`, and prints the table. One that is
    paused is paused no more. One that awaits a public value is told it by --entropy, once and for all: its deals follow
    from its secret and that value.
    """
    go_on(id, db, crew, hosting, telling, by=by, entropy=entropy)
