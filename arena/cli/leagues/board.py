"""`arena league board`: print the board of a league."""

from typing import TYPE_CHECKING

import click

from arena.cli.options import db_option
from arena.cli.output import echo
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.league.results.board import Board, BoardRow

HEADERS = ("rank", "bot", "Elo", "± 95 %", "1 day", "matches", "faults", "state")


@click.command("board")
@click.argument("name", metavar="NAME")
@click.option("--all", "past", is_flag=True, help="With entries that are retired or suspended.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object instead.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV instead.")
@db_option
def command(name: str, past: bool, form: str | None, db: str) -> None:
    """Print the board of a league.

    0 Elo is the mean of the sample bots. ">" and "<": a bot won or lost everything against others, so the Elo is only
    a bound. "1 day": the change since the day before.
    """
    from arena.league.results.board import load_board
    from arena.league.results.board_output import board_csv, board_json
    from arena.store import open_store

    with open_store(db) as store:
        board = load_board(store, name, past=past)
    if form == "json":
        echo(json_text(board_json(board)))
    elif form == "csv":
        echo(board_csv(board), nl=False)
    else:
        for line in _lines(board):
            echo(line)


def _lines(board: "Board") -> list[str]:
    from tabulate import tabulate

    league = board.league
    state = "" if league.state == "open" else f", {league.state}"
    head = f"League {league.name}: {league.game}, {board.matches:,} matches in {board.results:,} batches{state}"
    table = tabulate([_row(row) for row in board.rows], HEADERS, "simple", disable_numparse=True, colalign=_ALIGN)
    return [head, "", table]


_ALIGN = ("right", "left", "right", "right", "right", "right", "right", "left")


def _row(row: "BoardRow") -> tuple[str, ...]:
    return (
        "-" if row.rank is None else str(row.rank),
        row.entry.name,
        "-" if row.elo is None else f"{row.bound + ' ' if row.bound else ''}{row.elo:.0f}",
        "-" if row.ci95 is None else f"{row.ci95:.0f}",
        "-" if row.change is None else f"{row.change:+.0f}",
        f"{row.matches:,}",
        str(sum((row.faults or {}).values())),
        row.entry.state,
    )
