"""`arena league list`: list the leagues of the database."""

import click

from arena.cli.database import read_rows
from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.values.texts import json_text

HEADERS = ("league", "game", "state", "entries", "batches", "created")


@click.command("list")
@json_option
@db_option
def command(as_json: bool, db: str) -> None:
    """List the leagues of the database."""
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
            }
            for league in Leagues(store).all()
        ],
    )
    if as_json:
        echo(json_text({"leagues": lines}))
        return
    if not lines:
        echo(f"{db} has no leagues; create one with: arena league create NAME --game GAME", err=True)
        return
    from tabulate import tabulate

    rows = [(*list(line.values())[:-1], str(line["created"])[:16].replace("T", " ")) for line in lines]
    echo(tabulate(rows, HEADERS, "simple"))
