"""A ranking as an HTML table for notebooks, which have no style sheet of ours: with its intervals drawn."""

from collections.abc import Mapping, Sequence

from arena.ratings import BotStats, Ranking, RankingRow
from arena.ratings.elo_text import UNSEPARATED, elo_text, rank_text
from arena.ratings.ranking_output import ELO_WITH_ODDS, GRANTS_LEGEND, ODDS_LEGEND, grants_text, has_odds
from arena.replay.html import Element, tag

_WIDTH, _HEIGHT, _MARGIN = 200, 16, 6
"""Of the drawing of an interval, in pixels."""

_HEADERS = ("rank", "bot", "Elo", "± 95 %", "", "score", "± 95 %", "expected place", "matches", "faults", "ms/decision")
_TEXTS = (1, 9, 11, 12)
"""The columns that are not numbers; the last are those of grants and clocks, if any bot has one of its own."""


def ranking_html(ranking: Ranking, stats: Mapping[str, BotStats]) -> str:
    """Return the table with the notes below it.

    stats: how the bots behaved, by name.
    """
    low = min((row.elo - (row.ci95 or 0) for row in ranking.rows), default=0.0)
    high = max((row.elo + (row.ci95 or 0) for row in ranking.rows), default=0.0)
    has_grants = any(row.bot in stats and stats[row.bot].grants for row in ranking.rows)
    odds = has_odds(ranking.rows, stats)
    lines = [_line(row, stats.get(row.bot, BotStats()), low, high, has_grants, odds) for row in ranking.rows]
    notes = [UNSEPARATED] if any(row.separated is False for row in ranking.rows) else []
    notes += [*ranking.notes, *([GRANTS_LEGEND] if has_grants else []), *([ODDS_LEGEND] if odds else [])]
    headers = [ELO_WITH_ODDS if odds and header == "Elo" else header for header in _HEADERS]
    headers += [*(["grants"] if has_grants else []), *(["clock"] if odds else [])]
    table = tag("table", {}, tag("thead", {}, _cells("th", headers)), tag("tbody", {}, lines))
    return "".join(map(str, [table, *(tag("p", {}, note) for note in notes)]))


def _line(row: RankingRow, stats: BotStats, low: float, high: float, has_grants: bool, odds: bool) -> Element:
    faults = ", ".join(f"{kind} {number}" for kind, number in sorted(stats.faults.items()) if number)
    return _cells(
        "td",
        (
            rank_text(row.rank, row.separated),
            row.bot,
            elo_text(row.elo, row.bound, 1),
            _fixed(row.ci95, 1),
            _interval(row, low, high),
            f"{row.score:.2f}",
            _fixed(row.score_ci95, 2),
            f"{row.expected_place:.2f}",
            f"{row.matches:,}",
            faults or "-",
            _fixed(stats.ms_per_decision, 2),
            *([grants_text(stats.grants)] if has_grants else []),
            *([stats.clock] if odds else []),
        ),
    )


def _cells(name: str, values: Sequence[Element | str]) -> Element:
    """Return a line of the table.

    name: the name of the elements of its cells.
    """
    return tag(
        "tr",
        {},
        [
            tag(name, {"style": f"text-align: {'left' if column in _TEXTS else 'right'}"}, value)
            for column, value in enumerate(values)
        ],
    )


def _interval(row: RankingRow, low: float, high: float) -> Element:
    """Draw an Elo and its 95 % interval on a scale from `low` to `high`, in the colour of the text around it."""
    scale = (_WIDTH - 2 * _MARGIN) / ((high - low) or 1)

    def x(elo: float) -> float:
        return round(_MARGIN + (elo - low) * scale, 1)

    middle = _HEIGHT / 2
    drawn = []
    if row.ci95 is not None:
        left, right = x(row.elo - row.ci95), x(row.elo + row.ci95)
        drawn.append(tag("path", {"d": f"M{left} {middle}H{right}M{left} 4V12M{right} 4V12", "stroke": "currentColor"}))
    drawn.append(tag("circle", {"cx": x(row.elo), "cy": middle, "r": 3.5, "fill": "currentColor"}))
    words = f"Elo {elo_text(row.elo, decimals=1)}" + ("" if row.ci95 is None else f" ± {row.ci95:.1f}")
    return tag("svg", {"width": _WIDTH, "height": _HEIGHT, "role": "img", "aria-label": words}, drawn)


def _fixed(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
