"""The table of a ranking, with error bars."""

from collections.abc import Mapping, Sequence
from functools import partial

from arena.ratings import BotStats, Ranking, RankingRow
from arena.ratings.elo_text import UNSEPARATED, elo_text, rank_text
from arena.ratings.ranking_output import GRANTS_LEGEND, grants_text
from arena.replay.html import Child, Element, tag
from arena.server.pages.axes import signed, tick, ticks
from arena.server.pages.layout import bot_link, count, table

WIDTH, HEIGHT = 240, 18
"""Size of the drawing of one error bar, in pixels."""

HEADERS = (
    *("rank", "bot", "Elo", "± 95 %", "", "score", "± 95 %", "mean place", "matches"),
    *("faults", "process failures", "ms per move", "grants", "report"),
)
NUMBERS = (0, 2, 3, 5, 6, 7, 8, 11)
FAILURES = HEADERS.index("process failures")
BARS = HEADERS.index("")
GRANTS = HEADERS.index("grants")
REPORT = HEADERS.index("report")

Links = Sequence[tuple[str, str]]
"""Links, each with address and text."""


def ranking(ranked: Ranking, conduct: Mapping[str, BotStats], reports: Mapping[str, Links] = {}) -> Element:
    """Return the ranking as a table, with its notes below.

    reports: of packages, by the name of the bot.
    """
    unsure = any(row.separated is False for row in ranked.rows)
    notes = [UNSEPARATED] if unsure else []
    notes += [GRANTS_LEGEND] if _has_grants(ranked.rows, conduct) else []
    return tag(
        "div",
        {"id": "ranking"},
        ranking_table(ranked, ranked.rows, conduct, reports),
        [tag("p", {"class": "soft"}, note) for note in (*notes, *ranked.notes)],
    )


def ranking_table(
    ranked: Ranking, shown: Sequence[RankingRow], conduct: Mapping[str, BotStats], reports: Mapping[str, Links] = {}
) -> Element:
    """Return some rows of a ranking as a table. The intervals are drawn on a scale on which all rows have room.

    reports: as in `ranking`.
    """
    low = min((row.elo - (row.ci95 or 0) for row in ranked.rows), default=0)
    high = max((row.elo + (row.ci95 or 0) for row in ranked.rows), default=0)
    rows = [
        (*_row(row, conduct.get(row.bot, BotStats()), low, high), _reports(row.bot, reports.get(row.bot, ())))
        for row in shown
    ]
    failed = any(any(stats.process_failures.values()) for stats in conduct.values())
    # Without process failures, as almost always, their column is left out.
    granted = _has_grants(ranked.rows, conduct)
    absent = ((FAILURES, failed), (GRANTS, granted), (REPORT, reports))
    left_out = {column for column, is_shown in absent if not is_shown}
    columns = [column for column in range(len(HEADERS)) if column not in left_out]
    headers = [elo_scale(low, high) if column == BARS else HEADERS[column] for column in columns]
    return table(
        headers,
        [[row[column] for column in columns] for row in rows],
        [place for place, column in enumerate(columns) if column in NUMBERS],
        sortable=True,
    )


def _has_grants(rows: Sequence[RankingRow], conduct: Mapping[str, BotStats]) -> bool:
    return any(row.bot in conduct and conduct[row.bot].grants for row in rows)


def _row(row: RankingRow, stats: BotStats, low: float, high: float) -> tuple[Element | str | int, ...]:
    return (
        rank_text(row.rank, row.separated),
        bot_link(row.bot),
        elo_text(row.elo, row.bound, 1),
        "-" if row.ci95 is None else f"{row.ci95:.1f}",
        elo_bar(row.elo, row.ci95, low, high),
        f"{row.score:.2f}",
        "-" if row.score_ci95 is None else f"{row.score_ci95:.2f}",
        f"{row.expected_place:.2f}",
        count(row.matches),
        _counts(stats.faults),
        _counts(stats.process_failures),
        "-" if stats.ms_per_decision is None else f"{stats.ms_per_decision:.2f}",
        grants_text(stats.grants),
    )


def _reports(bot: str, links: Links) -> Child:
    """Return links to the reports on a bot."""
    shown = [
        tag("a", {"class": "report", "href": address, "aria-label": f"{text}: {bot}"}, text) for address, text in links
    ]
    return shown or "-"


def _counts(kinds: Mapping[str, int]) -> Element | str:
    """Return how many there are of each kind, to be sorted by how many there are in all."""
    words = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
    return tag("span", {"data-sort": sum(kinds.values())}, words) if words else "-"


def elo_bar(elo: float, ci95: float | None, low: float, high: float, width: int = WIDTH) -> Element:
    """Draw an Elo and its 95 % interval on a scale from `low` to `high`; what lies beyond is drawn at its edge.

    width: of the drawing, in pixels.
    """
    x = partial(_across, low=low, high=high, width=width)
    middle, y = x(elo), HEIGHT / 2
    interval = []
    if ci95 is not None:
        left, right = x(elo - ci95), x(elo + ci95)
        interval = [tag("line", {"class": "interval", "x1": left, "x2": right, "y1": y, "y2": y})]
        interval += [
            tag("line", {"class": "end", "x1": at, "x2": at, "y1": y - 4, "y2": y + 4}) for at in (left, right)
        ]
    zero = [tag("line", {"class": "zero", "x1": x(0), "x2": x(0), "y1": 0, "y2": HEIGHT})] if low <= 0 <= high else []
    words = f"Elo {elo_text(elo, decimals=1)}" + ("" if ci95 is None else f" ± {ci95:.1f}")
    return tag(
        "svg",
        {"class": "elo-bar", "viewBox": f"0 0 {width} {HEIGHT}", "width": width, "height": HEIGHT, "role": "img",
         "aria-label": words},
        zero,
        interval,
        tag("circle", {"class": "elo", "cx": middle, "cy": y, "r": 4}),
    )  # fmt: skip


def elo_scale(low: float, high: float, width: int = WIDTH) -> Element:
    """Draw the scale of the bars of a column: ticks with their Elo. Parameters as in `elo_bar`."""
    marks = ticks(low, high, 4)
    x = partial(_across, low=low, high=high, width=width)
    return tag(
        "svg",
        {"class": "elo-bar elo-scale", "viewBox": f"0 0 {width} {HEIGHT}", "width": width, "height": HEIGHT,
         "role": "img", "aria-label": "scale of Elo: " + ", ".join(map(signed, marks))},
        [tick(x(mark), HEIGHT, signed(mark), width) for mark in marks],
    )  # fmt: skip


def _across(elo: float, low: float, high: float, width: int) -> float:
    """Return where an Elo stands in a drawing, in pixels from its left."""
    inside = min(max(elo, low), high)
    return round(8 + (width - 16) * ((inside - low) / (high - low) if high > low else 0.5), 1)
