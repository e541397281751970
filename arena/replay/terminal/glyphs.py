"""Cards, dice and chips as characters, in boxes of five or three lines or in one line."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from arena.replay.scene import TableItem
from arena.replay.terminal.board_lines import piece_text

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
"""The styles of families of cards."""

_SUITS = {"coins", "cups", "swords", "clubs"}
_NO_BOX = {"chips", "token", "text", "piece"}


def style(item: TableItem) -> str:
    """Return the style of an item."""
    if item.kind in ("back", "cup"):
        return "dim"
    return "yellow" if item.kind in ("chips", "token") else TONES.get(item.tone, "bold")


def label(item: TableItem, *, named: bool) -> str:
    """Return the label of an item.

    named: whether to add its name, if the face does not tell it.
    """
    match item.kind:
        case "back":
            return "▒▒"
        case "cup":
            return "?"
        case "die":
            return ("skull" if named else "sk") if item.tone == "skull" else item.face
        case "token":
            return "◉"
        case "chips":
            return f"● {item.face}"
        case "piece":
            letter, _, sign = item.face.partition(" ")
            return piece_text(letter, item.tone, sign).strip()
        case "text":
            return item.face
    return f"{item.face} {item.name}" if named and item.name and item.tone not in _SUITS else item.face


def inline(item: TableItem, *, named: bool) -> Text:
    """Return an item in one line: [14], 36 × [▒▒], [7] seat 2."""
    face = label(item, named=named)
    text = Text(face if item.kind in _NO_BOX else f"[{face}]", style(item))
    before = f"{item.count} × " if item.count and item.kind in ("die", "piece") else ""
    after = f" {item.count}" if item.count and item.kind not in ("die", "piece") else ""
    mark = Text(f" {item.mark}" if item.mark else "", "dim")
    return Text.assemble(before, text, after, mark)


def boxed(item: TableItem, *, named: bool, tall: bool = False) -> list[Text]:
    """Return an item as a box: three lines of one width, or five if `tall`, with the mark in the lower edge."""
    if item.kind in _NO_BOX or item.count:
        line = inline(item, named=named)
        blank = Text(" " * line.cell_len)
        return [blank, blank, line, blank, blank] if tall else [blank, line, blank]
    return _tall_box(item) if tall else _low_box(item, named=named)


def _low_box(item: TableItem, *, named: bool) -> list[Text]:
    face = label(item, named=named)
    inside = max(cell_len(face), cell_len(item.mark), 2)
    left = (inside - cell_len(face) + 1) // 2
    middle = f"│{' ' * left}{face}{' ' * (inside - cell_len(face) - left)}│"
    kind = style(item)
    return [
        Text(f"╭{'─' * inside}╮", kind),
        Text(middle, kind),
        Text(f"╰{item.mark.center(inside, '─')}╯", kind),
    ]


def _tall_box(item: TableItem) -> list[Text]:
    """Return a card with its face in two corners and its name between them; or anything else in the middle."""
    is_card = item.kind == "card"
    words = (item.tone if item.tone in _SUITS else item.name) if is_card else label(item, named=True)
    corner = item.face if is_card else ""
    inside = max(cell_len(words), 2 * cell_len(corner) + 1, cell_len(item.mark), 6)
    kind, fill = style(item), "▒" if item.kind == "back" else " "
    rows = (corner, words.strip("▒"), corner)
    return [
        Text(f"╭{'─' * inside}╮", kind),
        *(
            Text(f"│{_aligned(row, inside, side, fill)}│", kind)
            for row, side in zip(rows, ("<", "^", ">"), strict=True)
        ),
        Text(f"╰{item.mark.center(inside, '─')}╯", kind),
    ]


def _aligned(words: str, width: int, side: str, fill: str) -> str:
    """Return a text of a width.

    side: where the words stand: "<", "^" or ">".
    """
    free = width - cell_len(words)
    left = {"<": 0, "^": free // 2, ">": free}[side]
    return f"{fill * left}{words}{fill * (free - left)}"


def box_rows(items: Sequence[TableItem], width: int, *, named: bool, tall: bool = False) -> list[Text]:
    """Return items as boxes side by side, in as many rows of three lines as they need, or of five if `tall`."""
    height = 5 if tall else 3
    lines: list[Text] = []
    used = width + 1
    for item in items:
        box = boxed(item, named=named, tall=tall)
        if used + box[0].cell_len > width:
            lines += [Text() for _ in range(height)]
            used = 0
        used += box[0].cell_len
        for line, part in zip(lines[-height:], box, strict=True):
            line.append_text(part)
    return lines


def flow(parts: Sequence[Text], width: int, gap: int = 2) -> list[Text]:
    """Lay out parts one after the other in as few lines as possible; a part that is too long is wrapped."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + gap + part.cell_len <= width:
            lines[-1].append(" " * gap).append_text(part)
        else:
            lines += [Text.assemble(part)] if part.cell_len <= width else wrapped(part, width)
    return lines


def wrapped(text: Text, width: int) -> list[Text]:
    """Wrap a text into lines of a width, between words if possible."""
    return list(text.wrap(_CONSOLE, max(width, 1)))


_CONSOLE = Console(color_system=None)
"""Rich needs a console to wrap lines; nothing is printed to it."""
