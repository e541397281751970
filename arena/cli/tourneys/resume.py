"""`arena tourney resume`: go on with a tournament."""

import click

from arena.cli.by import by_option
from arena.cli.database import db_option
from arena.cli.executor import Crew, executor_option
from arena.cli.hosting import rated_hosting, rated_hosting_options
from arena.cli.settings import SETTINGS
from arena.cli.telling import Telling, telling_options


@click.command("resume", context_settings=SETTINGS)
@click.argument("id", metavar="ID", type=click.IntRange(min=1))
@click.option("--jobs", type=click.IntRange(min=1), help="Referee processes  [default: one per core]")
@executor_option
@rated_hosting_options
@telling_options
@by_option
@db_option
def command(
    id: int,
    jobs: int | None,
    executor: str,
    sandbox: str,
    affinity: bool,
    trust_bots: bool,
    telling: Telling,
    by: str | None,
    db: str,
) -> None:
    """Go on with a tournament.

    Plays the matches that are not stored, as `arena tourney --resume ID`, and prints the table. One that is
    paused is paused no more.
    """
    from arena.cli.tourney import go_on

    go_on(id, db, Crew(jobs, executor), rated_hosting(sandbox, affinity, trust_bots), telling, by=by)
