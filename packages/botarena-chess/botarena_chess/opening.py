"""How a game begins."""

from typing import NamedTuple


class Opening(NamedTuple):
    """How a game begins."""

    name: str
    """The name of the opening, for people."""
    fen: str
    """The position before `moves`, in FEN."""
    moves: tuple[str, ...]
    """The moves of the book, in UCI's notation."""
