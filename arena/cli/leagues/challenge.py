"""`arena league challenge`: have a bot play against others, unrated."""

import click

from arena.cli.options import by_option, db_option
from arena.cli.output import echo


@click.command("challenge")
@click.argument("name", metavar="NAME")
@click.argument("bot", metavar="BOT")
@click.argument("against", metavar="OTHER...", nargs=-1, required=True)
@click.option("--deals", type=int, default=100, show_default=True, help="Deals, each in all rotations.")
@by_option
@db_option
def command(name: str, bot: str, against: tuple[str, ...], deals: int, by: str | None, db: str) -> None:
    """Have a bot play against others, unrated.

    The batch is played when no other waits, and changes no rating, so nobody can steer the board with it. Seats for
    which too few others are named go to sample bots. `arena league batch` shows what came of it.

    \b
        arena league challenge cambio club/owl town/jay samples/counter
    """
    from arena.league.control import challenge
    from arena.store import open_store

    with open_store(db, write=True) as store:
        number = challenge(store, db, name, bot, against, deals, by)
    echo(f"batch {number} of the league {name} waits; see what comes of it with: arena league batch {name} {number}")
