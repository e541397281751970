"""Spares a run the queries of a look at the database as long as nothing was written."""

import trio

from arena.store.engine.write_watch import WriteWatch

LOOK_SECONDS = 10.0
"""After which a look is taken although nothing was written: dates pass, leases run out, rests end."""


class IdleWatch:
    """Tells whether there may be anything new.

    writes: tells that something was written, while anybody waits for that.
    """

    def __init__(self, writes: WriteWatch) -> None:
        self._writes = writes
        self._seen = -1
        self._until = float("-inf")

    def has_changed(self) -> bool:
        """Return whether there may be anything new since this returned true last."""
        count = self._writes.count
        if count == self._seen and trio.current_time() < self._until:
            return False
        self._seen, self._until = count, trio.current_time() + LOOK_SECONDS
        return True

    def reset(self) -> None:
        """Let there be something new at the next call."""
        self._until = float("-inf")
