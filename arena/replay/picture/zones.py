"""The items of zones side by side, as large as there is room for; as `table.js` and `player.css` divide it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.language.message import arguments, id_of
from arena.replay.picture import sheets
from arena.replay.picture.canvas import Canvas
from arena.replay.picture.faces import Faces
from arena.replay.picture.geometry import Box
from arena.replay.picture.words import Words, fitted, width
from arena.replay.scene import TableItem, Zone

KINDS = {
    "card": "cards",
    "back": "cards",
    "die": "dice",
    "cup": "dice",
    "piece": "dice",
    "chips": "sums",
    "token": "tokens",
}
LONGEST = {"cards": 10, "dice": 10, "bids": 5, "sums": 4, "tokens": 12, "texts": 1}
"""The items in a line of a zone."""
ASIDE = 6
"""Small cards that stand in one line."""
SMALL = 0.6
"""The scale of cards that lie aside."""
NARROW = 0.6
"""The width of a zone of tokens or chips, in cards."""
CARD = 5 / 7
"""The width of a card, in parts of its height."""
SEEN, MORE_SEEN = 0.4, 0.62
"""The part of a card that is seen below the next one; more of it where there is less room."""
GAP = 3
"""Between items."""
WIDEST = {"cards": 170, "dice": 84, "tokens": 34, "sums": 34, "texts": 0}
"""The largest width of an item."""
MARKS = {"seat {0}": "", "seat {0} won": "★", "seat {0}, {1} again": ""}
"""The marks that name a seat, by their ids, and what is shown after its number."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What decides how much room a zone takes."""

    kind: str
    lines: int
    columns: int
    is_counted: bool
    is_marked: bool

    @classmethod
    def of(cls, zone: Zone) -> "_Shape":
        items = zone.items
        kind = KINDS.get(items[0].kind, "texts") if items else "cards"
        is_counted = kind == "dice" and any(item.count for item in items)
        aside = zone.small and kind == "cards"
        longest = LONGEST["bids" if is_counted else kind]
        lines = max(1, math.ceil(math.sqrt(len(items) / ASIDE) if aside else len(items) / longest))
        columns = max(1, math.ceil(len(items) / lines))
        return cls(kind, lines, columns, is_counted, any(item.mark for item in items))


def _widths(zone: Zone, shape: _Shape) -> tuple[float, float]:
    """Return how many items are wholly seen, and how many partly, below the next one."""
    scale = SMALL if zone.small and shape.kind != "dice" else 1
    if shape.kind in ("tokens", "sums", "texts"):
        return NARROW, 0
    if shape.kind == "dice" or shape.is_marked:
        return shape.columns * scale, 0
    return scale, (shape.columns - 1) * scale


class Zones:
    """Draws zones.

    faces: of the picture.
    words: in its language.
    """

    def __init__(self, faces: Faces, words: Words) -> None:
        self._faces = faces
        self._words = words
        self._colours = sheets.colours()

    def draw(
        self,
        canvas: Canvas,
        zones: Sequence[Zone],
        box: Box,
        letter: float,
        *,
        labels: bool = True,
        align: str = "start",
    ) -> None:
        """Draw zones in a box.

        letter: the size of its texts.
        labels: whether zones have their labels.
        align: "start", "middle" or "end": where they lie if they need less than the box.
        """
        zones = [zone for zone in zones if zone.items or zone.label]
        if not zones or box.width < 8 or box.height < 8:
            return
        shapes = [_Shape.of(zone) for zone in zones]
        measures = list(map(_widths, zones, shapes))
        whole, partly = max(1, sum(first for first, _ in measures)), sum(second for _, second in measures)
        apart = letter
        seen = MORE_SEEN if box.width < 480 else SEEN
        beside = sum(2.6 * letter * shape.columns for shape in shapes if shape.is_counted)
        shared = (box.width - len(zones) * apart - beside) / (whole + seen * partly) - GAP
        top = 1.25 * letter if labels else 0
        sizes = [
            self._size(zone, shape, box.height - top, shared, letter) for zone, shape in zip(zones, shapes, strict=True)
        ]
        needed = [
            self._needed(zone, shape, size, letter, seen, labels=labels)
            for zone, shape, size in zip(zones, shapes, sizes, strict=True)
        ]
        scale = min(1, max(0.05, (box.width - apart * (len(zones) - 1)) / max(1, sum(needed))))
        free = box.width - sum(needed) * scale - apart * (len(zones) - 1)
        x = box.x + {"start": 0, "middle": max(0, free) / 2, "end": max(0, free)}[align]
        for zone, shape, size, room in zip(zones, shapes, sizes, needed, strict=True):
            own = Box(x, box.y, room * scale, box.height)
            if labels and zone.items:
                words = fitted(self._words.of(zone.label), 0.85 * letter, own.width + apart / 2)
                canvas.text(x, box.y + 0.85 * letter, words, 0.85 * letter, self._colours["felt-soft"])
            self._items(
                canvas, zone, shape, Box(x, box.y + top, own.width, box.height - top), size * scale, letter, seen
            )
            x += own.width + apart

    def _size(self, zone: Zone, shape: _Shape, height: float, shared: float, letter: float) -> float:
        """Return the width of an item of a zone."""
        below = 1.25 * letter if shape.is_marked else 0
        room = (height - 2 - shape.lines * below - (shape.lines - 1) * GAP) / shape.lines
        aspect = CARD if shape.kind == "cards" else 1
        scale = (
            SMALL
            if shape.kind == "tokens" or (zone.small and shape.lines == 1 and shape.kind in ("cards", "dice"))
            else 1
        )
        if shape.kind == "sums":
            return max(4, min(room, 1.5 * letter))
        return max(4, min(room * aspect * scale, scale * min(shared, WIDEST[shape.kind]), WIDEST[shape.kind]))

    def _needed(self, zone: Zone, shape: _Shape, size: float, letter: float, seen: float, *, labels: bool) -> float:
        """Return the width that a zone takes."""
        if shape.kind == "sums":
            own = sum(
                size + 0.3 * letter + width(item.face, 1.1 * letter, bold=True) + 0.6 * letter for item in zone.items
            )
        elif shape.kind == "texts":
            own = max(
                (width(self._words.of(item.face), 0.85 * letter) + 0.8 * letter for item in zone.items), default=0
            )
        elif shape.kind == "cards" and not shape.is_marked:
            own = size + (shape.columns - 1) * min(size + GAP, max(seen * size, size * 0.62) + GAP)
        else:
            own = shape.columns * (size + GAP + (2.6 * letter if shape.is_counted else 0))
        label = width(self._words.of(zone.label), 0.85 * letter) if labels and zone.items else 0
        return max(own, min(label, 3.9 * letter), size)

    def _items(
        self, canvas: Canvas, zone: Zone, shape: _Shape, box: Box, size: float, letter: float, seen: float
    ) -> None:
        below = 1.25 * letter if shape.is_marked else 0
        if shape.kind in ("sums", "texts"):
            self._line(canvas, zone, shape, box, size, letter)
            return
        beside = 2.6 * letter if shape.is_counted else 0
        free = (box.width - size - beside) / (shape.columns - 1) if shape.columns > 1 else 0
        step = min(size + beside + GAP, free)
        height = (size / CARD if shape.kind == "cards" else size) + below + GAP
        for place, item in enumerate(zone.items):
            line, column = divmod(place, shape.columns)
            self._item(canvas, item, box.x + column * step, box.y + line * height, size, letter, shape)

    def _item(
        self, canvas: Canvas, item: TableItem, x: float, y: float, size: float, letter: float, shape: _Shape
    ) -> None:
        high = size / CARD if shape.kind == "cards" else size
        left = x
        if item.count and item.kind != "back":
            words = f"{item.count}×"
            canvas.text(
                x, y + high / 2 + 0.38 * letter, words, 1.1 * letter, self._colours["felt-ink"], font_weight="700"
            )
            left = x + width(words, 1.1 * letter, bold=True) + 0.2 * letter
        self._faces.draw(canvas, item, left, y, size)
        if item.count and item.kind == "back":
            self._count(canvas, item.count, x + size / 2, y + high / 2, letter)
        if item.mark:
            self._mark(
                canvas, item.mark, x, y + high + letter, size * 1.25 if shape.columns > 1 else size * 2.2, letter
            )

    def _count(self, canvas: Canvas, count: int, x: float, y: float, letter: float) -> None:
        wide = width(str(count), letter, bold=True) + 0.7 * letter
        canvas.shape(
            "rect",
            x=x - wide / 2,
            y=y - 0.7 * letter,
            width=wide,
            height=1.4 * letter,
            rx=0.7 * letter,
            fill=self._colours["card"],
        )
        canvas.text(
            x, y + 0.36 * letter, str(count), letter, self._colours["card-ink"], font_weight="700", text_anchor="middle"
        )

    def _mark(self, canvas: Canvas, mark: str, x: float, y: float, room: float, letter: float) -> None:
        """Draw the label below an item: a seat by its colour and number, or words."""
        after = MARKS.get(id_of(mark))
        size = 0.85 * letter
        if after is None or not arguments(mark):
            canvas.text(x, y, fitted(self._words.of(mark), size, room), size, self._colours["felt-soft"])
            return
        seat, *_ = arguments(mark)
        dot(canvas, int(seat), x + 0.38 * size, y - 0.34 * size, 0.38 * size)
        canvas.text(x + size, y, f"{seat}{after}", size, self._colours["felt-ink"])

    def _line(self, canvas: Canvas, zone: Zone, shape: _Shape, box: Box, size: float, letter: float) -> None:
        """Draw sums or texts, one after another, as long as there is room."""
        x, y = box.x, box.y
        for item in zone.items:
            if shape.kind == "sums":
                if x > box.x and x + size > box.x + box.width:
                    x, y = box.x, y + size + GAP
                self._faces.draw(canvas, item, x, y, size)
                x += size + 0.3 * letter
                canvas.text(
                    x,
                    y + size / 2 + 0.4 * letter,
                    item.face,
                    1.1 * letter,
                    self._colours["felt-ink"],
                    font_weight="700",
                )
                x += width(item.face, 1.1 * letter, bold=True) + 0.6 * letter
            elif y + letter <= box.y + box.height + 1:
                words = fitted(self._words.of(item.face), 0.85 * letter, box.width)
                canvas.text(x, y + letter, words, 0.85 * letter, self._colours["felt-ink"])
                y += 1.3 * letter


def dot(canvas: Canvas, seat: int, x: float, y: float, radius: float) -> None:
    """Draw the mark of a seat: its colour."""
    canvas.shape(
        "circle", cx=x, cy=y, r=radius, fill=sheets.seat_colour(seat), stroke=sheets.colours()["card"], stroke_width=1.5
    )
