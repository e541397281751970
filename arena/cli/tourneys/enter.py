"""`arena tourney enter`: enter a bot late."""

import click

from arena.cli.options import TOURNAMENT_NUMBER, Duration, by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("enter")
@click.argument("id", metavar="ID", type=TOURNAMENT_NUMBER)
@click.argument("bot", metavar="BOT")
@click.option(
    "--start",
    type=Duration(),
    help="Time from the start of a process of BOT to its hello  [default: that of all bots]",
)
@optional_reason_option
@by_option
@db_option
def command(id: int, bot: str, start: int | None, reason: str, by: str | None, db: str) -> None:
    """Enter a bot late, from the next stage or block on.

    Name BOT as in `arena tourney --bots`. It enters a round-robin with the next block of rounds, a Swiss with the next
    stage. The number of matches stays the same: all bots share the remaining tables.
    --start is for this bot alone.
    """
    from arena.packs.roster import Roster
    from arena.plan.field import samples
    from arena.results.control import enter
    from arena.results.stored_tournament import StoredTournament
    from arena.store import open_store

    with open_store(db, write=True) as store:
        tournament = StoredTournament.load(store, id)
        roster = Roster(db, store.submissions.all())
        entry = enter(tournament, bot, samples(tournament.game), roster, by, reason, start_ms=start)
    echo(f"{entry.details['bot']['name']} enters tournament {id}")
