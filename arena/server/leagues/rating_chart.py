"""The chart of the Elo of an entry, and of the other versions of its bot, over time: where its lines run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from arena.language.messages import gettext as _
from arena.league.results.rating_history import RatingPoint
from arena.server.bots.elo_chart import LINES, TICKS
from arena.server.pages.axes import signed, ticks, time_ticks

WIDTH, HEIGHT = 720, 240
"""Pixels: the size of the drawing."""

LEFT, RIGHT, TOP, BOTTOM = 52, 24, 26, 40
"""Pixels: the margins, with room for the numbers of the scales."""

MOMENTS = 7
"""The largest number of moments on the scale of time."""

LEAST_RANGE = 40.0
"""Elo that the chart spans at least."""

WIDEST = 150.0
"""Elo: the range of the chart has room for intervals up to this on each side."""


class RatingLine(NamedTuple):
    """The Elo of a version over time."""

    title: str
    points: Sequence[RatingPoint]
    is_main: bool
    """Whether the page is about this version."""


class DrawnLine(NamedTuple):
    """A line as it is drawn, in pixels."""

    title: str
    style: int
    """The number of its style."""
    points: Sequence[str]
    band: Sequence[str]
    """The points around its interval; none where that is not drawn."""
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class RatingChart:
    """The chart."""

    lines: Sequence[DrawnLine]
    legend: str
    """Which line is which; empty where there is only one."""
    heights: Sequence[tuple[float, str]]
    """The scale of Elo: the height of each mark in pixels, and its text."""
    moments: Sequence[tuple[float, str]]
    """The scale of time: where each mark stands, and its text."""
    width: int = WIDTH
    height: int = HEIGHT
    box: tuple[int, int, int, int] = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM)
    """Where lines are drawn: left, right, top, bottom."""


def rating_chart(lines: Sequence[RatingLine]) -> RatingChart | None:
    """Return the chart; None while there are no ratings of two moments."""
    drawn = [line for line in lines if line.points]
    points = [point for line in drawn for point in line.points]
    if len({point.when for point in points}) < 2:
        return None
    names = _("solid"), _("dashed"), _("dotted"), _("dash-dotted")
    legend = ", ".join(f"{line.title} {names[number % LINES]}" for number, line in enumerate(drawn))
    times = [_seconds(point) for point in points]
    first, last = min(times), max(times)
    bars = [min(point.ci95 or 0, WIDEST) for point in points]
    low = min(point.elo - bar for point, bar in zip(points, bars, strict=True))
    high = max(point.elo + bar for point, bar in zip(points, bars, strict=True))
    if high - low < LEAST_RANGE:
        low, high = (low + high - LEAST_RANGE) / 2, (low + high + LEAST_RANGE) / 2

    def x(seconds: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (seconds - first) / max(last - first, 1), 1)

    def y(elo: float) -> float:
        inside = min(max(elo, low), high)
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - inside) / (high - low), 1)

    def at(point: RatingPoint, by: float = 0.0) -> str:
        return f"{x(_seconds(point))},{y(point.elo + by)}"

    def draw(number: int, line: RatingLine) -> DrawnLine:
        band = [point for point in line.points if point.ci95 is not None] if line.is_main else []
        upper = [at(point, point.ci95 or 0) for point in band]
        lower = [at(point, -(point.ci95 or 0)) for point in reversed(band)]
        end = line.points[-1]
        return DrawnLine(
            line.title, number % LINES, [at(point) for point in line.points], upper + lower,
            (x(_seconds(end)), y(end.elo)),
        )  # fmt: skip

    return RatingChart(
        [draw(number, line) for number, line in enumerate(drawn)],
        legend if len(drawn) > 1 else "",
        [(y(mark), signed(mark)) for mark in ticks(low, high, TICKS)],
        [(x(moment), words) for moment, words in time_ticks(first, last, MOMENTS)],
    )


def _seconds(point: RatingPoint) -> float:
    return datetime.fromisoformat(point.when).timestamp()
