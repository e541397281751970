"""`arena practice`: practise at a server with versions of one's own bots."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from arena.cli.client_options import client_options, open_server, server_option
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import add_options, json_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

COLUMNS = {
    "league": text_column("league"),
    "owner": text_column("owner", drop=2),
    "game": word_column("game", drop=4),
    "state": word_column("state"),
    "matches": Column("matches", drop=3),
    "kept_until": word_column("kept until", drop=1),
    "bots": text_column("bots"),
}

_LEAGUE = click.argument("name", metavar="NAME")


def _server_options(command: Any) -> Any:
    """Add --to and what else says which server is meant."""
    return add_options(client_options(command), server_option)


@click.group("practice", cls=CommandGroup)
def command() -> None:
    """Practise at a server: versions of your own bots, which nobody else sees.

    They play among sample bots when the leagues of the server leave time, as far as its organiser allows. It counts for
    no board, rating or grade, and goes when you have not looked at it for two weeks.
    """


@command.command("begin")
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option("--league", metavar="NAME", default="", help="Play with the game, options and clock of this league.")
@click.option("--game", metavar="GAME", default="", help="Play this game as usual.")
@click.option("--sample", "samples", metavar="NAME", multiple=True, help="A sample bot that plays along; repeatable.")
@_server_options
@json_option
def begin(
    bots: tuple[str, ...],
    league: str,
    game: str,
    samples: tuple[str, ...],
    url: str | None,
    token_file: Path | None,
    insecure: bool,
    as_json: bool,
) -> None:
    """Begin a practice league.

    BOT is a version of a bot of yours that was accepted, such as club/owl@3, or its name for the newest one. Without
    --sample the usual sample bots of the game play along.

    \b
        arena practice begin club/owl@3 club/owl@4 --league cambio --to https://arena.example.org
    """
    from arena.client.answers import PRACTICE

    if bool(league) == bool(game):
        raise click.UsageError("name either --league or --game: for what do you practise?")
    server = open_server(url, token_file, insecure)
    content = json_text({"bots": list(bots), "league": league, "game": game, "samples": list(samples)}).encode()
    row = server.post("/practice", PRACTICE, content, {"Content-Type": "application/json"})
    if as_json:
        echo(json_text(row))
        return
    echo(f"{row['league']} is begun: {', '.join(row['bots'])} play {row['game']} when the server has time")
    echo(f"see it at {server.address}/leagues/{row['league']}")
    echo(f"or with: arena practice board {row['league']}")


@command.command("list")
@_server_options
@json_option
def list_(url: str | None, token_file: Path | None, insecure: bool, as_json: bool) -> None:
    """List your practice leagues; for organisers, those of all."""
    from arena.client.answers import PRACTICE

    rows = open_server(url, token_file, insecure).get("/practice", {"practice": [PRACTICE]})["practice"]
    if as_json:
        echo(json_text({"practice": rows}))
        return
    if not rows:
        echo("no practice leagues; begin one with: arena practice begin BOT... --league NAME", err=True)
        return
    is_own = len({row["owner"] for row in rows}) == 1
    shown = [name for name in COLUMNS if not (is_own and name == "owner")]
    lines = [[", ".join(row[name]) if name == "bots" else row[name] for name in shown] for row in rows]
    print_table([COLUMNS[name] for name in shown], lines)


@command.command("board")
@_LEAGUE
@_server_options
@json_option
def board(name: str, url: str | None, token_file: Path | None, insecure: bool, as_json: bool) -> None:
    """Print the board of a practice league; `arena watch` follows it."""
    from arena.cli.watch import print_board
    from arena.client.answers import BOARD

    rows = open_server(url, token_file, insecure).get(f"/leagues/{quote(name, safe='')}/board", BOARD)["rows"]
    if as_json:
        echo(json_text({"rows": rows}))
    else:
        print_board(rows)


@command.command("enter")
@click.argument("bot", metavar="BOT@VERSION")
@_server_options
def enter(bot: str, url: str | None, token_file: Path | None, insecure: bool) -> None:
    """Let a version that was handed in for practice alone enter leagues.

    It counts as received now, and takes the place of the version that plays. `arena submit --practice-only` hands in
    such versions.
    """
    server = open_server(url, token_file, insecure)
    content = json_text({"bot": bot}).encode()
    server.post("/practice/enter", {"bot": str}, content, {"Content-Type": "application/json"})
    echo(f"{bot} may enter leagues")


@command.command("remove")
@_LEAGUE
@_server_options
def remove(name: str, url: str | None, token_file: Path | None, insecure: bool) -> None:
    """Remove a practice league with its matches, for ever."""
    server = open_server(url, token_file, insecure)
    server.post(f"/practice/{quote(name, safe='')}/remove", {"league": str})
    echo(f"{name} is gone")
