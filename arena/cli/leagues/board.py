"""`arena league board`: print the board of a league."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from arena.cli.options import db_option
from arena.cli.output import echo
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.league.results.board import Board, BoardRow
    from arena.league.results.season_report import SeasonReport
    from arena.store import Store

SEASON_HEADERS = ("rank", "bot", "final Elo", "± 95 %", "points", "deals", "season Elo")

LINE, GAP, LEAST_ROOM = 80, 2, 12
"""Cells of a line, between two columns and around a header, and of the least room for names."""

LEFT_OUT = ("1 day", "faults")
"""The columns in whose place the names of people stand."""

HEADERS = ("rank", "bot", "Elo", "± 95 %", "1 day", "matches", "faults", "state")


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
    from tabulate import tabulate

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
    align = ("right", "left", *["right"] * 5)
    return [head, "", tabulate(rows, SEASON_HEADERS, "simple", disable_numparse=True, colalign=align)]


def _lines(board: "Board", sentence: str, names: Mapping[str, str] | None) -> list[str]:
    from tabulate import tabulate

    from arena.ratings.ranking_output import grants_text
    from arena.values.given_time import shown_time

    league = board.league
    state = "" if league.state == "open" else f", {league.state}"
    head = f"League {league.name}: {league.game}, {board.matches:,} matches in {board.results:,} batches{state}"
    headers: tuple[str, ...] = HEADERS
    rows = [_row(row) for row in board.rows]
    if _has_grants(board):
        headers = (*headers, "grants")
        rows = [(*cells, grants_text(row.entry.grants.words)) for cells, row in zip(rows, board.rows, strict=True)]
    alignment: tuple[str, ...] = (*_ALIGN, "left")[: len(headers)]
    if board.group is not None:  # with the place in the group; how far it has come is on the board of all
        head = f"{head}; group {board.group}"
        places = [place for place, header in enumerate(headers) if header != "1 day"]
        headers, alignment, *rows = [tuple(cells[place] for place in places) for cells in (headers, alignment, *rows)]
        headers, alignment = ("place", *headers), ("right", *alignment)
        among = ["-" if row.group_rank is None else str(row.group_rank) for row in board.rows]
        rows = [(place, *cells) for place, cells in zip(among, rows, strict=True)]
    if names is not None:
        places = [place for place, header in enumerate(headers) if header not in LEFT_OUT]
        headers, alignment, *rows = [tuple(cells[place] for place in places) for cells in (headers, alignment, *rows)]
        by = _fit([names.get(row.entry.owner, row.entry.owner) for row in board.rows], headers, rows)
        at = headers.index("bot") + 1
        headers, alignment = (*headers[:at], "by", *headers[at:]), (*alignment[:at], "left", *alignment[at:])
        rows = [(*cells[:at], name, *cells[at:]) for cells, name in zip(rows, by, strict=True)]
    table = tabulate(rows, headers, "simple", disable_numparse=True, colalign=alignment)
    hidden = []
    if board.hidden is not None:
        hidden = [f"This is the present board; visitors see how it stood at {shown_time(board.hidden, '')}."]
    return [head, *([sentence] if sentence else []), *hidden, "", table, *_notes(board)]


def _fit(names: Sequence[str], headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return names, cut to the room that a line has beside the other columns, but to no less than `LEAST_ROOM`.

    headers, rows: of the other columns.
    """
    from arena.values.terminal_width import cells_of, cut_to_cells

    columns = zip(headers, *rows, strict=True)
    taken = sum(max(cells_of(header) + GAP, *map(cells_of, cells)) + GAP for header, *cells in columns)
    return [cut_to_cells(name, max(LEAST_ROOM, LINE - taken)) for name in names]


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


_ALIGN = ("right", "left", "right", "right", "right", "right", "right", "left")


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
