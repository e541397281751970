"""`arena hand-ins rejudge`: check hand-ins again."""

from datetime import datetime

import click

from arena.cli.options import by_option, db_option, json_option, reason_option
from arena.cli.output import echo
from arena.values.texts import json_text

MOMENT = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"])
"""A time in UTC."""


@click.command("rejudge")
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1, type=click.IntRange(min=1))
@click.option("--game", "games", metavar="GAME", multiple=True, help="Those that were to play GAME; repeatable.")
@click.option("--league", metavar="NAME", help="Those that were to enter this league, or to play its game.")
@click.option("--owner", metavar="NAME", default="", help="Those of one owner.")
@click.option("--since", type=MOMENT, help="Those whose check ended at this time (UTC) or later.")
@click.option("--until", type=MOMENT, help="Those whose check ended at this time (UTC) or earlier.")
@click.option("--said", metavar="TEXT", default="", help="Those whose result contains TEXT, such as 'dials in'.")
@click.option(
    "--state",
    "states",
    type=click.Choice(["refused", "failed", "accepted"]),
    multiple=True,
    help="How they ended; failed: through no fault of the bot; accepted: those whose version may play; repeatable  "
    "[default: refused]",
)
@click.option("--dry-run", is_flag=True, help="Only say which.")
@reason_option
@by_option
@json_option
@db_option
def command(
    numbers: tuple[int, ...],
    games: tuple[str, ...],
    league: str | None,
    owner: str,
    since: datetime | None,
    until: datetime | None,
    said: str,
    states: tuple[str, ...],
    dry_run: bool,
    reason: str,
    by: str | None,
    as_json: bool,
    db: str,
) -> None:
    """Check hand-ins again.

    Name them by number, or choose them by the options, all of which must hold. They return to the queue, behind those
    that wait, and count as none of their owners', who read the reason on the pages of their hand-ins. Files are there
    as long as `arena serve --keep-refused` says. A hand-in is left out if a later version of its bot was accepted.

    An accepted version plays on meanwhile, and whatever the result is: its page, the log of the server, and an event
    for whoever had it checked again tell of a failure. `arena league retire` takes it out of a league.

    Exit code 0: all that are meant are checked again, 1: some are left out, 2: an error.
    """
    from arena.bots.hand_in_rows import REFUSED
    from arena.bots.rejudging import Chosen, Rejudging
    from arena.league.store.leagues import Leagues
    from arena.results.control import actor
    from arena.store import open_store

    if bool(numbers) == any((games, league, owner, since, until, said, states)):
        raise click.UsageError(
            "name hand-ins by number, or choose them by --game, --league, --owner, --since, --until or --said"
        )
    with open_store(db, write=True) as store:
        row = Leagues(store).named(league) if league is not None else None
        of_league = (row.id, row.game) if row is not None else None
        chosen = Chosen(games, of_league, owner, states or (REFUSED,), _text(since), _text(until), said)
        rejudging = Rejudging(store)
        ids = list(numbers) or [row.id for row in rejudging.choose(chosen)]
        if dry_run:
            left = {id: why for id in ids if (why := rejudging.why_not(id))}
            taken = [id for id in ids if id not in left]
        else:
            taken, left = rejudging.rejudge(ids, actor(by), reason)
    if as_json:
        echo(json_text({"rejudged": taken, "left_out": {str(id): why for id, why in left.items()}}))
    else:
        what = "would be checked again" if dry_run else "are checked again"
        echo(f"{len(taken)} hand-ins {what}" + (f": {', '.join(map(str, taken))}" if taken else ""))
        for id, why in left.items():
            echo(f"hand-in {id} is left out: {why}")
    if left:
        raise click.exceptions.Exit(1)


def _text(moment: datetime | None) -> str:
    """Return a time in UTC as rows have it; empty for none."""
    return "" if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S}+00:00"
