"""Elo after each tournament, as text, JSON values and CSV."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.ratings.elo_text import elo_text
from arena.ratings.ranking import Ranking, RankingRow
from arena.ratings.ranking_output import as_csv
from arena.values.text_table import Column, TextTable, text_column


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """The ranking of all results up to the end of a tournament."""

    tournament: int
    began: str
    """When the tournament began, in UTC as ISO 8601."""
    ranking: Ranking

    @property
    def rows(self) -> dict[str, RankingRow]:
        """The rows by bot."""
        return {row.bot: row for row in self.ranking.rows}


def history_text(entries: Sequence[HistoryEntry], form: str = "text", width: int | None = None) -> str:
    """Return a line for each bot of the last ranking and a column for each tournament."""
    rankings = [entry.rows for entry in entries]
    lines = [[bot, *(_elo(rows.get(bot)) for rows in rankings)] for bot in rankings[-1]]
    columns = [text_column("bot"), *(Column(f"{entry.tournament} {entry.began[:10]}") for entry in entries)]
    notes = ["Elo of all results until the end of that tournament, with its 95 % bar.", *entries[-1].ranking.notes]
    return TextTable(columns, lines, notes, heads=1).render(form, width)


def _elo(row: RankingRow | None) -> str:
    if row is None:
        return "-"
    bar = "" if row.ci95 is None else f" ± {row.ci95:.1f}"
    return f"{elo_text(row.elo, row.bound, 1)}{bar}"


def history_json(entries: Sequence[HistoryEntry]) -> list[dict[str, Any]]:
    """Return an object for each tournament, with the Elo and bar of each bot that had played by its end."""
    return [
        {
            "tournament": entry.tournament,
            "began": entry.began,
            "matches": entry.ranking.matches,
            "bots": {
                row.bot: {"elo": round(row.elo, 2), "bound": row.bound, "bar": _rounded(row.ci95)}
                for row in entry.ranking.rows
            },
        }
        for entry in entries
    ]


def history_csv(entries: Sequence[HistoryEntry]) -> str:
    """Return a line for each tournament and bot: tournament, began, bot, elo, bound, bar."""
    lines = [
        [entry.tournament, entry.began, row.bot, round(row.elo, 2), row.bound, _rounded(row.ci95)]
        for entry in entries
        for row in entry.ranking.rows
    ]
    return as_csv([["tournament", "began", "bot", "elo", "bound", "bar"], *lines])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
