"""`arena tourney log`: print the log of decisions on a tournament."""

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

COLUMNS = (Column("entry"), word_column("when", drop=1), text_column("who"), text_column("what"), text_column("why"))


@click.command("log")
@click.argument("id", metavar="[ID]", required=False, type=TOURNAMENT_NUMBER)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Include each start of a stage or block, and each match that a withdrawal voids.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead, with all entries.")
@db_option
def command(id: int | None, every: bool, as_json: bool, db: str) -> None:
    """Print the log of decisions on a tournament.

    The log says who did what, when and why. It is append-only: the digest of each entry covers all before it, and
    `arena tourney verify` checks the chain.
    """
    from arena.results.control import describe, is_automatic
    from arena.store import open_store

    with open_store(db) as store:
        tournament = store.tournament(id)
        entries = store.decisions(tournament.id)
    names = tournament.names
    lines = [
        {
            "entry": entry.number,
            "created": entry.created,
            "who": entry.who,
            "kind": entry.kind,
            "what": describe(entry, names, tournament.first_match),
            "details": entry.details,
            "reason": entry.reason,
            "digest": entry.digest,
        }
        for entry in entries
    ]
    if as_json:
        echo(json_text({"tournament": tournament.id, "log": lines}))
        return
    automatic = [is_automatic(entry) for entry in entries]
    shown = [line for line, hidden in zip(lines, automatic, strict=True) if every or not hidden]
    if not shown:
        echo(f"the log of tournament {tournament.id} has no decisions", err=True)
        return
    rows = [(line["entry"], line["created"], line["who"], line["what"], line["reason"] or "-") for line in shown]
    print_table(COLUMNS, rows)
