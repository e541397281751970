"""Errors of matchmaking."""

from arena.values.errors import ArenaError


class DrawError(ArenaError):
    """No batch can be drawn; the message says why."""
