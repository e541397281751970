"""Errors of ratings."""

from arena.errors import ArenaError


class RatingError(ArenaError):
    """The requested ratings cannot be computed; the message says why."""
