"""The chart of the Elo of an entry, and of the other versions of its bot, over time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from arena.league.results.rating_history import RatingPoint
from arena.ratings.elo_text import elo_text
from arena.replay.html import Element, tag
from arena.server.bots.elo_chart import LINES, TICKS
from arena.server.pages.axes import grid, signed, ticks, time_ticks
from arena.server.pages.layout import table, wide

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


def rating_chart(lines: Sequence[RatingLine]) -> Element:
    """Return the chart, with its numbers as a table that can be opened."""
    drawn = [line for line in lines if line.points]
    points = [point for line in drawn for point in line.points]
    if len({point.when for point in points}) < 2:
        return tag("p", {"class": "soft"}, "The line begins when there are ratings of two moments.")
    main = [line for line in drawn if line.is_main] or drawn
    rows = [
        (point.when[:16].replace("T", " "), elo_text(point.elo, point.bound, 1),
         "-" if point.ci95 is None else f"{point.ci95:.1f}")
        for line in main
        for point in reversed(line.points)
    ]  # fmt: skip
    legend = ", ".join(f"{line.title} {style}" for line, style in zip(drawn, _styles(drawn), strict=True))
    return tag(
        "div",
        {},
        tag(
            "p",
            {"class": "soft"},
            f"With its 95 % interval; {legend}." if len(drawn) > 1 else "With its 95 % interval.",
        ),
        wide("chart: Elo over time", _drawing(drawn, points)),
        tag("details", {}, tag("summary", {}, "the numbers"), table(("time (UTC)", "Elo", "± 95 %"), rows, (1, 2))),
    )


def _styles(lines: Sequence[RatingLine]) -> list[str]:
    names = ("solid", "dashed", "dotted", "dash-dotted")
    return [names[number % LINES] for number in range(len(lines))]


def _drawing(lines: Sequence[RatingLine], points: Sequence[RatingPoint]) -> Element:
    times = [_seconds(point) for point in points]
    first, last = min(times), max(times)
    bars = [point.ci95 or 0 for point in points]
    low = min(point.elo - min(bar, WIDEST) for point, bar in zip(points, bars, strict=True))
    high = max(point.elo + min(bar, WIDEST) for point, bar in zip(points, bars, strict=True))
    if high - low < LEAST_RANGE:
        low, high = (low + high - LEAST_RANGE) / 2, (low + high + LEAST_RANGE) / 2

    def x(point: RatingPoint) -> float:
        return across(_seconds(point))

    def across(seconds: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (seconds - first) / max(last - first, 1), 1)

    def y(elo: float) -> float:
        inside = min(max(elo, low), high)
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - inside) / (high - low), 1)

    drawn = []
    for number, line in enumerate(lines):
        path = " ".join(f"{x(point)},{y(point.elo)}" for point in line.points)
        band = [point for point in line.points if point.ci95 is not None] if line.is_main else []
        upper = [f"{x(point)},{y(point.elo + (point.ci95 or 0))}" for point in band]
        lower = [f"{x(point)},{y(point.elo - (point.ci95 or 0))}" for point in reversed(band)]
        end = line.points[-1]
        drawn.append(
            tag(
                "g",
                {"class": f"version-{number % LINES}"},
                tag("title", {}, line.title),
                tag("polygon", {"points": " ".join(upper + lower)}) if band else None,
                tag("polyline", {"points": path}),
                tag("circle", {"class": "elo", "cx": x(end), "cy": y(end.elo), "r": 3.5}),
            )
        )
    return tag(
        "svg",
        {"class": "elo-chart", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT, "role": "img",
         "aria-label": "Elo over time; the table below has the numbers"},
        grid([(y(mark), signed(mark)) for mark in ticks(low, high, TICKS)], LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM),
        tag("text", {"class": "last", "x": LEFT - 6, "y": 14}, "Elo"),
        [
            (
                tag("line", {"class": "tick", "x1": across(at), "x2": across(at), "y1": HEIGHT - BOTTOM,
                             "y2": HEIGHT - BOTTOM + 5}),
                tag("text", {"class": "at", "x": across(at), "y": HEIGHT - 20}, words),
            )
            for at, words in time_ticks(first, last, MOMENTS)
        ],
        tag("text", {"class": "at", "x": (LEFT + WIDTH - RIGHT) / 2, "y": HEIGHT - 4}, "time (UTC)"),
        drawn,
    )  # fmt: skip


def _seconds(point: RatingPoint) -> float:
    return datetime.fromisoformat(point.when).timestamp()
