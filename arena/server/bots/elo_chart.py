"""The chart of a bot's Elo from tournament to tournament, with error bars."""

from collections.abc import Iterator
from typing import NamedTuple

from arena.ratings import RankingRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import Element
from arena.server.bots.elo_history_cache import EloHistory
from arena.server.pages.axes import signed, ticks
from arena.server.templates import TEMPLATES

HEIGHT, STEP = 230, 60
"""Pixels: the height of the drawing, and the distance between two tournaments."""

LEFT, RIGHT, TOP, BOTTOM = 52, 8, 26, 40
"""Pixels: the margins, with room for the numbers of the scales."""

TICKS = 6
"""The largest number of lines of a scale."""

LINES = 4
"""Number of line styles; further versions repeat them."""

_elo_chart = TEMPLATES.macro("bots/elo_chart.html", "elo_chart", english=True)


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
        "Each version is rated separately. The table of tournaments above has the Elo of each tournament alone, so the "
        "numbers of both differ.",
        *([history.missing] if history.missing else []),
    ]
    return _elo_chart(sentences, _drawing(history, points), rows)


def _points(history: EloHistory, name: str) -> Iterator[tuple[int, RankingRow]]:
    """Yield the rows of a bot with the index of their tournament."""
    for index, step in enumerate(history.steps):
        if name in step.rows:
            yield index, step.rows[name]


class _Point(NamedTuple):
    """A bot at a tournament, as it is drawn, in pixels."""

    x: int
    y: float
    interval: tuple[float, float] | None
    """The lower and upper end of its bar; None where the interval is unknown."""
    words: str
    """What the point shows."""


class _Drawing(NamedTuple):
    """The drawing of the chart, in pixels."""

    width: int
    height: int
    box: tuple[int, int, int, int]
    """Where lines are drawn: left, right, top, bottom."""
    heights: list[tuple[float, str]]
    """The scale of Elo: the height of each mark, and its text."""
    tournaments: list[tuple[int, int]]
    """The scale of tournaments: where each stands, and its number."""
    lines: list[tuple[int, list[_Point]]]
    """Of each version the number of its style, and its points."""


def _drawing(history: EloHistory, points: dict[str, list[tuple[int, RankingRow]]]) -> _Drawing:
    rows = [row for drawn in points.values() for _, row in drawn]
    low = min(0.0, *(row.elo - (row.ci95 or 0) for row in rows))
    high = max(0.0, *(row.elo + (row.ci95 or 0) for row in rows))
    right = LEFT + STEP * len(history.steps)

    def y(elo: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * ((high - elo) / (high - low) if high > low else 0.5), 1)

    def point(name: str, index: int, row: RankingRow) -> _Point:
        interval = None if row.ci95 is None else (y(row.elo - row.ci95), y(row.elo + row.ci95))
        margin = "" if row.ci95 is None else f" ± {row.ci95:.1f}"
        return _Point(_x(index), y(row.elo), interval, f"{name}: Elo {elo_text(row.elo, decimals=1)}{margin}")

    return _Drawing(
        right + RIGHT,
        HEIGHT,
        (LEFT, right, TOP, HEIGHT - BOTTOM),
        [(y(mark), signed(mark)) for mark in ticks(low, high, TICKS)],
        [(_x(index), step.tournament) for index, step in enumerate(history.steps)],
        [
            (number % LINES, [point(name, index, row) for index, row in drawn])
            for number, (name, drawn) in enumerate(points.items())
        ],
    )


def _x(index: int) -> int:
    return LEFT + STEP // 2 + STEP * index
