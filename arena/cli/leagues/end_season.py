"""`arena league end-season`: end the season of a league with a final."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo
from arena.values.texts import shell_line


@click.command("end-season")
@click.argument("name", metavar="NAME")
@click.option(
    "--season",
    "number",
    type=click.IntRange(min=1),
    help="The number of the season, so that the command does not end the next one when it is repeated  [default: the "
    "newest]",
)
@click.option(
    "--top",
    type=click.IntRange(min=2),
    help="The most finalists  [default: as the league was created; else 8, or as many as a table needs]",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    help="Deals of each table  [default: as the league was created; else so many that a finalist plays 1,000]",
)
@click.option("--close", "closes", is_flag=True, help="Close the league after the final, instead of a next season.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@optional_reason_option
@by_option
@db_option
def command(
    name: str,
    number: int | None,
    top: int | None,
    deals: int | None,
    closes: bool,
    yes: bool,
    reason: str,
    by: str | None,
    db: str,
) -> None:
    """End the season of a league with a final.

    The season is frozen at once: bots that are accepted later wait for the next season, and what waits to be played is
    dropped. `arena league run` or `arena serve` ends the batches under way and plays the final: all tables of the best
    entries, one of each owner, in all rotations. Then it stores the final table, publishes all secrets of the season
    and begins the next one, in which all active entries go on with their ratings.

    \b
        arena league end-season cambio --season 1 --top 8 --yes
        arena league board cambio --season 1
    """
    from arena.league.control import end_season
    from arena.league.store.leagues import Leagues
    from arena.store import hide_password, open_store

    if not yes:
        what = "league" if closes else "season"
        click.confirm(f"End this {what} of {name}? It cannot be taken back.", abort=True, err=True)
    with open_store(db, write=True) as store:
        season, is_new = end_season(
            store, name, number=number, top=top, deals=deals, closes=closes, by=by, reason=reason
        )
        state = Leagues(store).named(name).state
    number = season.number
    if not is_new:
        echo(f"season {number} of the league {name} is frozen already; see: arena league show {name}")
        return
    echo(f"season {number} of the league {name} is frozen")
    paused = f"go on with: arena league resume {name}; then " if state == "paused" else ""
    where = shell_line("--db", hide_password(db))
    echo(f"{paused}the final is played by: arena league run {name} {where}")
    echo(f"see what comes of it with: arena league board {name} --season {number} {where}")
