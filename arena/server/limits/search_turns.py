"""Turns of searches, which may read all of a large database, and of other work that takes long.

Those that wait for theirs keep no thread busy.
"""

from collections.abc import Callable
from typing import TypeVar

import trio
from anyio.to_thread import run_sync

SEARCHES = 4
"""The most searches at a time, so that threads and connections to the database are left for other pages."""

VISITOR_SEARCHES = 2
"""The most searches of one visitor at a time."""

Found = TypeVar("Found")


class SearchTurns:
    """Lets few searches run at a time, and fewer of each visitor.

    most: at a time.
    own: of one visitor at a time.
    """

    def __init__(self, most: int = SEARCHES, own: int = VISITOR_SEARCHES) -> None:
        self._all = trio.CapacityLimiter(most)
        self._most_own = own
        self._own: dict[str, trio.CapacityLimiter] = {}

    async def run(self, visitor: str, search: Callable[[], Found]) -> Found:
        """Search in a thread once it is the turn of a visitor, and return what is found."""
        own = self._own.setdefault(visitor, trio.CapacityLimiter(self._most_own))
        try:
            async with own, self._all:
                return await run_sync(search)
        finally:
            if not own.borrowed_tokens and not own.statistics().tasks_waiting:
                self._own.pop(visitor, None)
