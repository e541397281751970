"""`arena tourney resume`: resume a tournament."""

import click

from arena.cli.grant_options import secret_option
from arena.cli.options import TOURNAMENT_NUMBER, by_option, db_option, rated_hosting_options
from arena.cli.play_tournament import resume_tournament
from arena.cli.tournament_options import (
    OutputOptions,
    RefereeOptions,
    RemoteOptions,
    output_options,
    referee_options,
    remote_options,
)
from arena.run.hosting import Hosting


@click.command("resume")
@click.argument("id", metavar="ID", type=TOURNAMENT_NUMBER)
@click.option("--entropy", metavar="TEXT", help="The public value that the tournament awaits.")
@click.option(
    "--rounds", type=click.IntRange(min=1), metavar="N", help="Extend a round-robin or gauntlet to N rounds in all."
)
@referee_options()
@remote_options
@rated_hosting_options
@secret_option
@output_options
@by_option
@db_option
def command(
    id: int,
    entropy: str | None,
    rounds: int | None,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    remote: RemoteOptions,
    by: str | None,
    db: str,
) -> None:
    """Resume a tournament.

    Plays the matches that are not stored, and prints the table. The definition is stored with the tournament; only
    runtime options apply. Resuming ends a pause. A tournament that awaits a public value takes it from --entropy, once:
    its deals follow from its secret and that value.

    --rounds extends a tournament that is finished or not, as a decision in its log: one that --sprt or
    --until-separated left undecided goes on where it stood.
    """
    resume_tournament(id, db, referees, hosting, output, remote, by=by, entropy=entropy, rounds=rounds)
