"""Fair scheduling of the reads of live pages: one at a time, with an equal share for each visitor."""

from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

import trio


class Viewers:
    """Who watches which page."""

    def __init__(self) -> None:
        self._pages = Counter[Hashable]()
        self._of: dict[Hashable, Counter[Hashable]] = {}

    def add(self, page: Hashable, visitor: Hashable) -> None:
        """Note that a visitor opens a page, maybe once more."""
        self._pages[visitor] += 1
        self._of.setdefault(page, Counter())[visitor] += 1

    def remove(self, page: Hashable, visitor: Hashable) -> None:
        """Note that a visitor closes a page that was added."""
        for counted in (self._pages, self._of[page]):
            counted[visitor] -= 1
            if not counted[visitor]:
                del counted[visitor]
        if not self._of[page]:
            del self._of[page]

    def count(self, page: Hashable) -> int:
        """Return by how many a page is watched."""
        return self._of[page].total() if page in self._of else 0

    def weight(self, page: Hashable) -> float:
        """Return the weight of a page: each visitor has a weight of 1, shared by the pages that they watch."""
        return sum(times / self._pages[visitor] for visitor, times in self._of.get(page, Counter()).items())


class ReadingTurns:
    """A lock that goes to the waiting page with the largest product of weight and waiting time."""

    def __init__(self, viewers: Viewers) -> None:
        self._viewers = viewers
        self._is_taken = False
        self._waiting: dict[trio.Event, tuple[Hashable, float]] = {}

    @asynccontextmanager
    async def take(self, page: Hashable) -> AsyncIterator[None]:
        """Hold the lock for a page while the block runs."""
        if self._is_taken:
            given = trio.Event()
            self._waiting[given] = page, trio.current_time()
            try:
                await given.wait()
            except trio.Cancelled:
                if self._waiting.pop(given, None) is None:  # it was given at the same moment
                    self._pass_on()
                raise
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Hand the lock to the next page, if any waits."""
        self._is_taken = bool(self._waiting)
        if self._waiting:
            now = trio.current_time()
            waited = {
                given: (now - since) * self._viewers.weight(page) for given, (page, since) in self._waiting.items()
            }
            chosen = max(waited, key=waited.__getitem__)
            del self._waiting[chosen]
            chosen.set()
