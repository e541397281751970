"""`arena tourney run`: run a tournament defined in a file."""

from dataclasses import replace
from pathlib import Path

import click

from arena.cli.grant_options import secret_option
from arena.cli.options import PathType, db_option, rated_hosting_options
from arena.cli.play_tournament import start_tournament
from arena.cli.tournament_options import (
    DealSource,
    OutputOptions,
    RefereeOptions,
    deal_options,
    dry_run_option,
    output_options,
    referee_options,
)
from arena.run.hosting import Hosting


@click.command("run")
@click.argument("path", metavar="EVENT.TOML", type=PathType(path_type=Path))
@deal_options
@dry_run_option
@referee_options("the file's, or one per core")
@rated_hosting_options
@secret_option
@output_options
@db_option
def command(
    path: Path,
    deals: DealSource,
    dry_run: bool,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    db: str,
) -> None:
    """Run a tournament defined in a file.

    docs/events.md describes the file; `arena tourney show ID --toml` writes one. --seed and --jobs override the file.
    After an interruption, resume with `arena tourney resume ID`. Exit codes are those of `arena tourney`.
    """
    from arena.cli.dry_run import show_plan
    from arena.packs.roster import open_roster
    from arena.plan.eventfile.event_reader import read_event

    event = read_event(path, open_roster(db))
    if deals == DealSource():
        deals = DealSource(event.seed)
    if dry_run:
        show_plan(event.definition, deals.seed, db, output.as_json, referees.jobs or event.jobs)
    else:
        start_tournament(
            event.definition, deals, db, replace(referees, jobs=referees.jobs or event.jobs), hosting, output
        )
