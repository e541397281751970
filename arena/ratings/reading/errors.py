"""Errors in files of results."""

from arena.errors import ArenaError

MAX_NUMBER = 10**12
"""The largest absolute rank or score: the sum of a million such values fits in 64 bits."""

_MAX_QUOTED = 80
"""The most characters of a quoted text."""


class ReadingError(ArenaError):
    """A file of results cannot be read; the message names file and line."""


def shorten(text: str) -> str:
    """Shorten a text that a message quotes."""
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"
