"""`arena league readmit`: let a suspended or retired bot play again."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("readmit")
@click.argument("name", metavar="NAME")
@click.argument("bot", metavar="BOT")
@optional_reason_option
@by_option
@db_option
def command(name: str, bot: str, reason: str, by: str | None, db: str) -> None:
    """Let a suspended or retired bot play again.

    A bot that was suspended for its faults, or retired, is placed among the others again. BOT is club/owl, or
    club/owl@3.
    """
    from arena.league.control import readmit
    from arena.store import open_store

    with open_store(db, write=True) as store:
        entry = readmit(store, name, bot, by, reason)
    echo(f"{entry.name} is placed again in the league {name}")
