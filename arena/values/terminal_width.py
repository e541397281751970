"""How wide texts are on a terminal, where many letters of East Asia take two cells."""

from wcwidth import wcswidth

ELLIPSIS = "…"


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
