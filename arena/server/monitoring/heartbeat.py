"""Whether a loop still goes round."""

from collections.abc import Callable
from time import monotonic

LONGEST_SECONDS = 120.0
"""Between two beats: a round of a large league, ratings included, is shorter also on a busy machine."""


class Heartbeat:
    """Remembers when a loop went round last.

    clock: returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last = clock()

    def beat(self) -> None:
        """Note that the loop has begun another round."""
        self._last = self._clock()

    def is_alive(self) -> bool:
        """Return whether the last round began lately."""
        return self._clock() - self._last < LONGEST_SECONDS
