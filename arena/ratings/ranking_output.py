"""The ranking and the matrix of likelihoods of superiority, as text, JSON values and CSV."""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from arena.ratings.elo_text import UNSEPARATED, elo_text
from arena.ratings.multiple_testing import ALPHA
from arena.ratings.ranking import Ranking, RankingRow
from arena.values.result import BotStats
from arena.values.text_table import Column, TextTable, text_column
from arena.values.texts import csv_value

_NO_STATS = BotStats()


def ranking_json(table: Ranking, stats: Mapping[str, BotStats] = {}) -> list[dict[str, Any]]:
    """Return one JSON-able object per bot; Elo and bars to 0.01, scores and places to 0.0001, unknown numbers None."""
    return [_entry(row, stats.get(row.bot, _NO_STATS)) for row in table.rows]


def _entry(row: RankingRow, stats: BotStats) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "bot": row.bot,
        "elo": round(row.elo, 2),
        "bound": row.bound,
        "bar": _rounded(row.ci95, 2),
        "bar_by_set": _rounded(row.ci95_by_set, 2),
        "separated": row.separated,
        "group": row.group,
        "score": round(row.score, 4),
        "score_bar": _rounded(row.score_ci95, 4),
        "expected_place": round(row.expected_place, 4),
        "matches": row.matches,
        "deals": row.deals,
        "faults": dict(sorted(stats.faults.items())),
        "ms_per_decision": _rounded(stats.ms_per_decision, 4),
        "ms_waited": _rounded(stats.ms_waited, 4),
        "process_failures": dict(sorted(stats.process_failures.items())),
        "grants": list(stats.grants),
        "clock": stats.clock,
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def ranking_csv(table: Ranking, stats: Mapping[str, BotStats] = {}) -> str:
    """Return `ranking_json` as CSV with a heading.

    Faults are written as "crash=1 timeout=3", grants with blanks between them; unknown numbers are empty.
    """
    count_columns = ("faults", "process_failures")
    entries = [
        entry | {name: _join_counts(entry[name], "=") for name in count_columns} | {"grants": " ".join(entry["grants"])}
        for entry in ranking_json(table, stats)
    ]
    return as_csv([_entry_names(), *(entry.values() for entry in entries)])


def _entry_names() -> list[str]:
    return list(_entry(RankingRow(1, "", 0.0, "", None, 0.0, None, 1.0, 0, 0, 0, None), _NO_STATS))


def ranking_text(
    table: Ranking, stats: Mapping[str, BotStats] = {}, form: str = "text", width: int | None = None
) -> str:
    """Return the ranking as a table for people, with its notes below.

    form, width: as for `TextTable.render`.
    """
    has_failures = any(any(bot_stats.process_failures.values()) for bot_stats in stats.values())
    has_waits = any(bot_stats.ms_waited is not None for bot_stats in stats.values())
    has_grants = any(row.bot in stats and stats[row.bot].grants for row in table.rows)
    odds = has_odds(table.rows, stats)
    columns = [
        Column("rank"),
        text_column("bot"),
        Column(ELO_WITH_ODDS if odds else "Elo"),
        Column(BY_OPENING if table.by_set else "± 95 %"),
        *([Column(table.by_set, drop=10)] if table.by_set else []),
        Column("score", drop=6),
        Column("± 95 %", drop=3),
        Column("expected place", drop=2),
        Column("matches", drop=7),
        text_column("faults"),
        *([text_column("process failures", drop=5)] if has_failures else []),
        Column("ms/decision", drop=4),
        *([Column("ms waited", drop=1)] if has_waits else []),
        *([text_column("grants", drop=8)] if has_grants else []),
        *([text_column("clock", drop=9)] if odds else []),
    ]
    lines = []
    for row in table.rows:
        bot_stats = stats.get(row.bot, _NO_STATS)
        lines.append(
            [
                f"{'≈' if row.separated is False else ''}{row.rank}",
                row.bot,
                elo_text(row.elo, row.bound, 1),
                _fixed(row.ci95, 1),
                *([_fixed(row.ci95_by_set, 1)] if table.by_set else []),
                f"{row.score:.2f}",
                _fixed(row.score_ci95, 2),
                f"{row.expected_place:.2f}",
                row.matches,
                _counts_text(bot_stats.faults),
                *([_counts_text(bot_stats.process_failures)] if has_failures else []),
                _fixed(bot_stats.ms_per_decision, 2),
                *([_fixed(bot_stats.ms_waited, 2)] if has_waits else []),
                *([grants_text(bot_stats.grants)] if has_grants else []),
                *([bot_stats.clock] if odds else []),
            ]
        )
    notes = list(table.notes)
    if table.tie is not None:
        tie_rate = 100 * table.tie / (2 + table.tie)
        notes.insert(
            0, f"Ties have a parameter of their own (Davidson), {table.tie:.3f}: two equal bots tie {tie_rate:.1f} %."
        )
    if any(row.separated is False for row in table.rows):
        notes.insert(0, UNSEPARATED)
    if has_grants:
        notes.append(GRANTS_LEGEND)
    if odds:
        notes.append(ODDS_LEGEND)
    return TextTable(columns, lines, notes).render(form, width)


GRANTS_LEGEND = "grants: what the organiser gave single bots beyond others; with the network a bot may think elsewhere."
"""Explains the column of grants."""


BY_OPENING = "± by opening"
"""The heading of bars where several sets begin from an opening, beside those by set."""

ELO_WITH_ODDS = "Elo with time odds"
"""The heading of Elo where bots have different clocks."""

ODDS_LEGEND = (
    "time odds: the organiser gave bots different clocks, so Elo is that of each bot with its clock (a bank + its "
    "increment, or a move time and a bank)."
)
"""Explains Elo with odds."""


def has_odds(rows: Iterable[RankingRow], stats: Mapping[str, BotStats]) -> bool:
    """Return whether bots of a ranking have different clocks."""
    return any(row.bot in stats and stats[row.bot].clock for row in rows)


def grants_text(grants: Iterable[str]) -> str:
    """Return grants as a cell of a table."""
    return ", ".join(grants) or "-"


def _counts_text(kinds: Mapping[str, int]) -> str:
    return _join_counts(dict(sorted(kinds.items())), " ", ", ") or "-"


def _join_counts(faults: Mapping[str, int], link: str, separator: str = " ") -> str:
    return separator.join(f"{kind}{link}{number}" for kind, number in faults.items() if number)


def _fixed(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def los_json(table: Ranking) -> dict[str, Any]:
    """Return the bots in the order of the ranking, and matrices: null if unknown and on the diagonal.

    los: probabilities of superiority. los_adjusted: two-sided p-values, adjusted for the number of pairs (Holm).
    superior: whether the bot of the row is better, with a familywise error of 5 % over all pairs.
    """
    return {
        "bots": [row.bot for row in table.rows],
        "los": [[_probability(value) for value in line] for line in table.los],
        "los_adjusted": [[_probability(value) for value in line] for line in table.adjusted],
        "superior": table.superior.tolist(),
    }


def _probability(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)


def los_csv(table: Ranking) -> str:
    """Return the matrix as CSV: a heading with the bots, then one line per bot."""
    bots = [row.bot for row in table.rows]
    lines = ([bot, *map(_probability, line)] for bot, line in zip(bots, table.los, strict=True))
    return as_csv([["bot", *bots], *lines])


def los_text(table: Ranking, form: str = "text", width: int | None = None) -> str:
    """Return the matrix in per cent for people; columns are numbered as the rows."""
    superior = table.superior
    lines = [
        [
            number,
            row.bot,
            *(
                "-" if number - 1 == column else per_cent(value) + ("*" if superior[number - 1, column] else "")
                for column, value in enumerate(line)
            ),
        ]
        for number, (row, line) in enumerate(zip(table.rows, table.los, strict=True), start=1)
    ]
    columns = [Column(""), text_column("better than"), *map(Column, map(str, range(1, len(lines) + 1)))]
    legend = []
    if lines:
        legend = [
            "Probability in % that the bot of the row is better than that of the column, for each pair by itself.",
            f"* better, with {100 * (1 - ALPHA):g} % confidence that this holds of all marked pairs together (Holm).",
        ]
    return TextTable(columns, lines, [*legend, *table.notes], heads=2).render(form, width)


def per_cent(value: float) -> str:
    """Return a probability to 0.1 %, never rounded up to certainty."""
    if np.isnan(value):
        return "?"
    return "<0.1" if value < 0.001 else ">99.9" if value > 0.999 else f"{100 * value:.1f}"


def as_csv(lines: Iterable[Iterable[Any]]) -> str:
    """Return lines of values as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(csv_value, line) for line in lines)
    return text.getvalue()
