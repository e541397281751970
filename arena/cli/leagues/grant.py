"""`arena league grant`: grant a bot the network or devices."""

from collections.abc import Iterable

import click

from arena.cli.options import by_option, db_option, optional_reason_option
from arena.cli.output import echo

LATER = ", and so are its later versions"


def granted_text(words: Iterable[str], secrets: Iterable[str]) -> str:
    """Return what an entry is granted, with the names of its variables."""
    return ", ".join([*words, *(f"the variable {variable}" for variable in secrets)])


@click.command("grant")
@click.argument("name", metavar="NAME")
@click.argument("bot", metavar="BOT")
@click.argument("words", metavar="[GRANT]...", nargs=-1)
@click.option(
    "--secret",
    "secrets",
    multiple=True,
    metavar="VARIABLE",
    help="Hand this environment variable of the program that runs the league to the bot, such as a key; repeatable.",
)
@click.option("--later-versions", "later", is_flag=True, help="Later versions of the bot get the same.")
@optional_reason_option
@by_option
@db_option
def command(
    name: str, bot: str, words: tuple[str, ...], secrets: tuple[str, ...], later: bool, reason: str, by: str | None,
    db: str,
) -> None:  # fmt: skip
    """Grant a bot the network or devices.

    GRANT is network, or device:/dev/NAME. BOT is club/owl, or club/owl@3. The bot has it in batches that are leased
    from now on, beside what it had. Later versions get nothing unless --later-versions is given. The board and the log
    show it.

    Of a secret the name is stored; its value comes from the environment of `arena league run` or `arena serve`.
    """
    from arena.league.grants import grant
    from arena.store import open_store

    with open_store(db, write=True) as store:
        entry = grant(store, name, bot, words, secrets=secrets, later=later, by=by, reason=reason)
    granted = granted_text(entry.grants.words, entry.grants.secrets)
    versions = LATER if entry.grants.later else ""
    echo(f"{entry.name} is granted {granted} in the league {name}{versions}")
