"""`arena tune show`: show a run."""

import click

from arena.cli.options import db_option, json_option
from arena_tune.tune_commands.resume import RUN_NUMBER


@click.command("show")
@click.argument("id", metavar="ID", type=RUN_NUMBER)
@json_option
@db_option
def command(id: int, as_json: bool, db: str) -> None:
    """Show a run: its parameters, and how far they are known.

    With --json also the path: the values after each iteration, not rounded.
    """
    from arena.store import open_store
    from arena_tune.reporting import print_run
    from arena_tune.stored_runs import TuneRuns

    with open_store(db) as store:
        print_run(TuneRuns(store).load(id), as_json=as_json)
