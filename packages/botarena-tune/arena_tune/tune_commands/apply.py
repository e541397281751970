"""`arena tune apply`: write the values of a run into a bot.toml."""

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.values.texts import json_text, shell_line
from arena_tune.tune_commands.resume import RUN_NUMBER


@click.command("apply")
@click.argument("id", metavar="ID", type=RUN_NUMBER)
@json_option
@db_option
def command(id: int, as_json: bool, db: str) -> None:
    """Write the values of a run into the bot.toml of its bot.

    Only the start of each parameter changes; comments and all else stay. For a bot without a bot.toml, prints its
    command with the values. `arena tune verify ID` tells whether they are better.
    """
    from arena.packs.parameters import fill
    from arena.store import open_store
    from arena_tune.manifest_edit import write_starts
    from arena_tune.parameters import texts
    from arena_tune.stored_runs import TuneRuns

    with open_store(db) as store:
        run = TuneRuns(store).load(id)
    values = run.course().tuned
    given = texts(run.plan.parameters, values)
    if run.plan.manifest:
        write_starts(run, values)
    line = shell_line(*fill(run.definition.field[0].command, given))
    if as_json:
        echo(json_text({"run": id, "file": run.plan.manifest, "values": given, "command": line}))
    elif run.plan.manifest:
        shown = ", ".join(f"{name} = {text}" for name, text in given.items())
        echo(f"{run.plan.manifest}: {shown}")
    else:
        echo(line)
