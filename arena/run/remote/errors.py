"""Errors of remote bots."""

from arena.values.errors import ArenaError


class RemoteError(ArenaError):
    """The gate cannot listen, or a token cannot be issued."""
