"""Errors whose messages visitors read."""

from arena.values.errors import ArenaError


class PageNotFound(ArenaError):
    """There is no page at the address."""
