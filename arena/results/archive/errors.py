"""Errors of archives."""

from arena.values.errors import ArenaError

MAX_SENTENCE = 300
"""Most characters of what an error quotes of a file."""


class ArchiveError(ArenaError):
    """An archive cannot be read or imported; the message says where and why."""
