"""`arena tourney run`: run the tournament that a file defines."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from arena.cli.crew import Crew, crew_options
from arena.cli.database import db_option
from arena.cli.deals import Deals, deals_options
from arena.cli.hosting import rated_hosting_options
from arena.cli.play_tournament import begin
from arena.cli.settings import SETTINGS
from arena.cli.tournament_options import Telling, telling_options
from arena.tournament.run.hosting import Hosting


@click.command("run", context_settings=SETTINGS)
@click.argument("path", metavar="EVENT.TOML", type=click.Path(path_type=Path))
@deals_options
@click.option(
    "--dry-run", is_flag=True, help="Print the plan, who meets whom and what it will tell apart; play nothing."
)
@partial(crew_options, default="the file's, or one per core")
@rated_hosting_options
@telling_options
@db_option
def command(
    path: Path,
    deals: Deals,
    dry_run: bool,
    crew: Crew,
    hosting: Hosting,
    telling: Telling,
    db: str,
) -> None:
    """Run the tournament that a file defines.

    docs/events.md tells what the file says; `arena tourney show ID --toml` writes one. --seed and --jobs go before what
    the file says of them. Interrupted, it goes on with `arena tourney resume ID`. Exit codes are those of
    `arena tourney`.
    """
    from arena.cli.dry_run import show_plan
    from arena.eventfile.reader import read_event
    from arena.submissions.roster import open_roster

    event = read_event(path, open_roster(db))
    if deals == Deals():
        deals = Deals(event.seed)
    if dry_run:
        show_plan(event.definition, deals.seed, db, telling.as_json)
    else:
        begin(event.definition, deals, db, replace(crew, jobs=crew.jobs or event.jobs), hosting, telling)
