"""`arena watch`: follow a hand-in or a league at a server."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from arena.cli.client_options import client_options, open_server, server_option
from arena.cli.output import echo, print_progress, print_table
from arena.ratings.elo_text import elo_text
from arena.values.text_table import Column, text_column, word_column

if TYPE_CHECKING:
    from arena.client.connection import Server

SHOWN = 20
"""Rows of a board that are printed at the start."""

_ADDRESS = re.compile(r"(https?://[^/]+)(?:/api/v1)?/(hand-ins|leagues)/([^/]+).*")


@click.command("watch")
@click.argument("subject", metavar="HAND-IN|LEAGUE|URL")
@server_option
@client_options
def command(subject: str, url: str | None, token_file: Path | None, insecure: bool) -> None:
    """Follow a hand-in or a league at a server.

    Of a hand-in, given by its number, its place in the queue and the steps of its check are printed until it is
    finished; exit codes as for `arena submit`. Of a league, given by its name, the board is printed, and then every
    change of rank, until Ctrl-C or until it is closed.

    \b
        arena watch 17
        arena watch cambio --to https://arena.example.org
        arena watch https://arena.example.org/leagues/cambio
    """
    from arena.cli.submit_remote import EXIT_CODES, follow_hand_in, print_end

    kind, name = ("hand-ins" if subject.isascii() and subject.isdecimal() else "leagues"), subject
    if address := _ADDRESS.fullmatch(subject):
        url, kind, name = address[1], address[2], address[3]
    elif "://" in subject:
        raise click.UsageError(f"{subject} is the address of neither a hand-in nor a league")
    connection = open_server(url, token_file, insecure)
    if kind == "leagues":
        _follow_league(connection, quote(name, safe=""))
        return
    if not (name.isascii() and name.isdecimal()):
        raise click.UsageError(f"{name} is not the number of a hand-in")
    last = follow_hand_in(connection, int(name))
    print_end(connection, int(name), last)
    raise SystemExit(EXIT_CODES.get(last["state"], 2))


def _follow_league(server: "Server", name: str) -> None:
    """Print the board of a league, and then how it changes, until it is closed."""
    from arena.client.answers import BOARD, PROGRESS
    from arena.client.server_events import events

    def is_over(progress: dict[str, Any]) -> bool:
        return progress["state"] == "closed" and not progress["playing"]

    rows: dict[str, dict[str, Any]] | None = None
    for _, progress in events(server, f"/leagues/{name}/events", PROGRESS, is_over):
        board = {row["bot"]: row for row in server.get(f"/leagues/{name}/board", BOARD)["rows"]}
        if rows is None:
            print_board(list(board.values()))
        else:
            for line in changes(rows, board):
                echo(line)
        rows = board
        print_progress(
            f"{progress['state']}: batches {progress['batches']:,}, playing {progress['playing']}, "
            f"waiting {progress['waiting']}"
        )


def changes(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> list[str]:
    """Return what has changed between two boards, by bot, in words."""
    lines = []
    for bot, row in after.items():
        old = before.get(bot)
        if old is None:
            lines.append(f"{bot} enters")
            continue
        if old["state"] != row["state"]:
            lines.append(f"{bot} is {row['state']}")
        if old["rank"] != row["rank"] and row["rank"] is not None:
            moved = "is ranked" if old["rank"] is None else "rises to" if row["rank"] < old["rank"] else "falls to"
            lines.append(f"{bot} {moved} {row['rank']}, {_elo(row)} Elo")
    lines += [f"{bot} has left the board" for bot in before if bot not in after]
    return lines


def print_board(rows: list[dict[str, Any]]) -> None:
    """Print the first rows of a board."""
    table = [("-" if row["rank"] is None else row["rank"], row["bot"], _elo(row), row["state"]) for row in rows[:SHOWN]]
    print_table((Column("rank"), text_column("bot"), Column("Elo"), word_column("state", drop=1)), table)


def _elo(row: dict[str, Any]) -> str:
    if row["elo"] is None:
        return "-"
    return f"{row['bound']}{elo_text(row['elo'])}" + ("" if row["ci95"] is None else f" ± {row['ci95']:.0f}")
