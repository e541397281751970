"""`arena league revoke`: take from a bot what it was granted."""

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo


@click.command("revoke")
@click.argument("name", metavar="NAME")
@click.argument("bot", metavar="BOT")
@click.argument("words", metavar="[GRANT]...", nargs=-1)
@optional_reason_option
@by_option
@db_option
def command(name: str, bot: str, words: tuple[str, ...], reason: str, by: str | None, db: str) -> None:
    """Take from a bot what it was granted.

    Without GRANT it loses everything, its secrets too, and later versions get nothing. A batch under way is played to
    its end as it was leased. BOT is club/owl, or club/owl@3.
    """
    from arena.league.grants import revoke
    from arena.store import open_store

    with open_store(db, write=True) as store:
        entry = revoke(store, name, bot, words, by=by, reason=reason)
    left = ", ".join(entry.grants.words) or ("secrets alone" if entry.grants else "nothing")
    echo(f"{entry.name} is granted {left} in the league {name}")
