"""`arena league create`: create a league."""

from functools import partial
from typing import TYPE_CHECKING

import click

from arena.cli.leagues.dates_options import dates_json, dates_lines, dates_options
from arena.cli.options import by_option, db_option, game_options, json_option, parse_game_options
from arena.cli.output import echo
from arena.cli.setting_options import options_of, struct_options
from arena.cli.tournament_options import clock_options
from arena.league.plan.definition import LeagueSettings, define_league, is_league_name
from arena.values.definition import TimeControl
from arena.values.texts import json_text, shell_line
from referee.engine.registry import game as game_named

if TYPE_CHECKING:
    from arena.league.dates.control import GivenDates


def check_name(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    """Return the name of a new league. Raises BadParameter."""
    if not is_league_name(name):
        raise click.BadParameter(
            f'"{name}" is no name of a league: it has up to 64 lower-case letters, digits and single hyphens, such as '
            "cambio-2026"
        )
    return name


@click.command("create")
@click.argument("name", metavar="NAME", callback=check_name)
@click.option("--game", metavar="GAME", required=True, help="The game to play; `arena games` lists them.")
@struct_options("settings", LeagueSettings, *options_of(LeagueSettings))
@click.option("--entropy", metavar="TEXT", default="", help="A public value to mix into all secrets of the season.")
@dates_options
@game_options
@clock_options("remote_ms")
@by_option
@json_option
@db_option
def command(
    name: str,
    game: str,
    settings: LeagueSettings,
    dates: "GivenDates",
    entropy: str,
    options: tuple[str, ...],
    time: TimeControl,
    by: str | None,
    as_json: bool,
    db: str,
) -> None:
    """Create a league.

    Its sample bots are entered at once and stay in it for ever: the mean of their strengths is 0 Elo. Every submitted
    bot of the game takes part, those that are accepted later too, once `arena league run` plays it.

    TIME is like 2026-05-01T18:00, in the time zone of --timezone, or has its offset: 2026-05-01T18:00+02:00. `arena
    league dates` changes dates later.
    """
    from arena.league.control import create
    from arena.league.dates.control import first_dates
    from arena.league.plan.final import define_final
    from arena.league.store.leagues import Leagues
    from arena.store import hide_password, open_store

    rules = game_named(game)
    definition = define_league(rules, rules.options.parse(parse_game_options(options)), settings, time)
    define_final(definition, None, None, closes=False)
    with open_store(db, create=True, write=True) as store:
        first = partial(first_dates, dates, now=store.submissions.now())
        league, season = create(store, name, definition, entropy, by, first)
        decided = Leagues(store).dates(league.id)
        anchors = [entry.name for entry in Leagues(store).entries(league.id)]
    if as_json:
        published = {
            "league": name,
            "game": league.game,
            "definition_hash": league.definition_hash,
            "season": season.number,
            "commitment": season.commitment,
            "anchors": anchors,
            "dates": dates_json(decided),
        }
        echo(json_text(published))
        return
    echo(f"league {name} is created: {league.game} at tables of {definition.seats}")
    echo(f"sample bots     {', '.join(anchors)}")
    echo(f"definition hash {league.definition_hash}")
    echo(f"commitment      {season.commitment}")
    for line in dates_lines(decided):
        echo(line)
    run = shell_line("arena", "league", "run", name, "--db", hide_password(db))
    echo(f"a server that runs plays it by itself; without one: {run}")
