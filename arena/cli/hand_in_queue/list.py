"""`arena hand-ins list`: list hand-ins."""

import click

from arena.cli.database import read_rows
from arena.cli.options import db_option, json_option, limit_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

COLUMNS = (
    Column("number"),
    text_column("bot"),
    text_column("handed in by", drop=1),
    word_column("handed in (UTC)", drop=2),
    word_column("state"),
    text_column("result"),
)

RESULT = 60
"""Characters of a result in the table."""


@click.command("list")
@click.option("--owner", metavar="NAME", help="Those of one owner.")
@limit_option
@json_option
@db_option
def command(owner: str | None, limit: int, as_json: bool, db: str) -> None:
    """List hand-ins, the newest first."""
    from arena.bots.hand_ins import HandIns

    rows = read_rows(db, lambda store: HandIns(store).newest(owner, limit or ALL))
    if as_json:
        shown = [
            {
                "hand_in": row.id,
                "bot": row.name,
                "owner": row.owner,
                "games": list(row.games),
                "created": row.created,
                "ended": row.ended,
                "state": row.state,
                "version": row.version,
                "sentence": row.sentence,
                "rejudged": row.rejudged,
            }
            for row in rows
        ]
        echo(json_text({"hand_ins": shown}))
        return
    if not rows:
        echo("nothing was handed in", err=True)
        return
    lines = [
        (row.id, row.name, row.owner, row.created[:16].replace("T", " "), row.state, _first(row.sentence))
        for row in rows
    ]
    print_table(COLUMNS, lines)


ALL = 10**9
"""More hand-ins than there are."""


def _first(sentence: str) -> str:
    line = (sentence.splitlines() or [""])[0]
    return line if len(line) <= RESULT else f"{line[: RESULT - 3]}..."
