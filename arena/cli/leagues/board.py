"""`arena league board`: print the board of a league."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from arena.cli.options import db_option
from arena.cli.output import echo, table_text
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.league.results.board import Board, BoardRow
    from arena.league.results.season_report import SeasonReport
    from arena.store import Store

SEASON_COLUMNS = (
    Column("rank"),
    text_column("bot"),
    Column("final Elo"),
    Column("± 95 %", drop=3),
    Column("points", drop=4),
    Column("deals", drop=1),
    Column("season Elo", drop=2),
)

LEFT_OUT = ("1 day", "faults")
"""The columns in whose place the names of people stand."""

COLUMNS = (
    Column("rank"),
    text_column("bot"),
    Column("Elo"),
    Column("± 95 %", drop=4),
    Column("1 day", drop=1),
    Column("matches", drop=3),
    Column("faults", drop=2),
    word_column("state", drop=5),
)


@click.command("board")
@click.argument("name", metavar="NAME")
@click.option("--all", "past", is_flag=True, help="With entries that are retired or suspended.")
@click.option(
    "--names", "with_names", is_flag=True, help="With the display names of owners, in the place of 1 day and faults."
)
@click.option("--group", metavar="GROUP", help="Of the accounts of this group alone, with their places among these.")
@click.option("--season", metavar="NUMBER", type=click.IntRange(min=1), help="The final table of this season instead.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object instead.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV instead.")
@db_option
def command(
    name: str, past: bool, with_names: bool, group: str | None, season: int | None, form: str | None, db: str
) -> None:
    """Print the board of a league.

    0 Elo is the mean of the sample bots. ">" and "<": a bot won or lost everything against others, so the Elo is only
    a bound. "1 day": the change since the day before. "!": what the audit found is below the board.

    The final table of a season ranks the finalists by their final alone, where 0 Elo is their mean; the others follow
    by their ratings when the season was frozen.
    """
    if season is not None:
        _print_season(name, season, form, db)
        return
    from arena.league.results.board import load_board
    from arena.league.results.board_output import board_csv, board_json
    from arena.league.results.season_report import report_season
    from arena.store import open_store

    with open_store(db) as store:
        board = load_board(store, name, past=past, practice=True)
        names = store.accounts.display_names()
        if group is not None:
            board = _of_group(store, board, group)
        sentence = report_season(store, board.league).sentence
    if form == "json":
        echo(json_text(board_json(board, names)))
    elif form == "csv":
        echo(board_csv(board, names), nl=False)
    else:
        for line in _lines(board, sentence, names if with_names else None):
            echo(line)


def _of_group(store: "Store", board: "Board", group: str) -> "Board":
    """Return the board of a group. Raises GroupError if no account of that group has an active entry."""
    from arena.league.groups import GroupError, board_of, groups_of

    groups = store.accounts.groups()
    counts = groups_of(board, groups)
    if group not in counts:
        known = f"it has {', '.join(counts)}" if counts else "no account with an entry has one"
        raise GroupError(f"the league {board.league.name} has no group {group}: {known}")
    return board_of(board, groups, group)


def _print_season(name: str, number: int, form: str | None, db: str) -> None:
    from arena.league.results.board_output import rows_csv
    from arena.league.results.season_report import places_json, report_season
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    with open_store(db) as store, store.snapshot():
        report = report_season(store, Leagues(store).named(name), number)
    rows = places_json(report)
    if form == "json":
        season = report.season
        echo(json_text({"league": name, "season": number, "phase": season.phase, "ended": season.ended, "rows": rows}))
    elif form == "csv":
        echo(rows_csv(rows), nl=False)
    else:
        for line in _season_lines(report):
            echo(line)


def _season_lines(report: "SeasonReport") -> list[str]:
    head = f"League {report.league.name}: {report.sentence or f'season {report.season.number} goes on'}"
    if not report.places:
        return [head]
    rows = []
    for place, entry in report.places:
        score = place.final
        final = ("-", "-", "-", place.deals)
        if score is not None:
            ci95 = "-" if score.ci95 is None else f"{score.ci95:.0f}"
            elo = f"{score.bound + ' ' if score.bound else ''}{score.elo:.0f}"
            final = (elo, ci95, f"{score.points:g} of {score.comparisons}", score.deals)
        left = " (left the final)" if place.has_left else ""
        rows.append(("-" if place.rank is None else place.rank, f"{entry.name}{left}", *final, f"{place.elo:+d}"))
    return [head, "", table_text(SEASON_COLUMNS, rows)]


def _lines(board: "Board", sentence: str, names: Mapping[str, str] | None) -> list[str]:
    from arena.ratings.ranking_output import grants_text
    from arena.values.given_time import shown_time

    league = board.league
    state = "" if league.state == "open" else f", {league.state}"
    head = f"League {league.name}: {league.game}, {board.matches:,} matches in {board.results:,} batches{state}"
    columns = [*COLUMNS]
    rows = [[*_row(row)] for row in board.rows]
    if _has_grants(board):
        columns.append(text_column("grants", drop=6))
        for cells, row in zip(rows, board.rows, strict=True):
            cells.append(grants_text(row.entry.grants.words))
    left_out = [] if names is None else [*LEFT_OUT]
    if board.group is not None:  # with the place in the group; how far it has come is on the board of all
        head = f"{head}; group {board.group}"
        left_out.append("1 day")
    kept = [place for place, column in enumerate(columns) if column.header not in left_out]
    columns = [columns[place] for place in kept]
    rows = [[cells[place] for place in kept] for cells in rows]
    if names is not None:
        columns.insert(2, text_column("by"))
        for cells, row in zip(rows, board.rows, strict=True):
            cells.insert(2, names.get(row.entry.owner, row.entry.owner))
    if board.group is not None:
        columns.insert(0, Column("place"))
        for cells, row in zip(rows, board.rows, strict=True):
            cells.insert(0, "-" if row.group_rank is None else str(row.group_rank))
    hidden = []
    if board.hidden is not None:
        hidden = [f"This is the present board; visitors see how it stood at {shown_time(board.hidden, '')}."]
    return [head, *([sentence] if sentence else []), *hidden, "", table_text(columns, rows), *_notes(board)]


def _notes(board: "Board") -> list[str]:
    """Return the notes below the table."""
    from arena.league.results.flags import CAUTION
    from arena.league.results.flags import sentence as flag_sentence
    from arena.ratings.elo_text import UNSEPARATED
    from arena.ratings.ranking_output import GRANTS_LEGEND

    notes = ["", UNSEPARATED] if any(row.separated is False for row in board.rows) else []
    if _has_grants(board):
        notes += ["", GRANTS_LEGEND]
    if board.repeats is not None and board.repeats.notes:
        notes += ["", *board.repeats.notes]
    flagged = [f"! {row.entry.name} {flag_sentence(flag, board.names)}" for row in board.rows for flag in row.flags]
    is_suspicious = any(flag.other is not None for row in board.rows for flag in row.flags)
    return [*notes, *(["", *flagged] if flagged else []), *([CAUTION] if is_suspicious else [])]


def _has_grants(board: "Board") -> bool:
    return any(row.entry.grants.words for row in board.rows)


def _row(row: "BoardRow") -> tuple[str, ...]:
    from arena.ratings.elo_text import elo_text, rank_text

    return (
        rank_text(row.rank, row.separated),
        row.entry.name + ("!" if row.flags else ""),
        elo_text(row.elo, row.bound),
        "-" if row.ci95 is None else f"{row.ci95:.0f}",
        elo_text(row.change),
        f"{row.matches:,}",
        str(sum((row.faults or {}).values())),
        row.entry.state,
    )
