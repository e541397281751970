"""`arena tune list`: list the runs of the database."""

import click

from arena.cli.database import read_rows
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

COLUMNS = (
    Column("run"),
    word_column("game"),
    text_column("bot"),
    word_column("search", drop=2),
    Column("parameters", drop=1),
    Column("played"),
    Column("of"),
    word_column("begun", drop=3),
)


@click.command("list")
@json_option
@db_option
def command(as_json: bool, db: str) -> None:
    """List the runs of the database."""
    from arena_tune.stored_runs import TuneRuns

    runs = read_rows(db, lambda store: TuneRuns(store).all())
    rows = [
        {
            "run": run.id,
            "game": run.game,
            "bot": run.plan.bot,
            "search": run.plan.search,
            "parameters": len(run.plan.parameters),
            "played": len(run.iterations),
            "iterations": run.plan.iterations,
            "created": run.created,
        }
        for run in runs
    ]
    if as_json:
        echo(json_text({"runs": rows}))
    elif rows:
        print_table(COLUMNS, [tuple(row.values()) for row in rows])
    else:
        echo("no run is stored: arena tune BOT begins one", err=True)
