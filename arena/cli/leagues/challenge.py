"""`arena league challenge`: have a bot play against others, unrated."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from arena.cli.client_options import client_options, open_server
from arena.cli.options import by_option, db_option
from arena.cli.output import echo

if TYPE_CHECKING:
    from arena.client.connection import Server


@click.command("challenge")
@click.argument("name", metavar="NAME")
@click.argument("bot", metavar="BOT")
@click.argument("against", metavar="OTHER...", nargs=-1, required=True)
@click.option("--deals", type=int, default=100, show_default=True, help="Deals, each in all rotations.")
@click.option("--to", "server", metavar="URL", help="Ask a server instead, for a bot of yours.")
@client_options
@by_option
@db_option
def command(
    name: str,
    bot: str,
    against: tuple[str, ...],
    deals: int,
    server: str | None,
    token_file: Path | None,
    insecure: bool,
    by: str | None,
    db: str,
) -> None:
    """Have a bot play against others, unrated.

    The batch is played when no other waits, and changes no rating, so nobody can steer the board with it. Seats for
    which too few others are named go to sample bots, and deals are rounded up to whole tables. `arena league batch`
    shows what came of it, and so does its page.

    \b
        arena league challenge cambio club/owl town/jay samples/counter
        arena league challenge cambio club/owl@2 club/owl@1 --to https://arena.example.org
    """
    if server is not None:
        _ask_server(open_server(server, token_file, insecure), name, bot, against, deals)
        return
    from arena.league.challenges import challenge
    from arena.league.results.board import load_board
    from arena.results.control import actor
    from arena.store import open_store

    with open_store(db, write=True) as store:
        number = challenge(
            store, db, load_board(store, name, past=True), bot, against, deals, actor(by), organiser=True
        )
    echo(f"batch {number} of the league {name} waits; see what comes of it with: arena league batch {name} {number}")


def _ask_server(server: "Server", name: str, bot: str, against: tuple[str, ...], deals: int) -> None:
    from arena.client.answers import CHALLENGE
    from arena.values.texts import json_text

    league = quote(name, safe="")
    content = json_text({"bot": bot, "against": list(against), "deals": deals}).encode()
    answer = server.post(f"/leagues/{league}/challenges", CHALLENGE, content, {"Content-Type": "application/json"})
    number = answer["batch"]["batch"]
    echo(f"batch {number} of the league {name} waits: {server.address}/leagues/{league}/batches/{number}")
