"""What keeps remote bots from taking part."""

from arena.errors import ArenaError


class RemoteError(ArenaError):
    """The gate cannot be opened, or a token cannot be given."""
