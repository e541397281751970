"""A table as people read it: on a terminal, in Markdown, or in a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

FORMATS = {"text": "simple", "markdown": "pipe", "html": "html"}
"""Our names of formats and tabulate's."""


@dataclass(frozen=True, slots=True)
class Sheet:
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
        if self.lines:
            shown = [tabulate(self.lines, self.headers, FORMATS[form], disable_numparse=True, colalign=sides)]
        if form == "html":
            return "\n".join([*shown, *(f"<p>{escape(note)}</p>" for note in self.notes)])
        between = "\n\n" if form == "markdown" else "\n"
        return between.join([*shown, *self.notes])
