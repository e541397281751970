"""Errors of static sites."""

from arena.values.errors import ArenaError


class SiteError(ArenaError):
    """A site cannot be written; the message says why and what to do."""
