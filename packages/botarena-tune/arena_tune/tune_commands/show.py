"""`arena tune show`: show a run."""

from pathlib import Path

import click

from arena.cli.options import PathType, db_option, json_option
from arena_tune.tune_commands.resume import RUN_NUMBER


@click.command("show")
@click.argument("id", metavar="ID", type=RUN_NUMBER)
@click.option(
    "--svg",
    type=PathType(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the path of each parameter into a file as well.",
)
@json_option
@db_option
def command(id: int, svg: Path | None, as_json: bool, db: str) -> None:
    """Show a run: its parameters, and how far they are known.

    With --json also the path: the values after each iteration, not rounded.
    """
    from arena.cli.output import write_text
    from arena.store import open_store
    from arena_tune.reporting import print_run
    from arena_tune.stored_runs import TuneRuns

    with open_store(db) as store:
        run = TuneRuns(store).load(id)
    if svg is not None:
        from arena_tune.path_picture import path_picture

        write_text(svg, path_picture(run), "--svg")
    print_run(run, as_json=as_json)
