"""`arena league divisions`: print the divisions of a league."""

from typing import TYPE_CHECKING

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo, table_text
from arena.values.errors import ArenaError
from arena.values.text_table import Column, text_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.league.divisions.report import DivisionReport, DivisionRow

COLUMNS = (
    Column("place"),
    text_column("bot"),
    Column("Elo"),
    Column("± 95 %", drop=2),
    Column("rank", drop=1),
    text_column("if it ended now"),
)

TOLD = 3
"""Decisions below the tables."""


@click.command("divisions")
@click.argument("name", metavar="NAME")
@json_option
@db_option
def command(name: str, as_json: bool, db: str) -> None:
    """Print the divisions of a league.

    "rank" is the rank on the board. "if it ended now": who would be promoted or relegated if the span ended now, and
    the probability that the better of the two who change places is really stronger.
    """
    from arena.league.divisions.report import report_divisions, report_json
    from arena.league.results.board import load_board
    from arena.league.results.comparisons import LeagueComparisons
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    with open_store(db) as store, store.snapshot():
        board = load_board(store, name, past=True)
        comparisons = LeagueComparisons(store, board.league.id)
        comparisons.update()
        report = report_divisions(store, board, Leagues(store).seasons(board.league.id)[-1], comparisons.los)
    if report is None:
        raise ArenaError(f"the league {name} has no divisions: `arena league create --divisions` makes one that has")
    if as_json:
        echo(json_text({"league": name, **report_json(report, board.names)}))
        return
    for line in _lines(name, report, board.names):
        echo(line)


def _lines(name: str, report: "DivisionReport", names: "Mapping[int, str]") -> list[str]:
    when = "the end of the season" if report.next_day is None else f"{report.next_day}, 00:00 UTC"
    lines = [f"League {name}: the next promotions and relegations come with {when}"]
    if report.is_first:
        lines.append("Nothing is decided yet: the ratings decide then who begins in which division.")
    for table in report.tables:
        free = "" if report.is_first or not table.free else f", free places: {table.free}"
        lines += ["", "All entries" if report.is_first else f"Division {table.number}{free}", ""]
        rows = list(map(_row, table.rows))
        lines.append(table_text(COLUMNS, rows) if rows else "nobody")
    for decision in report.decisions[:TOLD]:
        moved = [f"{names.get(entry, entry)} up to {division}" for entry, division in decision.promoted]
        moved += [
            f"{names.get(entry, entry)} down to {division}" for entry, division in decision.relegated(report.lowest)
        ]
        which = f"span {decision.span} of season {decision.season}, {decision.created[:10]}"
        lines += ["", f"{which}: {', '.join(moved) or 'nobody moved'}"]
    return lines


def _row(row: "DivisionRow") -> tuple[str, ...]:
    from arena.ratings.elo_text import elo_text

    board_row = row.row
    move = f"{row.move} to {row.to}" if row.move else ""
    return (
        "-" if row.place is None else str(row.place),
        board_row.entry.name,
        elo_text(board_row.elo, board_row.bound),
        "-" if board_row.ci95 is None else f"{board_row.ci95:.0f}",
        "-" if board_row.rank is None else str(board_row.rank),
        move if row.sure is None else f"{move}, {row.sure:.0%}",
    )
