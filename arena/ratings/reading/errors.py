"""What can be wrong with a file of results."""

from arena.errors import ArenaError

MAX_NUMBER = 10**12
"""The largest rank or score that is read, either way: the sum of a million such is a whole number of 64 bits."""

_LONGEST = 80
"""Characters of a text that is quoted."""


class ReadingError(ArenaError):
    """A file of results cannot be read; the message names file and line."""


def shorten(text: str) -> str:
    """Return the beginning of a text, for a message that quotes it."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
