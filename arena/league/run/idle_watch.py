"""Spares a run the queries of a look at the database as long as nothing was written."""

from collections.abc import Callable, Hashable

import trio

from arena.run.database_retry import DatabaseRetry

LOOK_SECONDS = 5.0
"""After which a look is taken although nothing was written: dates pass, leases run out, rests end."""

SHARED_SECONDS = 0.25
"""How long a mark is good for all who ask."""


class SharedMark:
    """The mark of a database, read for all watches of a run.

    mark: as `Store.mark`.
    """

    def __init__(self, mark: Callable[[], Hashable], retry: DatabaseRetry) -> None:
        self._mark = mark
        self._retry = retry
        self._latest: Hashable = None
        self._until = float("-inf")

    async def read(self) -> Hashable:
        """Return a mark that is hardly older than now."""
        now = trio.current_time()
        if now >= self._until:
            self._latest = await self._retry.call(self._mark)
            self._until = now + SHARED_SECONDS
        return self._latest


class IdleWatch:
    """Tells whether there may be anything new."""

    def __init__(self, shared: SharedMark) -> None:
        self._shared = shared
        self._seen: Hashable = None
        self._until = float("-inf")

    async def has_changed(self) -> bool:
        """Return whether there may be anything new since this returned true last."""
        mark = await self._shared.read()
        if mark == self._seen and trio.current_time() < self._until:
            return False
        self._seen, self._until = mark, trio.current_time() + LOOK_SECONDS
        return True

    def reset(self) -> None:
        """Let there be something new at the next call."""
        self._until = float("-inf")
