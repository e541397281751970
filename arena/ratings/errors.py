"""What can be wrong with ratings that were asked for."""

from arena.errors import ArenaError


class RatingError(ArenaError):
    """The ratings that were asked for do not exist; the message says why."""
