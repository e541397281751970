"""The crosstable, the results by seat and the seat advantages, as text, JSON values and CSV."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from arena.ratings.crosstable import Crosstable, SeatResults
from arena.ratings.elo_text import elo_text
from arena.ratings.ranking_output import as_csv
from arena.ratings.seat_advantage import SeatAdvantage
from arena.values.text_table import Column, TextTable, text_column


def crosstable_text(table: Crosstable, form: str = "text", width: int | None = None) -> str:
    """Return the points of each bot against each other in per cent, with the meetings; columns numbered as rows."""
    lines = [
        [
            number,
            bot,
            *(_percentage(table, number - 1, column) for column in range(len(table.bots))),
            f"{table.meetings[number - 1].sum():g}",
        ]
        for number, bot in enumerate(table.bots, start=1)
    ]
    columns = [Column(""), text_column("against"), *map(Column, map(str, range(1, len(lines) + 1))), Column("meetings")]
    legend = "Points in % of the bot of the row against that of the column (1 for a better rank, a half for a tie)."
    return TextTable(columns, lines, [legend], heads=2).render(form, width)


def _percentage(table: Crosstable, row: int, column: int) -> str:
    meetings = table.meetings[row, column]
    return "-" if row == column or not meetings else f"{100 * table.points[row, column] / meetings:.1f}"


def crosstable_json(table: Crosstable) -> dict[str, Any]:
    """Return bots, points and meetings, as matrices in the order of the bots."""
    return {
        "bots": list(table.bots),
        "points": np.round(table.points, 6).tolist(),
        "meetings": np.round(table.meetings, 6).tolist(),
    }


def crosstable_csv(table: Crosstable) -> str:
    """Return a line for each pair that met: bot, opponent, points, meetings."""
    numbers = range(len(table.bots))
    met = [(one, other) for one in numbers for other in numbers if one != other and table.meetings[one, other]]
    lines = [
        [table.bots[one], table.bots[other], f"{table.points[one, other]:g}", f"{table.meetings[one, other]:g}"]
        for one, other in met
    ]
    return as_csv([["bot", "opponent", "points", "meetings"], *lines])


def seats_text(
    table: SeatResults, advantages: Sequence[SeatAdvantage], form: str = "text", width: int | None = None
) -> str:
    """Return the mean place and score of each bot in each seat and, below, the seat advantages."""
    seats = range(table.matches.shape[1])
    lines = [
        [bot, *(f"{table.place[row, seat]:.2f} ({table.score[row, seat]:.2f})" for seat in seats)]
        for row, bot in enumerate(table.bots)
    ]
    if advantages:
        lines.append(["worth (Elo)", *(_advantage_text(advantage) for advantage in advantages)])
    notes = ["Mean place, and in brackets the mean score, of each bot in each seat."]
    if advantages:
        notes.append(
            "Worth: how much better any bot does in the seat than in the mean of all seats, with its 95 % bar."
        )
    columns = [text_column("bot"), *(Column(f"seat {seat}") for seat in seats)]
    return TextTable(columns, lines, notes, heads=1).render(form, width)


def _advantage_text(advantage: SeatAdvantage) -> str:
    bar = "" if advantage.ci95 is None else f" ± {advantage.ci95:.1f}"
    return f"{elo_text(advantage.elo, decimals=1)}{bar}"


def seats_json(table: SeatResults, advantages: Sequence[SeatAdvantage]) -> dict[str, Any]:
    """Return bots, matches, scores and places by seat, null if a bot never held it, and the seat advantages."""
    return {
        "bots": list(table.bots),
        "matches": table.matches.tolist(),
        "scores": [[_rounded(value) for value in line] for line in table.score],
        "places": [[_rounded(value) for value in line] for line in table.place],
        "worth": [
            {
                "seat": advantage.seat,
                "elo": round(advantage.elo, 2),
                "bar": None if advantage.ci95 is None else round(advantage.ci95, 2),
            }
            for advantage in advantages
        ],
    }


def seats_csv(table: SeatResults) -> str:
    """Return a line for each bot and seat: bot, seat, matches, score, place."""
    lines = [
        [bot, seat, table.matches[row, seat], _rounded(table.score[row, seat]), _rounded(table.place[row, seat])]
        for row, bot in enumerate(table.bots)
        for seat in range(table.matches.shape[1])
    ]
    return as_csv([["bot", "seat", "matches", "score", "place"], *lines])


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)
