"""`arena league list`: list the leagues of the database."""

import click

from arena.cli.database import read_rows
from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.values.texts import json_text

HEADERS = ("league", "game", "state", "entries", "batches", "created", "practice of")


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
    from tabulate import tabulate

    shown = [line | {"created": str(line["created"])[:16].replace("T", " ")} for line in lines]
    count = len(HEADERS) if any(line["practice_of"] for line in lines) else len(HEADERS) - 1
    echo(tabulate([list(line.values())[:count] for line in shown], HEADERS[:count], "simple"))
