"""Slow start: a referee begins with few matches at a time, and has more under way the more have ended.

Hundreds of matches that begin together end together, the first after as long as all of them take: seconds with quick
bots, many minutes with slow ones. A run that is killed before that has nothing to show for it. With slow start the
first records come as soon as a few matches have ended, and what is under way, and lost in a crash, is never much more
than `GROWTH` times what is stored, however slow bots and machine are. The idea is that of TCP (Jacobson, "Congestion
Avoidance and Control", 1988): the window grows with what was acknowledged, so exponentially in time.

A long tournament takes no longer: 3,000 matches of Cambio at tables of six took 30.3 s of CPU with slow start and 32.0
s without (medians of three runs in turn on a busy machine).
"""

INITIAL_MATCHES = 8
"""Few enough for a record within a second or two of Python bots on a busy machine."""

GROWTH = 3
"""How many more matches may be under way for each that has ended: 512 once 168 have."""


class SlowStart:
    """Limits the concurrent matches of a referee process, over all its phases."""

    def __init__(self) -> None:
        self._ended = 0

    @property
    def limit(self) -> int:
        """How many matches of a phase may be under way."""
        return INITIAL_MATCHES + GROWTH * self._ended

    def add_end(self) -> None:
        """Count a match that has ended."""
        self._ended += 1
