"""`arena league dates`: set the dates of a season of a league, or print them."""

from typing import TYPE_CHECKING

import click

from arena.cli.leagues.dates_options import dates_json, dates_lines, dates_options
from arena.cli.options import by_option, db_option, json_option, optional_reason_option
from arena.cli.output import echo
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.league.dates.control import GivenDates


@click.command("dates")
@click.argument("name", metavar="NAME")
@dates_options
@click.option(
    "--season",
    "number",
    type=click.IntRange(min=1),
    help="The number of the season; the next one may have dates before it begins  [default: the newest]",
)
@optional_reason_option
@by_option
@json_option
@db_option
def command(
    name: str, dates: "GivenDates", number: int | None, reason: str, by: str | None, as_json: bool, db: str
) -> None:
    """Set the dates of a season of a league, or print them.

    TIME is like 2026-05-01T18:00, in the time zone of --timezone, or has its offset: 2026-05-01T18:00+02:00. The word
    none takes a date back. What is not given stays as it is. The log of the league records each change, and owners of
    entries are told.

    What counts is when a bot is received, by the clock of the database, not when its check is over.

    \b
        arena league dates cambio --deadline 2026-05-01T18:00 --ends 2026-05-02T18:00 --timezone Europe/Berlin
        arena league dates cambio
    """
    from arena.league.dates.control import set_dates
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    with open_store(db, write=not dates.is_empty) as store:
        league = Leagues(store).named(name)
        if not dates.is_empty:
            set_dates(store, name, dates, by, reason, number)
        values = Leagues(store).dates(league.id, number)
        season = number or Leagues(store).seasons(league.id)[-1].number
    if as_json:
        echo(json_text({"league": name, "season": season, **dates_json(values)}))
        return
    lines = dates_lines(values)
    echo(f"season {season} of the league {name}" + ("" if lines else " has no dates"))
    for line in lines:
        echo(f"  {line}")
