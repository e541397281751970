"""Matrices of the field against itself."""

from collections.abc import Sequence
from typing import Any

SHOWN = 24
"""The largest field whose matrices are printed whole."""


def matrix_text(names: Sequence[str], values: Any) -> str:
    """Return a matrix of numbers with its names; of a large field only the least and the most."""
    from tabulate import tabulate

    if len(names) > SHOWN:
        pairs = [values[one][other] for one in range(len(names)) for other in range(len(names)) if one != other]
        return f"{min(pairs)} to {max(pairs)}"
    lines = [
        [number, name, *("-" if place == number - 1 else values[number - 1][place] for place in range(len(names)))]
        for number, name in enumerate(names, 1)
    ]
    sides = ["right", "left", *["right"] * len(names)]
    return tabulate(lines, ["", "", *range(1, len(names) + 1)], "simple", colalign=sides)
