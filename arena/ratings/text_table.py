"""Tables as plain text, Markdown and HTML."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from arena.texts import printable

FORMATS = {"text": "simple", "markdown": "pipe", "html": "html"}
"""Formats, with tabulate's names for them."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A heading and lines of cells, with notes below.

    left: the left-aligned columns; the others are right-aligned.
    """

    headers: Sequence[str]
    lines: Sequence[Sequence[object]]
    left: Sequence[int]
    notes: Sequence[str]

    def render(self, form: str = "text") -> str:
        """Render the table in one of `FORMATS`; without lines only the notes."""
        from tabulate import tabulate

        alignment = ["left" if column in self.left else "right" for column in range(len(self.headers))]
        parts = []
        lines = [[cell if cell is None else printable(str(cell), "") for cell in line] for line in self.lines]
        if form == "markdown":
            lines = [[_escape_markdown(cell) for cell in line] for line in lines]
        if lines:
            parts = [tabulate(lines, self.headers, FORMATS[form], disable_numparse=True, colalign=alignment)]
        if form == "html":
            return "\n".join([*parts, *(f"<p>{escape(note)}</p>" for note in self.notes)])
        separator = "\n\n" if form == "markdown" else "\n"
        return separator.join([*parts, *self.notes])


def _escape_markdown(cell: object) -> str:
    """Escape what Markdown would read in a cell as its end or as an HTML element."""
    return re.sub(r"\||<(?=[A-Za-z/!?])", r"\\\g<0>", str(cell))
