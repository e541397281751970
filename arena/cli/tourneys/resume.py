"""`arena tourney resume`: go on with a tournament."""

import click

from arena.cli.options import by_option, db_option, rated_hosting_options
from arena.cli.play_tournament import resume_tournament
from arena.cli.tournament_options import (
    OutputOptions,
    RefereeOptions,
    RemoteOptions,
    output_options,
    referee_options,
    remote_options,
)
from arena.tournament.run.hosting import Hosting


@click.command("resume")
@click.argument("id", metavar="ID", type=click.IntRange(min=1))
@click.option("--entropy", metavar="TEXT", help="The public value that the tournament awaits.")
@referee_options()
@remote_options
@rated_hosting_options
@output_options
@by_option
@db_option
def command(
    id: int,
    entropy: str | None,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    remote: RemoteOptions,
    by: str | None,
    db: str,
) -> None:
    """Go on with a tournament.

    Plays the matches that are not stored, as `arena tourney --resume ID`, and prints the table. One that is
    paused is paused no more. One that awaits a public value is told it by --entropy, once and for all: its deals follow
    from its secret and that value.
    """
    resume_tournament(id, db, referees, hosting, output, remote, by=by, entropy=entropy)
