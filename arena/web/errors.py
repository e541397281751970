"""Errors of the pages whose sentences visitors read."""

from arena.errors import ArenaError


class PageNotFound(ArenaError):
    """Nothing is stored under the address."""
