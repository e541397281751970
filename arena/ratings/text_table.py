"""Tables as plain text, Markdown, HTML and LaTeX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from arena.values.texts import printable

FORMATS = {"text": "simple", "markdown": "pipe", "html": "html", "latex": "latex_booktabs"}
"""Formats, with tabulate's names for them."""

LATEX_LINES = 40
"""Lines of a LaTeX table, which no page break divides; what is longer becomes several tables."""

_SYMBOLS = {"±": r"$\pm$", "≈": r"$\approx$", "×": r"$\times$", "µ": r"$\mu$", "…": r"\dots{}"}
"""What our tables hold beyond ASCII, as every LaTeX prints it. Names of bots are left as they are."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A heading and lines of cells, with notes below."""

    headers: Sequence[str]
    lines: Sequence[Sequence[object]]
    left: Sequence[int]
    """The left-aligned columns; the others are right-aligned."""
    notes: Sequence[str]

    def render(self, form: str = "text") -> str:
        """Render the table in one of `FORMATS`; without lines only the notes."""
        from tabulate import tabulate

        alignment = ["left" if column in self.left else "right" for column in range(len(self.headers))]
        parts: list[str] = []
        lines = [[cell if cell is None else printable(str(cell), "") for cell in line] for line in self.lines]
        if form == "markdown":
            lines = [[_escape_markdown(cell) for cell in line] for line in lines]
        page = LATEX_LINES if form == "latex" else max(len(lines), 1)
        for first in range(0, len(lines), page):
            part = lines[first : first + page]
            parts.append(tabulate(part, self.headers, FORMATS[form], disable_numparse=True, colalign=alignment))
        if form == "latex":
            return _latex(parts, self.notes)
        if form == "html":
            return "\n".join([*parts, *(f"<p>{escape(note)}</p>" for note in self.notes)])
        separator = "\n\n" if form == "markdown" else "\n"
        return separator.join([*parts, *self.notes])


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
