"""What can be wrong with a file of results."""

from arena.errors import ArenaError


class ReadingError(ArenaError):
    """A file of results cannot be read; the message names file and line."""
