"""`arena league extend`: extend the deadline of a league for one owner."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("extend")
@click.argument("name", metavar="NAME")
@click.argument("owner", metavar="OWNER")
@click.argument("until", metavar="TIME")
@click.option(
    "--timezone",
    metavar="ZONE",
    default="",
    help="The time zone of TIME without an offset  [default: that of the dates of the league]",
)
@optional_reason_option
@by_option
@db_option
def command(name: str, owner: str, until: str, timezone: str, reason: str, by: str | None, db: str) -> None:
    """Extend the deadline of a league for one owner.

    OWNER is the part of the names of its bots before the slash. TIME is written as for `arena league dates`; the word
    none takes the extension back. It is possible after the deadline too: what was received since then enters. The log
    of the league records it, and the owner is told.

    \b
        arena league extend cambio ann 2026-05-02T18:00 --reason "was ill"
    """
    from arena.league.dates.control import extend
    from arena.store import open_store
    from arena.values.given_time import shown_time

    with open_store(db, write=True) as store:
        dates = extend(store, name, owner, until, by, reason, timezone)
    what = "a bot of" if owner in dates.extensions else "without an extension, a bot of"
    deadline = shown_time(dates.deadline_of(owner), dates.zone)
    echo(f"{what} {owner} counts for the league {name} if it is received before {deadline}")
