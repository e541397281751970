"""`arena tourney log`: what was decided on a tournament."""

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.settings import SETTINGS
from arena.texts import json_text

HEADERS = ("entry", "when", "who", "what", "why")


@click.command("log", context_settings=SETTINGS)
@click.argument("id", metavar="[ID]", required=False, type=click.IntRange(min=1))
@click.option("--all", "every", is_flag=True, help="Also when each stage, or block of rounds, began.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead, with all entries.")
@db_option
def command(id: int | None, every: bool, as_json: bool, db: str) -> None:
    """Print what was decided on a tournament.

    Who did what, when and why. Entries are only ever added; each is bound to those before it by its digest, which
    `arena tourney verify` checks.
    """
    from arena.store import open_store
    from arena.tournament.control import sentence

    with open_store(db) as store:
        tournament = store.latest() if id is None else store.tournament(id)
        entries = store.decisions(tournament.id or 0)
    names = tournament.names
    told = [
        {
            "entry": entry.number,
            "created": entry.created,
            "who": entry.who,
            "kind": entry.kind,
            "what": sentence(entry, names, tournament.first_match),
            "details": entry.details,
            "reason": entry.reason,
            "digest": entry.digest,
        }
        for entry in entries
    ]
    if as_json:
        echo(json_text({"tournament": tournament.id, "log": told}))
        return
    shown = [line for line in told if every or line["kind"] != "leg"]
    if not shown:
        echo(f"nothing was decided on tournament {tournament.id} since it began", err=True)
        return
    from tabulate import tabulate

    rows = [(line["entry"], line["created"], line["who"], line["what"], line["reason"] or "-") for line in shown]
    echo(tabulate(rows, HEADERS, "simple", disable_numparse=True))
