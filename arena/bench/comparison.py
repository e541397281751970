"""Two measurements side by side: by the figures on the same machine, by ratios to the yardstick on different ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from arena.bench.figures import Figure, number, rounded
from arena.bench.measured import Measured
from arena.values.text_table import Column, TextTable, text_column, word_column


@dataclass(frozen=True, slots=True)
class Change:
    """A figure in two measurements, under the same conditions."""

    name: str
    unit: str
    old: float
    """The median of the earlier measurement, in `unit`."""
    now: float
    """The median of the later measurement, in `unit`."""

    @property
    def factor(self) -> float | None:
        """What the figure has been multiplied with since; None where it was 0."""
        return self.now / self.old if self.old else None

    def to_json(self) -> dict[str, Any]:
        """Return the change as JSON values."""
        factor = None if self.factor is None else rounded(self.factor)
        return {"name": self.name, "unit": self.unit, "old": rounded(self.old), "now": rounded(self.now),
                "factor": factor}  # fmt: skip


RATIO = "ratio"
"""The unit of changes of ratios."""


class Comparison:
    """What has changed from one measurement to another.

    differences: in which ways the machines differ.
    changes: of all figures where the machines do not differ, and of ratios.
    left_out: the names of figures that cannot be compared: they are in one measurement only, their conditions differ,
        or the machines differ and they have no ratio.
    """

    def __init__(self, old: Measured, now: Measured) -> None:
        self.differences = old.differences(now)
        self.yardsticks = old.yardstick, now.yardstick
        self._same_yardstick = old.yardstick == now.yardstick
        earlier = {figure.name: figure for figure in old.figures}
        self.changes: list[Change] = []
        self.left_out: list[str] = []
        for figure in now.figures:
            before = earlier.pop(figure.name, None)
            alike = before is not None and (before.unit, before.conditions) == (figure.unit, figure.conditions)
            changes = list(self._changes(before, figure)) if before is not None and alike else []
            self.changes += changes
            if not changes:
                self.left_out.append(figure.name)
        self.left_out += earlier

    def _changes(self, before: Figure, figure: Figure) -> Iterator[Change]:
        if not self.differences:
            yield Change(figure.name, figure.unit, before.value, figure.value)
        if before.cpu and figure.cpu and self._same_yardstick:
            yield Change(figure.name, RATIO, median(before.ratios), median(figure.ratios))

    def _why(self) -> str:
        if self.differences and not self._same_yardstick:
            return (
                f"Nothing can be compared: the machines differ, and the yardsticks (versions {self.yardsticks[0]} and "
                f"{self.yardsticks[1]}) too; measure again with the same version of arena"
            )
        return "Nothing can be compared: no figure is in both measurements under the same conditions"

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        return {
            "differences": self.differences,
            "changes": [change.to_json() for change in self.changes],
            "left_out": self.left_out,
        }

    def text(self, width: int | None = None) -> str:
        """Return the comparison as people read it; a sentence where nothing can be compared.

        width: cells that no line of the table may exceed; None: any number.
        """
        if not self.changes:
            return self._why()
        lines = ["The same machine. Ratios: CPU time per decision by that of the yardstick"]
        if self.differences:
            lines = [
                f"The machines differ ({'; '.join(self.differences)}), so only ratios to the yardstick are compared"
            ]
        rows = [
            (
                change.name,
                change.unit,
                number(change.old),
                number(change.now),
                "" if change.factor is None else number(change.factor),
            )
            for change in self.changes
        ]
        columns = (text_column("figure"), word_column("unit"), Column("old"), Column("now"), Column("now / old"))
        lines.append(TextTable(columns, rows).render(width=width))
        if self.left_out:
            lines.append(
                f"Not compared, for want of a ratio or of the same conditions in both: {', '.join(self.left_out)}"
            )
        return "\n".join(lines)
