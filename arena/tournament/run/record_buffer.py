"""Finished matches on their way to the database."""

from collections import deque

import trio

from arena.tournament.run.dispatcher import Haul

MOST_MATCHES = 16_384
MOST_BYTES = 64 * 1024 * 1024
"""How much is kept in memory; whoever has more waits, and its referee is given no more matches meanwhile."""

MOST_AT_ONCE = 2_000
"""Matches that are stored in one transaction: nobody else writes to a file meanwhile."""


class RecordBuffer:
    """A queue between those who bring records and the one who stores them, bounded by matches and bytes.

    What was taken counts until it is stored: `stored` makes room for more.
    """

    def __init__(self) -> None:
        self._waiting: deque[Haul] = deque()
        self._matches = self._bytes = 0
        self._closed = False
        self._changed = trio.lowlevel.ParkingLot()

    @property
    def matches(self) -> int:
        """How many matches it holds that are not stored."""
        return self._matches

    async def put(self, haul: Haul) -> None:
        """Add what is to be stored, then wait until there is room for more."""
        self._waiting.append(haul)
        self._matches += len(haul.rows)
        self._bytes += haul.size
        self._changed.unpark_all()
        while self._matches > MOST_MATCHES or self._bytes > MOST_BYTES:
            await self._changed.park()
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        """Add no more."""
        self._closed = True
        self._changed.unpark_all()

    async def take(self, seconds: float) -> list[Haul]:
        """Return what one transaction is to store, the oldest first; nothing once it is closed and empty.

        seconds: how long what is there waits for more to come.
        """
        while not self._waiting and not self._closed:
            await self._changed.park()
        with trio.move_on_after(seconds):
            while not self._closed and self._matches <= MOST_MATCHES and self._bytes <= MOST_BYTES:
                await self._changed.park()
        taken: list[Haul] = []
        matches = 0
        while self._waiting and matches < MOST_AT_ONCE:
            taken.append(self._waiting.popleft())
            matches += len(taken[-1].rows)
        return taken

    def stored(self, hauls: list[Haul]) -> None:
        """Make room: these are stored."""
        self._matches -= sum(len(haul.rows) for haul in hauls)
        self._bytes -= sum(haul.size for haul in hauls)
        self._changed.unpark_all()
