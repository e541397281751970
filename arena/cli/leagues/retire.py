"""`arena league retire`: let a bot play no more."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("retire")
@click.argument("name", metavar="NAME")
@click.argument("bot", metavar="BOT")
@optional_reason_option
@by_option
@db_option
def command(name: str, bot: str, reason: str, by: str | None, db: str) -> None:
    """Let a bot play no more in a league.

    The bot keeps its rating. Its owner's next version enters again. BOT is club/owl, or club/owl@3.
    """
    from arena.league.control import retire
    from arena.store import open_store

    with open_store(db, write=True) as store:
        entry = retire(store, name, bot, by, reason)
    echo(f"{entry.name} plays no more in the league {name}")
