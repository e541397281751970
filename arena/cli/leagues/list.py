"""`arena league list`: list the leagues of the database."""

import click

from arena.cli.database import read_rows
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

COLUMNS = (
    text_column("league"),
    word_column("game"),
    word_column("state"),
    Column("entries", drop=2),
    Column("batches", drop=1),
    word_column("created", drop=3),
    text_column("practice of"),
)


@click.command("list")
@json_option
@db_option
def command(as_json: bool, db: str) -> None:
    """List the leagues of the database, also the practice leagues of authors."""
    from arena.league.store.leagues import Leagues

    lines = read_rows(
        db,
        lambda store: [
            {
                "league": league.name,
                "game": league.game,
                "state": league.state,
                "entries": sum(entry.is_active for entry in Leagues(store).entries(league.id)),
                "batches": league.results,
                "created": league.created,
                "practice_of": league.owner,
            }
            for league in Leagues(store).all(practice=True)
        ],
    )
    if as_json:
        echo(json_text({"leagues": lines}))
        return
    if not lines:
        echo(f"{db} has no leagues; create one with: arena league create NAME --game GAME", err=True)
        return
    shown = [line | {"created": str(line["created"])[:16].replace("T", " ")} for line in lines]
    count = len(COLUMNS) if any(line["practice_of"] for line in lines) else len(COLUMNS) - 1
    print_table(COLUMNS[:count], [list(line.values())[:count] for line in shown])
