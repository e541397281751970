"""`arena tourney withdraw`: withdraw a bot from a tournament."""

import click

from arena.cli.options import TOURNAMENT_NUMBER, by_option, db_option, reason_option
from arena.cli.output import echo
from arena.plan.decisions import (
    REMAINING_POLICIES,
    RESULTS_POLICIES,
    RemainingPolicy,
    ResultsPolicy,
)
from arena.values.texts import shell_line


@click.command("withdraw")
@click.argument("id", metavar="ID", type=TOURNAMENT_NUMBER)
@click.argument("bot", metavar="BOT")
@reason_option
@click.option(
    "--remaining",
    type=click.Choice(REMAINING_POLICIES),
    default="drop",
    show_default=True,
    help="Remaining matches: not played, or forfeited by default moves.",
)
@click.option(
    "--results",
    type=click.Choice(RESULTS_POLICIES),
    default="keep",
    show_default=True,
    help="Finished matches: counted in the ranking, or not.",
)
@by_option
@db_option
def command(
    id: int, bot: str, reason: str, remaining: RemainingPolicy, results: ResultsPolicy, by: str | None, db: str
) -> None:
    """Withdraw a bot from a tournament.

    BOT is its name in the table. With --remaining drop its matches are no longer played: its complete sets (deals in
    all rotations) count, those that it has not finished are void for all who sit in them, and from the next stage or
    block of rounds on it is no longer paired. With --remaining forfeit it is still paired and forfeits its seats, so
    that the others keep all their matches. A process that plays the tournament applies this within about a second.
    """
    from arena.results.control import describe, withdraw
    from arena.results.stored_tournament import StoredTournament
    from arena.store import hide_password, open_store

    with open_store(db, write=True) as store:
        tournament = StoredTournament.load(store, id)
        entry = withdraw(tournament, bot, remaining, results, by, reason)
    echo(f"tournament {id}: {describe(entry, tournament.names, tournament.row.first_match)}")
    if tournament.row.finished is None:
        echo(
            "a process that plays it applies this within a second; start one with: "
            + shell_line("arena", "tourney", "resume", id, "--db", hide_password(db))
        )
