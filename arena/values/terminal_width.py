"""How wide texts are on a terminal, where many letters of East Asia take two cells."""

from wcwidth import wcswidth

ELLIPSIS = "…"

_SIGNS = "/-_@:.,"
"""Signs after which a word may be broken."""


def cells_of(text: str) -> int:
    """Return the number of cells that a text takes."""
    width = wcswidth(text)
    return width if width >= 0 else len(text)


def cut_to_cells(text: str, most: int) -> str:
    """Return a text of at most so many cells: what is too long ends in an ellipsis."""
    if cells_of(text) <= most:
        return text
    while text and cells_of(text) > most - 1:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def fold_to_cells(text: str, most: int) -> list[str]:
    """Return a text as lines of at most so many cells, at least one, broken at blanks or else after a sign.

    A character that takes more cells than that has a line of its own.
    """
    lines = []
    rest = text
    while cells_of(rest) > most:
        fits = 1
        while cells_of(rest[: fits + 1]) <= most:
            fits += 1
        if (blank := rest.rfind(" ", 1, fits + 1)) > 0 and rest[:blank].strip(" "):
            end = blank
        else:
            end = max((rest.rfind(sign, 1, fits) + 1 for sign in _SIGNS), default=0) or fits
        lines.append(rest[:end].rstrip(" "))
        rest = rest[end:].lstrip(" ")
    return [*lines, rest] if rest or not lines else lines
