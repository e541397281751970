"""A scene, laid out for the space available: in boxes with names if they fit, otherwise more briefly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from math import ceil

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from arena.replay.readable import Read
from arena.replay.scene import Fact, Scene, TablePlace, Zone
from arena.replay.terminal.board_lines import board_lines
from arena.replay.terminal.glyphs import box_rows, flow, inline

GAP = 2
"""Spaces between columns."""

MIN_WIDTH = 24
"""The smallest width of a place, in characters."""

MAX_WIDTH = 80
"""The largest width of a place, if there is another to stand beside it."""


@dataclass(frozen=True, slots=True)
class TableContext:
    """What the drawn table shows besides the scene."""

    players: Sequence[str]
    """The names of the players by seat."""
    asked: Sequence[int] = ()
    """The seats to move."""
    perspective: int | None = None
    """The seat whose knowledge is shown; None for the whole table."""
    chosen: int | None = None
    """The seat whose moves the keys m and M jump to."""
    read: Read = str
    """Returns a text of the game as people read it."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """How much of a table is drawn, and how tall."""

    boxes: bool
    """Whether cards are drawn as boxes."""
    named: bool
    """Whether picture cards show their names."""
    columns: int = 1
    tall: bool = False
    """Whether boxes have five lines."""
    spaced: bool = False
    """Whether there is an empty line between places."""


def table_lines(scene: Scene, context: TableContext, width: int, height: int) -> list[Text]:
    """Return a scene as lines of at most `width` characters: the first layout that fits `height`, or the lowest."""
    best: list[Text] | None = None
    for layout in _layouts(len(scene.places), width):
        middle = _middle(scene, context.read, layout, width, context.perspective or 0)
        lines = [*middle, *_places(scene, context, layout, width)]
        if len(lines) <= height:
            return lines
        if best is None or len(lines) < len(best):
            best = lines
    assert best is not None
    return best


def _layouts(places: int, width: int) -> Iterator[_Layout]:
    """Yield layouts for a number of places, the most generous first. Wide tables have places side by side."""
    most = max(1, min(places, (width + GAP) // (MIN_WIDTH + GAP)))
    least = min(most, ceil((width + GAP) / (MAX_WIDTH + GAP)))
    for tall, spaced in ((True, True), (True, False), (False, True)):
        yield _Layout(True, True, least, tall, spaced)
    for (boxes, named), columns in product(
        ((True, True), (True, False), (False, True), (False, False)), range(least, most + 1)
    ):
        yield _Layout(boxes, named, columns)


def _middle(scene: Scene, read: Read, layout: _Layout, width: int, below: int) -> Iterator[Text]:
    """Yield the lines of the middle.

    below: the seat that sits below a board.
    """
    heading = [Text(scene.heading, "bold")] if scene.heading else []
    large = [zone for zone in scene.middle if layout.boxes and not zone.small]
    rest = [zone for zone in scene.middle if zone not in large]
    yield from flow(
        [
            *heading,
            *(_fact(fact, read) for fact in scene.facts),
            *(part for zone in rest for part in _line(zone, layout)),
        ],
        width,
    )
    if scene.board is not None:
        yield from board_lines(scene.board, below)
    for zone in large:
        label = f"{zone.label} "
        lines = box_rows(zone.items, width - len(label), named=layout.named, tall=layout.tall)
        lines = lines or [Text("(nothing)", "dim")]
        for number, line in enumerate(lines):
            yield Text.assemble((label if number == len(lines) // 2 else " " * len(label), "dim"), line)


def _places(scene: Scene, context: TableContext, layout: _Layout, width: int) -> Iterator[Text]:
    inner = (width - GAP * (layout.columns - 1)) // layout.columns
    for first in range(0, len(scene.places), layout.columns):
        if layout.spaced:
            yield Text()
        blocks = [_place(place, context, layout, inner) for place in scene.places[first : first + layout.columns]]
        for lines in zip_longest(*blocks, fillvalue=Text()):
            line = Text()
            for column, part in enumerate(lines):
                line.append(" " * (column * (inner + GAP) - line.cell_len)).append_text(part)
            yield line


def _place(place: TablePlace, context: TableContext, layout: _Layout, width: int) -> list[Text]:
    large = [zone for zone in place.zones if layout.boxes and not zone.small]
    small = [zone for zone in place.zones if zone not in large]
    words = [Text(context.read(badge), "cyan") for badge in place.badges]
    words += [Text(f"“{place.said}”", "italic")] if place.said else []
    words += [Text(context.read(place.recent), "yellow")] if place.recent else []
    lines = _place_header(place, context, width)
    if large:
        items = [item for zone in large for item in zone.items]
        lines += box_rows(items, width, named=layout.named, tall=layout.tall)
    lines += flow([*(part for zone in small for part in _line(zone, layout)), *words], width)
    if place.out:
        for line in lines:
            line.stylize("dim")
    return lines


def _place_header(place: TablePlace, context: TableContext, width: int) -> list[Text]:
    """Return the header of a place: its seat, player and facts, in one line if they fit."""
    asked = place.seat in context.asked
    sign = "▶" if asked else "◇" if place.seat == context.perspective else "×" if place.out else " "
    mark = " (m)" if place.seat == context.chosen and context.perspective is None else ""
    name = f"{sign}{place.seat} {context.players[place.seat]}"
    name = set_cell_size(name, min(cell_len(name), width - len(mark)))
    line = Text.assemble((name, "bold yellow" if asked else "bold"), (mark, "dim"))
    facts = Text("  ").join([_fact(fact, context.read) for fact in place.facts])
    dashes = width - line.cell_len - facts.cell_len - 2
    if not facts or dashes < 1:
        return [line, *flow([_fact(fact, context.read) for fact in place.facts], width)]
    return [Text.assemble(line, (f" {'─' * dashes} ", "dim"), facts)]


def _fact(fact: Fact, read: Read) -> Text:
    return Text.assemble((f"{read(fact.label)} ", "dim"), (read(fact.value), "bold"))


def _line(zone: Zone, layout: _Layout) -> list[Text]:
    """Return a zone as one part of a line: its label and its items."""
    items = [inline(item, named=layout.named) for item in zone.items] or [Text("(nothing)", "dim")]
    return [Text.assemble((f"{zone.label} ", "dim"), Text(" ").join(items))]
