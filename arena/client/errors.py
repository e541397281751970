"""Errors of the client."""

from arena.values.errors import ArenaError


class ServerError(ArenaError):
    """A server cannot be reached, or refuses a request; the message says why and what to do."""


class Unreachable(ServerError):
    """A server cannot be reached at the moment, and may be later."""
