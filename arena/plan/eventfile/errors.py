"""Errors of event files."""

from arena.values.errors import ArenaError


class EventError(ArenaError):
    """An event file cannot be read, or says something that makes no sense; the message names the key."""
