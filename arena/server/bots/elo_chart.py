"""The chart of a bot's Elo from tournament to tournament, with error bars."""

from collections.abc import Callable, Iterator

from arena.ratings import RankingRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import Element, tag
from arena.server.bots.elo_history_cache import EloHistory
from arena.server.pages.axes import grid, signed, ticks
from arena.server.templates import TEMPLATES

HEIGHT, STEP = 230, 60
"""Pixels: the height of the drawing, and the distance between two tournaments."""

LEFT, RIGHT, TOP, BOTTOM = 52, 8, 26, 40
"""Pixels: the margins, with room for the numbers of the scales."""

TICKS = 6
"""The largest number of lines of a scale."""

LINES = 4
"""Number of line styles; further versions repeat them."""

_elo_chart = TEMPLATES.macro("bots/elo_chart.html", "elo_chart")


def elo_chart(history: EloHistory | str) -> Element:
    """Return the chart and its numbers as a table, or the sentence that says why there is none."""
    if isinstance(history, str):
        return _elo_chart([history])
    points = {name: list(_points(history, name)) for name in history.names}
    rows = [
        (
            step.tournament,
            step.began[:10],
            name,
            elo_text(row.elo, row.bound, 1),
            "-" if row.ci95 is None else f"{row.ci95:.1f}",
        )
        for number, step in enumerate(history.steps)
        for name, drawn in points.items()
        for index, row in drawn
        if index == number
    ]
    sentences = [
        f"{history.game}: Elo from all results up to the end of each tournament, with 95 % intervals, from the "
        f"newest {len(history.steps)} finished tournaments of this bot with equal options and rules. "
        "Each version is rated separately.",
        *([history.missing] if history.missing else []),
    ]
    return _elo_chart(sentences, _drawing(history, points), rows)


def _points(history: EloHistory, name: str) -> Iterator[tuple[int, RankingRow]]:
    """Yield the rows of a bot with the index of their tournament."""
    for index, step in enumerate(history.steps):
        if name in step.rows:
            yield index, step.rows[name]


def _drawing(history: EloHistory, points: dict[str, list[tuple[int, RankingRow]]]) -> Element:
    rows = [row for drawn in points.values() for _, row in drawn]
    low = min(0.0, *(row.elo - (row.ci95 or 0) for row in rows))
    high = max(0.0, *(row.elo + (row.ci95 or 0) for row in rows))
    right = LEFT + STEP * len(history.steps)

    def y(elo: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * ((high - elo) / (high - low) if high > low else 0.5), 1)

    return tag(
        "svg",
        {"class": "elo-chart", "viewBox": f"0 0 {right + RIGHT} {HEIGHT}", "width": right + RIGHT, "height": HEIGHT,
         "role": "img", "aria-label": f"Elo over {len(history.steps)} tournaments; the table below has the numbers"},
        grid([(y(mark), signed(mark)) for mark in ticks(low, high, TICKS)], LEFT, right, TOP, HEIGHT - BOTTOM),
        tag("text", {"class": "last", "x": LEFT - 6, "y": 14}, "Elo"),
        [
            tag("text", {"class": "at", "x": _x(index), "y": HEIGHT - 20}, step.tournament)
            for index, step in enumerate(history.steps)
        ],
        tag("text", {"class": "at", "x": (LEFT + right) / 2, "y": HEIGHT - 4}, "tournament"),
        [_version(name, number % LINES, drawn, y) for number, (name, drawn) in enumerate(points.items())],
    )  # fmt: skip


def _margin(ci95: float | None) -> str:
    """Write the half width of an interval, to follow the Elo."""
    return "" if ci95 is None else f" ± {ci95:.1f}"


def _version(name: str, style: int, drawn: list[tuple[int, RankingRow]], y: Callable[[float], float]) -> Element:
    """Draw one version: its line, and each of its points with its bar."""
    path = " ".join(f"{_x(index)},{y(row.elo)}" for index, row in drawn)
    return tag(
        "g",
        {"class": f"version-{style}"},
        tag("polyline", {"points": path}),
        [
            tag(
                "g",
                {},
                tag("title", {}, f"{name}: Elo {elo_text(row.elo, decimals=1)}{_margin(row.ci95)}"),
                None
                if row.ci95 is None
                else tag(
                    "line",
                    {"class": "interval", "x1": _x(index), "x2": _x(index), "y1": y(row.elo - row.ci95),
                     "y2": y(row.elo + row.ci95)},
                ),
                tag("circle", {"class": "elo", "cx": _x(index), "cy": y(row.elo), "r": 4}),
            )
            for index, row in drawn
        ],
    )  # fmt: skip


def _x(index: int) -> int:
    return LEFT + STEP // 2 + STEP * index
