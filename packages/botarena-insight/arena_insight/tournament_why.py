"""`arena tourney why`: report why a bot loses."""

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option, json_option
from arena_insight.report_command import Effort, print_report, report_options


@click.command("why")
@click.argument("id", metavar="ID", type=TOURNAMENT_NUMBER)
@click.argument("bot", metavar="BOT")
@report_options
@json_option
@db_option
def command(id: int, bot: str, effort: Effort, as_json: bool, db: str) -> None:
    """Report why a bot loses in a tournament.

    BOT is its name in the table. Compares the bot with those ranked above it, in the same seats of the same deals,
    where they had the same cards or dice: what it chooses more often, or less often, than they do, in which kinds of
    positions, with moments to look at. Then its results against those of others in the same seats: the worst deals,
    by seat, by opponent, and what its faults cost.

    --playouts searches the costliest decisions of matches that it lost: how much another move would have added to its
    chance to win, by playouts of a sample bot. As a playout takes from a millisecond to half a second, depending on
    how long matches of the game are, 2000 take seconds or minutes.

    Moments are written MATCH:MOVE; `arena replay MATCH --at MOVE` shows one.
    """
    from arena.results.control import find_bot
    from arena.results.standings import standings
    from arena.results.stored_tournament import StoredTournament
    from arena.store import open_store
    from arena_insight.weaknesses.loading import tournament_contest

    with open_store(db) as store:
        tournament = StoredTournament.load(store, id)
        place = find_bot(tournament.names, bot, id)
        elo = {row.bot: row.elo for row in standings(tournament).table.rows}
        contest = tournament_contest(tournament, elo, place)
        print_report(store, contest, effort, {"tournament": id}, as_json)
