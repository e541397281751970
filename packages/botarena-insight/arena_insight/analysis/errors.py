"""What can keep a match from being analysed.

AnalysisError   there is no such question, seat or move, or the game deals in a way that is unknown here
"""

from arena.values.errors import ArenaError


class AnalysisError(ArenaError):
    """A match cannot be analysed as asked; the message says what to do."""


KILLED = "a process that plays the matches on was killed, perhaps for want of memory: fewer --jobs"
"""The message of an AnalysisError."""
