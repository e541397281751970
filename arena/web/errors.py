"""Errors whose messages visitors read."""

from arena.errors import ArenaError


class PageNotFound(ArenaError):
    """There is no page at the address."""
