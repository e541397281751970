"""What can be wrong with an archive."""

from arena.errors import ArenaError


class ArchiveError(ArenaError):
    """An archive cannot be read or taken in; the message says where and why."""
