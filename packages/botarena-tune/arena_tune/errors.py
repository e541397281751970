"""What tuning raises."""

from arena.values.errors import ArenaError


class TuneError(ArenaError):
    """A run cannot be begun, resumed or applied; the message says why."""
