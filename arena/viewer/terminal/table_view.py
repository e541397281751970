"""A scene in as many lines as there is room for: in boxes with names where they fit, otherwise ever more briefly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from arena.viewer.scene import Fact, Place, Scene, Zone
from arena.viewer.terminal.glyphs import flow, inline, row

GAP = 2
"""Blanks between columns."""

NARROWEST = 24
"""Characters that a place needs."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a table is drawn.

    players: the names by seat. asked: the seats that must answer. eye: whose knowledge it is. chosen: the seat whose
    moves are jumped to.
    """

    players: Sequence[str]
    asked: Sequence[int] = ()
    eye: int | None = None
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class _Size:
    """How much room is taken. named: pictures have their names."""

    boxes: bool
    named: bool
    columns: int


def table(scene: Scene, look: Look, width: int, height: int) -> list[Text]:
    """Return a scene as lines of at most `width` characters: the first form that fits into `height`, or the lowest."""
    most = max(1, min(len(scene.places), (width + GAP) // (NARROWEST + GAP)))
    forms = [(True, True), (True, False), (False, True), (False, False)]
    best: list[Text] | None = None
    for (boxes, named), columns in product(forms, range(1, most + 1)):
        lines = [
            *_middle(scene, _Size(boxes, named, 1), width),
            *_places(scene, look, _Size(boxes, named, columns), width),
        ]
        if len(lines) <= height:
            return lines
        if best is None or len(lines) < len(best):
            best = lines
    assert best is not None
    return best


def _middle(scene: Scene, size: _Size, width: int) -> Iterator[Text]:
    heading = [Text(scene.heading, "bold")] if scene.heading else []
    large = [zone for zone in scene.middle if size.boxes and not zone.small]
    rest = [zone for zone in scene.middle if zone not in large]
    yield from flow([*heading, *map(_fact, scene.facts), *(part for zone in rest for part in _line(zone, size))], width)
    for zone in large:
        label = f"{zone.label} "
        lines = row(zone.things, width - len(label), named=size.named) or [Text("(nothing)", "dim")]
        for number, line in enumerate(lines):
            yield Text.assemble((label if number == len(lines) // 2 else " " * len(label), "dim"), line)


def _places(scene: Scene, look: Look, size: _Size, width: int) -> Iterator[Text]:
    inner = (width - GAP * (size.columns - 1)) // size.columns
    for first in range(0, len(scene.places), size.columns):
        blocks = [_place(place, look, size, inner) for place in scene.places[first : first + size.columns]]
        for lines in zip_longest(*blocks, fillvalue=Text()):
            line = Text()
            for column, part in enumerate(lines):
                line.append(" " * (column * (inner + GAP) - line.cell_len)).append_text(part)
            yield line


def _place(place: Place, look: Look, size: _Size, width: int) -> list[Text]:
    large = [zone for zone in place.zones if size.boxes and not zone.small]
    small = [zone for zone in place.zones if zone not in large]
    words = [Text(badge, "cyan") for badge in place.badges]
    words += [Text(f"“{place.said}”", "italic")] if place.said else []
    words += [Text(place.news, "yellow")] if place.news else []
    lines = _who(place, look, width)
    if large:
        lines += row([thing for zone in large for thing in zone.things], width, named=size.named)
    lines += flow([*(part for zone in small for part in _line(zone, size)), *words], width)
    if place.out:
        for line in lines:
            line.stylize("dim")
    return lines


def _who(place: Place, look: Look, width: int) -> list[Text]:
    """Return the first lines of a place: who sits there, and what is counted, in a line of its own where it must."""
    asked = place.seat in look.asked
    sign = "▶" if asked else "◇" if place.seat == look.eye else "×" if place.out else " "
    mark = " (m)" if place.seat == look.chosen and look.eye is None else ""
    name = f"{sign}{place.seat} {look.players[place.seat]}"
    name = set_cell_size(name, min(cell_len(name), width - len(mark)))
    line = Text.assemble((name, "bold yellow" if asked else "bold"), (mark, "dim"))
    facts = Text("  ").join([_fact(fact) for fact in place.facts])
    dashes = width - line.cell_len - facts.cell_len - 2
    if not facts or dashes < 1:
        return [line, *flow([_fact(fact) for fact in place.facts], width)]
    return [Text.assemble(line, (f" {'─' * dashes} ", "dim"), facts)]


def _fact(fact: Fact) -> Text:
    return Text.assemble((f"{fact.label} ", "dim"), (fact.value, "bold"))


def _line(zone: Zone, size: _Size) -> list[Text]:
    """Return a zone as parts of a line: its label with the first thing, then the others."""
    things = [inline(thing, named=size.named) for thing in zone.things] or [Text("(nothing)", "dim")]
    return [Text.assemble((f"{zone.label} ", "dim"), Text(" ").join(things))]
