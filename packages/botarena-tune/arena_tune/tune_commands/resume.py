"""`arena tune resume`: go on with a run."""

import click

from arena.cli.options import StoredNumber, db_option, rated_hosting_options
from arena.cli.tournament_options import RefereeOptions, referee_options
from arena.run.hosting import Hosting

RUN_NUMBER = StoredNumber("run", "arena tune list")


@click.command("resume")
@click.argument("id", metavar="ID", type=RUN_NUMBER)
@referee_options()
@rated_hosting_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@db_option
def command(id: int, referees: RefereeOptions, hosting: Hosting, as_json: bool, db: str) -> None:
    """Go on with a run.

    Plays the iterations that are not stored. The values become exactly those that they would have become without a
    pause, as changes and deals follow from the run's secret alone.
    """
    from arena_tune.reporting import play_and_report

    play_and_report(id, db, referees, hosting, None, as_json=as_json)
