"""Tables as plain text of any width, Markdown, HTML and LaTeX."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from arena.values.terminal_width import cells_of, fold_to_cells
from arena.values.texts import printable

FORMATS = {"text": "plain", "markdown": "pipe", "html": "html", "latex": "latex_booktabs"}
"""Formats, with tabulate's names for them."""

LATEX_LINES = 40
"""Lines of a LaTeX table, which no page break divides; what is longer becomes several tables."""

GAP = 2
"""Cells between two columns of a text."""

LEAST = 12
"""Cells that a folded column keeps while there are others to leave out."""

_SYMBOLS = {"±": r"$\pm$", "≈": r"$\approx$", "×": r"$\times$", "µ": r"$\mu$", "…": r"\dots{}"}
"""What our tables hold beyond ASCII, as every LaTeX prints it. Names of bots are left as they are."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    header: str
    left: bool = False
    """Whether it is left-aligned, as texts are, and not right-aligned, as numbers are."""
    drop: int = 0
    """Where the width does not suffice, columns are left out by this number, the lowest first; 0: it always stays."""
    folds: bool = False
    """Whether its cells may be folded into several lines."""


def text_column(header: str, drop: int = 0) -> Column:
    """Return a column of texts, which may be folded."""
    return Column(header, left=True, drop=drop, folds=True)


def word_column(header: str, drop: int = 0) -> Column:
    """Return a column of single words, which are not folded while there is another way."""
    return Column(header, left=True, drop=drop)


@dataclass(frozen=True, slots=True)
class TextTable:
    """Columns and lines of cells, with notes below."""

    columns: Sequence[Column]
    lines: Sequence[Sequence[object]]
    notes: Sequence[str] = ()
    heads: int = 0
    """In a matrix the number of columns before the matrix itself: where the width does not suffice, nothing is left
    out, but what remains stands below, with these columns again. 0: it is no matrix.
    """

    def render(self, form: str = "text", width: int | None = None) -> str:
        """Render the table; without lines only the notes.

        form: one of `FORMATS`.
        width: cells that no line of a text may exceed; None: lines are as long as it takes.
        """
        if form == "text":
            return "\n".join([*self._text(width), *self._notes(width)])
        from tabulate import tabulate

        alignment = _alignment(self.columns)
        headers = [column.header for column in self.columns]
        parts: list[str] = []
        lines = self._cells()
        if form == "markdown":
            lines = [[_escape_markdown(cell) for cell in line] for line in lines]
        page = LATEX_LINES if form == "latex" else max(len(lines), 1)
        for first in range(0, len(lines), page):
            part = lines[first : first + page]
            parts.append(tabulate(part, headers, FORMATS[form], disable_numparse=True, colalign=alignment))
        if form == "latex":
            return _latex(parts, self.notes)
        if form == "html":
            return "\n".join([*parts, *(f"<p>{escape(note)}</p>" for note in self.notes)])
        return "\n\n".join([*parts, *self.notes])

    def blocks(self, width: int | None = None) -> Iterator[str]:
        """Yield the heading, and then each line of the table, folded where it must be; no notes.

        width: as for `render`.
        """
        columns, lines, _ = _fit(self.columns, self._cells(), width)
        text, counts = _tabulate(columns, lines)
        first = 0
        for count in counts:
            yield "\n".join(text[first : first + count])
            first += count

    def _cells(self) -> list[list[str]]:
        return [["" if cell is None else printable(str(cell), "") for cell in line] for line in self.lines]

    def _text(self, width: int | None) -> Iterator[str]:
        if not self.lines:
            return
        cells = self._cells()
        for number, places in enumerate(self._parts(cells, width)):
            if number:
                yield ""
            part = [self.columns[place] for place in places]
            columns, lines, left_out = _fit(part, [[line[place] for place in places] for line in cells], width)
            yield from _tabulate(columns, lines)[0]
            if left_out:
                yield from _folded(f"Left out for want of room: {', '.join(left_out)}.", width)

    def _parts(self, cells: Sequence[Sequence[str]], width: int | None) -> Iterator[list[int]]:
        """Yield the columns of each part of the table, by their places: of all but a wide matrix there is one."""
        places = range(len(self.columns))
        if not self.heads or width is None:
            yield [*places]
            return
        wide = [
            max(cells_of(self.columns[place].header), *(cells_of(line[place]) for line in cells)) for place in places
        ]
        heads = [*places[: self.heads]]
        folded = [min(wide[place], LEAST) if self.columns[place].folds else wide[place] for place in heads]
        whole = sum(wide[place] + GAP for place in heads)
        taken = whole if whole + sum(wide[self.heads :]) + GAP * len(wide) <= width else sum(folded) + GAP * len(heads)
        part, room = [*heads], width - taken
        for place in places[self.heads :]:
            if len(part) > len(heads) and wide[place] > room:
                yield part
                part, room = [*heads], width - taken
            part.append(place)
            room -= wide[place] + GAP
        yield part

    def _notes(self, width: int | None) -> Iterator[str]:
        for note in self.notes:
            yield from _folded(note, width)


def _folded(note: str, width: int | None) -> Sequence[str]:
    return [note] if width is None else fold_to_cells(note, width)


def _alignment(columns: Sequence[Column]) -> list[str]:
    return ["left" if column.left else "right" for column in columns]


def _tabulate(columns: Sequence[Column], lines: Sequence[Sequence[str]]) -> tuple[list[str], list[int]]:
    """Return the lines of a text, and how many of them belong to the heading and to each line of the table."""
    from tabulate import tabulate

    headers = [column.header for column in columns]
    counts = [max(cell.count("\n") for cell in cells) + 1 for cells in [headers, *lines]]
    counts[0] += 1
    # As lines of the table, as tabulate pads headers by two cells.
    rules = ["-" * max(map(_cell_width, cells)) for cells in zip(headers, *lines, strict=True)]
    text = tabulate([headers, rules, *lines], (), FORMATS["text"], disable_numparse=True, colalign=_alignment(columns))
    return [line.rstrip() for line in text.split("\n")], counts


def _fit(
    columns: Sequence[Column], lines: Sequence[Sequence[str]], width: int | None
) -> tuple[Sequence[Column], Sequence[Sequence[str]], list[str]]:
    """Return the columns and lines that fit a width, with line feeds where they are folded, and what is left out.

    Headers are folded at their blanks first, then texts to `LEAST` cells. If that does not suffice, columns are left
    out one by one; if nothing may be left out any more, whatever is widest is folded.
    """
    cells = [[line[place] for line in lines] for place in range(len(columns))]
    wide = [max(cells_of(column.header), _widest(cells[place])) for place, column in enumerate(columns)]
    if width is None or _sum(wide) <= width:
        return columns, lines, []
    places = [*range(len(columns))]
    dropped: list[int] = []
    order = sorted((place for place in places if columns[place].drop), key=lambda place: (columns[place].drop, -place))
    wide = [max(_longest_word(column.header), _widest(cells[place])) for place, column in enumerate(columns)]
    least = [min(cell, LEAST) if column.folds else cell for column, cell in zip(columns, wide, strict=True)]
    while _sum([least[place] for place in places]) > width and order and len(places) > 1:
        dropped.append(order.pop(0))
        places.remove(dropped[-1])
    if _sum([least[place] for place in places]) > width:  # nothing else may go: whatever is widest is folded
        least = [1] * len(columns)
    while len(places) > 1 and _sum([least[place] for place in places]) > width:
        dropped.append(places.pop())
    wide = [max(least[place], min(cells, width)) for place, cells in enumerate(wide)]
    while _sum([wide[place] for place in places]) > width:
        widest = max((place for place in places if wide[place] > least[place]), key=wide.__getitem__)
        wide[widest] -= 1
    kept = [replace(columns[place], header=_fold(columns[place].header, wide[place])) for place in places]
    folded = [[_fold(line[place], wide[place]) for place in places] for line in lines]
    return kept, folded, [columns[place].header for place in sorted(dropped)]


def _cell_width(cell: str) -> int:
    """Return the width of a cell that may be folded."""
    return max(map(cells_of, cell.split("\n")))


def _sum(widths: Sequence[int]) -> int:
    """Return the cells of a line with columns of these widths."""
    return sum(widths) + GAP * (len(widths) - 1)


def _widest(cells: Sequence[str]) -> int:
    return max(map(cells_of, cells), default=0)


def _longest_word(header: str) -> int:
    """Return the least width of a header that is folded at its blanks; a sign stays with its number."""
    return max(map(cells_of, _words(header)), default=0)


def _words(header: str) -> list[str]:
    return [header] if header.startswith("±") else header.split()


def _fold(text: str, width: int) -> str:
    return "\n".join(fold_to_cells(text, width))


_PREAMBLE = r"% \usepackage{booktabs,graphicx}"

_FIT = r"{\small\setlength{\tabcolsep}{4pt}\noindent\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Before a table: in small type, and in yet smaller type where it is wider than the text of the document."""


def _latex(parts: Sequence[str], notes: Sequence[str]) -> str:
    """Return the parts of a table by tabulate and the notes below it as they are included in a LaTeX document."""
    from tabulate import LATEX_ESCAPE_RULES

    escaped = ["".join([LATEX_ESCAPE_RULES.get(character, character) for character in note]) for note in notes]
    below = [f"\n{{\\footnotesize {note}\\par}}" for note in escaped]
    # A hyphen is too short for a minus.
    signed = [re.sub(r"(?<=\s)([+-])(?=\d)", r"$\1$", part) for part in parts]
    fitted = [line for part in signed for line in (_FIT, part, "}\\par}")]
    text = "\n".join([_PREAMBLE, *fitted, *below])
    return "".join([_SYMBOLS.get(character, character) for character in text])


def _escape_markdown(cell: object) -> str:
    """Escape what Markdown would read in a cell as its end or as an HTML element."""
    return re.sub(r"\||<(?=[A-Za-z/!?])", r"\\\g<0>", str(cell))
