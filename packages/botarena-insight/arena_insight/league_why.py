"""`arena league why`: report why a bot loses."""

import click

from arena.cli.options import db_option, json_option
from arena_insight.report_command import Effort, print_report, report_options


@click.command("why")
@click.argument("name", metavar="NAME")
@click.argument("bot", metavar="BOT")
@report_options
@json_option
@db_option
def command(name: str, bot: str, effort: Effort, as_json: bool, db: str) -> None:
    """Report why a bot loses in a league.

    BOT is club/owl, or club/owl@3. The report is that of `arena tourney why`, on the newest rated batches of the
    entry: bots with a higher rating are the better ones.
    """
    from arena.league.control import find_entry
    from arena.league.results.board import load_board
    from arena.league.results.played_batches import PlayedBatches
    from arena.league.store.leagues import Leagues
    from arena.store import open_store
    from arena_insight.weaknesses.loading import league_contest

    with open_store(db) as store:
        league = Leagues(store).named(name)
        entry = find_entry(store, league, bot)
        played = PlayedBatches(store, league.id)
        board = load_board(store, name, past=True, played=played)
        contest = league_contest(store, board, played.newest(entry.number), entry.number)
        print_report(store, contest, effort, {"league": name, "entry": entry.number}, as_json)
