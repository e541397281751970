"""Cards, dice and chips in characters, in a box of three lines or in one."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from arena.viewer.scene import Thing

TONES = {
    "high": "yellow",
    "low": "magenta",
    "number": "bold",
    "skull": "bold red",
    "coins": "yellow",
    "cups": "red",
    "swords": "cyan",
    "clubs": "green",
}
"""Styles of the families of cards."""

_SUITS = {"coins", "cups", "swords", "clubs"}
_NO_BOX = {"chips", "token", "text"}


def style(thing: Thing) -> str:
    """Return the colours of a thing."""
    if thing.kind in ("back", "cup"):
        return "dim"
    return "yellow" if thing.kind in ("chips", "token") else TONES.get(thing.tone, "bold")


def words(thing: Thing, *, named: bool) -> str:
    """Return what is written on a thing; named: with its name, where it has one that the face does not tell."""
    match thing.kind:
        case "back":
            return "▒▒"
        case "cup":
            return "?"
        case "die":
            return ("skull" if named else "sk") if thing.tone == "skull" else thing.face
        case "token":
            return "◉"
        case "chips":
            return f"● {thing.face}"
        case "text":
            return thing.face
    return f"{thing.face} {thing.name}" if named and thing.name and thing.tone not in _SUITS else thing.face


def inline(thing: Thing, *, named: bool) -> Text:
    """Return a thing in one line: [14], 36 × [▒▒], [7] seat 2."""
    face = words(thing, named=named)
    text = Text(face if thing.kind in _NO_BOX else f"[{face}]", style(thing))
    before = f"{thing.count} × " if thing.count and thing.kind == "die" else ""
    after = f" {thing.count}" if thing.count and thing.kind != "die" else ""
    mark = Text(f" {thing.mark}" if thing.mark else "", "dim")
    return Text.assemble(before, text, after, mark)


def boxed(thing: Thing, *, named: bool) -> list[Text]:
    """Return a thing as three lines of one width. A mark stands in the lower edge of its box."""
    if thing.kind in _NO_BOX or thing.count:
        line = inline(thing, named=named)
        blank = Text(" " * line.cell_len)
        return [blank, line, blank]
    face = words(thing, named=named)
    inside = max(cell_len(face), cell_len(thing.mark), 2)
    left = (inside - cell_len(face) + 1) // 2
    middle = f"│{' ' * left}{face}{' ' * (inside - cell_len(face) - left)}│"
    kind = style(thing)
    return [
        Text(f"╭{'─' * inside}╮", kind),
        Text(middle, kind),
        Text(f"╰{thing.mark.center(inside, '─')}╯", kind),
    ]


def row(things: Sequence[Thing], width: int, *, named: bool) -> list[Text]:
    """Return things in boxes side by side, in further rows of three lines where the width is not enough."""
    lines: list[Text] = []
    used = width + 1
    for thing in things:
        box = boxed(thing, named=named)
        if used + box[0].cell_len > width:
            lines += [Text(), Text(), Text()]
            used = 0
        used += box[0].cell_len
        for line, part in zip(lines[-3:], box, strict=True):
            line.append_text(part)
    return lines


def flow(parts: Sequence[Text], width: int, gap: int = 2) -> list[Text]:
    """Return parts one behind the other, in as few lines as they take; a part that is too long is broken."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + gap + part.cell_len <= width:
            lines[-1].append(" " * gap).append_text(part)
        else:
            lines += [Text.assemble(part)] if part.cell_len <= width else broken(part, width)
    return lines


def broken(text: Text, width: int) -> list[Text]:
    """Return a text in lines of a width, broken between words where that can be."""
    return list(text.wrap(_CONSOLE, max(width, 1)))


_CONSOLE = Console(color_system=None)
"""What Rich asks for to break lines; nothing is printed to it."""
