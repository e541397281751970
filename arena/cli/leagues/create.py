"""`arena league create`: create a league."""

from dataclasses import replace

import click

from arena.cli.options import Duration, by_option, db_option, game_options, json_option, parse_game_options
from arena.cli.output import echo
from arena.cli.tournament_options import clock_options, start_option
from arena.texts import json_text
from arena.tournament.plan.definition import TimeControl
from referee.engine.registry import game as game_named

MOST_SEASON_DAYS = 365
"""Fewer than the days for which a season has secrets, so that some are left for its final."""


def check_name(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    """Return the name of a new league. Raises BadParameter."""
    from arena.league.plan.definition import is_league_name

    if not is_league_name(name):
        raise click.BadParameter(
            f'"{name}" is no name of a league: it has up to 64 lower-case letters, digits and single hyphens, such as '
            "cambio-2026"
        )
    return name


@click.command("create")
@click.argument("name", metavar="NAME", callback=check_name)
@click.option("--game", metavar="GAME", required=True, help="The game to play; `arena games` lists them.")
@click.option("--seats", type=int, help="Seats at a table  [default: recommended by the game]")
@click.option(
    "--active",
    type=click.IntRange(min=1, max=1000),
    default=1,
    show_default=True,
    help="Bots of one owner that are active at a time; the oldest are retired for new ones.",
)
@click.option(
    "--deals", type=click.IntRange(min=1, max=1000), default=25, show_default=True, help="Deals of a table in a batch."
)
@click.option(
    "--cpu-per-day",
    type=Duration(),
    default="0",
    show_default=True,
    help="Time that a bot may take to answer and to get ready on one day, before it rests until the next; 0: no limit.",
)
@click.option(
    "--season-days",
    type=click.IntRange(min=0, max=MOST_SEASON_DAYS),
    default=0,
    show_default=True,
    help="Days after which a season ends with a final; 0: when `arena league end-season` says so.",
)
@click.option(
    "--final-top",
    type=click.IntRange(min=2),
    help="The most finalists of a season  [default: 8, or as many as a table needs]",
)
@click.option(
    "--final-deals",
    type=click.IntRange(min=1),
    help="Deals of each table of a final  [default: so many that a finalist plays 1,000]",
)
@click.option("--entropy", metavar="TEXT", default="", help="A public value to mix into all secrets of the season.")
@game_options
@clock_options
@start_option()
@by_option
@json_option
@db_option
def command(
    name: str,
    game: str,
    seats: int | None,
    active: int,
    deals: int,
    cpu_per_day: int,
    season_days: int,
    final_top: int | None,
    final_deals: int | None,
    entropy: str,
    options: tuple[str, ...],
    time: TimeControl,
    start: int,
    by: str | None,
    as_json: bool,
    db: str,
) -> None:
    """Create a league.

    Its sample bots are entered at once and stay in it for ever: the mean of their strengths is 0 Elo. Every submitted
    bot of the game takes part, those that are accepted later too, once `arena league run` plays it.
    """
    from arena.league.control import create
    from arena.league.plan.definition import define_league
    from arena.league.plan.final import define_final
    from arena.store import open_store
    from arena.tournament.plan.start_times import check_start_time

    rules = game_named(game)
    definition = define_league(
        rules,
        rules.options.parse(parse_game_options(options)),
        seats=seats,
        time=replace(time, start_time_ms=check_start_time(start)),
        active_per_owner=active,
        cpu_per_day=cpu_per_day // 1000,
        deals=deals,
        season_days=season_days,
        final_top=final_top or 0,
        final_deals=final_deals or 0,
    )
    define_final(definition, None, None, closes=False)
    with open_store(db, create=True, write=True) as store:
        league, season = create(store, name, definition, entropy, by)
        anchors = [entry.name for entry in store.leagues.entries(league.id)]
    if as_json:
        published = {
            "league": name,
            "game": league.game,
            "definition_hash": league.definition_hash,
            "season": season.number,
            "commitment": season.commitment,
            "anchors": anchors,
        }
        echo(json_text(published))
        return
    echo(f"league {name} is created: {league.game} at tables of {definition.seats}")
    echo(f"sample bots     {', '.join(anchors)}")
    echo(f"definition hash {league.definition_hash}")
    echo(f"commitment      {season.commitment}")
    echo(f"a server that runs plays it by itself; without one: arena league run {name} --db {db}")
