"""A table as people read it: on a terminal, in Markdown, or in a page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from arena.texts import printable

FORMATS = {"text": "simple", "markdown": "pipe", "html": "html"}
"""Our names of formats and tabulate's."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A heading and lines of cells, with notes below.

    left: the columns that stand on the left of their cells; the others hold numbers and stand on the right.
    """

    headers: Sequence[str]
    lines: Sequence[Sequence[object]]
    left: Sequence[int]
    notes: Sequence[str]

    def render(self, form: str = "text") -> str:
        """Return the sheet in one of `FORMATS`; without lines only the notes."""
        from tabulate import tabulate

        sides = ["left" if column in self.left else "right" for column in range(len(self.headers))]
        shown = []
        lines = [[cell if cell is None else printable(str(cell), "") for cell in line] for line in self.lines]
        if form == "markdown":
            lines = [[_plain(cell) for cell in line] for line in lines]
        if lines:
            shown = [tabulate(lines, self.headers, FORMATS[form], disable_numparse=True, colalign=sides)]
        if form == "html":
            return "\n".join([*shown, *(f"<p>{escape(note)}</p>" for note in self.notes)])
        between = "\n\n" if form == "markdown" else "\n"
        return between.join([*shown, *self.notes])


def _plain(cell: object) -> str:
    """Return a cell in which nothing means anything to Markdown: no end of the cell, and no element of a page."""
    return re.sub(r"\||<(?=[A-Za-z/!?])", r"\\\g<0>", str(cell))
