"""`arena league announce`: announce something on the page of a league."""

import click

from arena.cli.options import by_option, db_option, json_option, optional_reason_option
from arena.cli.output import echo
from arena.values.texts import json_text


@click.command("announce")
@click.argument("name", metavar="NAME")
@click.argument("text", metavar="[TEXT]", required=False)
@click.option("--change", metavar="NUMBER", type=click.IntRange(min=1), help="Give this announcement another text.")
@click.option("--retract", metavar="NUMBER", type=click.IntRange(min=1), help="Retract this announcement.")
@optional_reason_option
@by_option
@json_option
@db_option
def command(
    name: str,
    text: str | None,
    change: int | None,
    retract: int | None,
    reason: str,
    by: str | None,
    as_json: bool,
    db: str,
) -> None:
    """Announce something on the page of a league, or list its announcements.

    TEXT is plain text; addresses that begin with https:// become links. The newest announcement stands above the board
    and in the Atom feed, and owners of entries are told. Without TEXT, all are listed. Every text stays in the log.

    \b
        arena league announce cambio "The lecture hall is H2 tomorrow."
        arena league announce cambio "The lecture hall is H3 tomorrow." --change 1
        arena league announce cambio --retract 1
    """
    from arena.league.announcements import control
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    if retract is not None and (text is not None or change is not None):
        raise click.UsageError("--retract goes with no TEXT and no --change")
    if change is not None and text is None:
        raise click.UsageError("--change needs the new TEXT")
    with open_store(db, write=text is not None or retract is not None) as store:
        if retract is not None:
            control.retract(store, name, retract, by, reason)
        elif text is not None:
            control.announce(store, name, text, by, change)
        rows = control.announcements(store, Leagues(store).named(name))
    if as_json:
        values = [
            {
                "announcement": row.number,
                "who": row.who,
                "created": row.created,
                "changed": row.changed,
                "retracted": row.retracted,
                "text": row.text,
            }
            for row in rows
        ]
        echo(json_text({"league": name, "announcements": values}))
        return
    if not rows:
        echo(f"the league {name} has no announcements", err=True)
    for row in rows:
        state = f", retracted {row.retracted}" if row.retracted else f", changed {row.changed}" if row.changed else ""
        echo(f"{row.number}: {row.created} by {row.who}{state}")
        echo("\n".join(f"    {line}" for line in row.text.splitlines()))
