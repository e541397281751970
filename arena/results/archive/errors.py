"""Errors of archives."""

from arena.values.errors import ArenaError


class ArchiveError(ArenaError):
    """An archive cannot be read or imported; the message says where and why."""
