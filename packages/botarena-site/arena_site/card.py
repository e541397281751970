"""The preview picture of a tournament: its first bots with their Elo and 95 % intervals, as SVG and PNG.

It is drawn once, as rectangles and lines of text, and written in both forms without a browser.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.ratings import Ranking, RankingRow
from arena.ratings.elo_text import elo_text
from arena.replay.html import tag
from arena.server.pages.axes import signed, ticks

WIDTH, HEIGHT = 1200, 630
"""Pixels: the size that messengers show whole."""

MOST = 5
"""The largest number of bots on the picture."""

MARGIN, TOP, ROW = 72, 232, 64
"""Pixels: the margin, the top of the first row, and the height of a row."""

BAR_LEFT, BAR_RIGHT = 720, WIDTH - MARGIN
"""Pixels: the ends of the scale of Elo."""

TICKS = 5
"""The largest number of lines of the scale."""

LETTER = 0.56
"""About the width of a letter, in parts of the size of its font."""

PAPER, INK, SOFT, LINE, ACCENT, BAND = "#f6f5f1", "#1d232b", "#5a6472", "#dcdad2", "#1f6f54", "#a3c6b8"


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle, in pixels."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text."""

    x: float
    """Where its left end is or, with `right`, its right end."""
    y: float
    """Where its baseline is."""
    text: str
    size: float
    """The size of the letters, in pixels."""
    fill: str
    right: bool = False


Shape = Rectangle | Words


def card(title: str, subtitle: str, ranked: Ranking) -> list[Shape]:
    """Return the shapes of the picture, from back to front."""
    rows = ranked.rows[:MOST]
    shapes: list[Shape] = [
        Rectangle(0, 0, WIDTH, HEIGHT, PAPER),
        Rectangle(0, 0, WIDTH, 16, ACCENT),
        Words(MARGIN, 112, _fitting(title, 60, WIDTH - 2 * MARGIN), 60, INK),
        Words(MARGIN, 166, _fitting(subtitle, 30, WIDTH - 2 * MARGIN), 30, SOFT),
    ]
    shapes += _scale(rows)
    for number, row in enumerate(rows):
        shapes += _row(row, TOP + ROW * number, rows)
    if len(ranked.rows) > MOST:
        more = f"and {len(ranked.rows) - MOST} more"
        shapes.append(Words(MARGIN, TOP + ROW * MOST + 8, more, 24, SOFT))
    return shapes


def _range(rows: Sequence[RankingRow]) -> tuple[float, float]:
    low = min((row.elo - (row.ci95 or 0) for row in rows), default=0.0)
    high = max((row.elo + (row.ci95 or 0) for row in rows), default=0.0)
    return (low, high) if high > low else (low - 1, low + 1)


def _x(elo: float, rows: Sequence[RankingRow]) -> float:
    low, high = _range(rows)
    return round(BAR_LEFT + (BAR_RIGHT - BAR_LEFT) * (elo - low) / (high - low), 1)


def _scale(rows: Sequence[RankingRow]) -> Iterator[Shape]:
    """Yield the scale of Elo: its lines with their numbers below, and what it shows."""
    if not rows:
        return
    bottom = TOP + ROW * len(rows) - 26
    for mark in ticks(*_range(rows), TICKS):
        x, words = _x(mark, rows), signed(mark)
        yield Rectangle(x - 1, TOP - 26, 2, bottom - TOP + 26, SOFT if mark == 0 else LINE)
        yield Words(round(x + len(words) * 24 * LETTER / 2, 1), bottom + 30, words, 24, SOFT, right=True)
    yield Words(BAR_RIGHT, bottom + 66, "Elo with 95 % intervals", 24, SOFT, right=True)


def _row(row: RankingRow, top: float, rows: Sequence[RankingRow]) -> Iterator[Shape]:
    baseline = top + 22
    yield Words(MARGIN, baseline, str(row.rank), 36, SOFT)
    yield Words(MARGIN + 66, baseline, _fitting(row.bot, 36, 390), 36, INK)
    yield Words(BAR_LEFT - 40, baseline, elo_text(row.elo, row.bound), 36, ACCENT, right=True)
    middle = top + 10
    if row.ci95 is not None:
        left, right = _x(row.elo - row.ci95, rows), _x(row.elo + row.ci95, rows)
        yield Rectangle(left, middle - 7, right - left, 14, BAND, 7)
    yield Rectangle(_x(row.elo, rows) - 10, middle - 10, 20, 20, ACCENT, 10)


def _fitting(text: str, size: float, width: float) -> str:
    """Return a text as far as there is room for it."""
    most = int(width / (size * LETTER))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def svg(shapes: Sequence[Shape]) -> str:
    """Return the picture as an SVG file."""
    parts = []
    for shape in shapes:
        if isinstance(shape, Rectangle):
            parts.append(
                tag("rect", {"x": shape.x, "y": shape.y, "width": shape.width, "height": shape.height,
                             "fill": shape.fill, "rx": shape.radius or None})
            )  # fmt: skip
        else:
            parts.append(
                tag("text", {"x": shape.x, "y": shape.y, "font-size": shape.size, "fill": shape.fill,
                             "text-anchor": "end" if shape.right else None}, shape.text)
            )  # fmt: skip
    font = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
    drawing = tag(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT,
         "font-family": font},
        parts,
    )  # fmt: skip
    return f"{drawing}\n"


def png(shapes: Sequence[Shape]) -> bytes | None:
    """Return the picture as a PNG file, in Pillow's own font; None where Pillow is not installed."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        return None
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    drawn = ImageDraw.Draw(image)
    for shape in shapes:
        if isinstance(shape, Rectangle):
            ends = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            drawn.rounded_rectangle(ends, shape.radius, fill=shape.fill)
        else:
            font: Any = ImageFont.load_default(shape.size)
            drawn.text((shape.x, shape.y), shape.text, shape.fill, font, anchor="rs" if shape.right else "ls")
    content = io.BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()
