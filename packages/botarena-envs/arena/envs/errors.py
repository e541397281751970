"""What can go wrong in environments."""

from arena.values.errors import ArenaError


class EnvError(ArenaError):
    """An environment that cannot be made, or is used wrongly; the message says how it can."""


class NoLayout(EnvError):
    """A game has no layout of observations."""
