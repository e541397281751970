"""Finished matches on their way to the database."""

from collections import deque

import trio

from arena.run.dispatcher import ResultBatch

MOST_MATCHES = 16_384
MOST_BYTES = 64 * 1024 * 1024
"""How much is held in memory; a referee that brings more waits, and is given no more matches meanwhile."""

MOST_AT_ONCE = 2_000
"""Matches that are stored in one transaction: nobody else writes to a file meanwhile."""


class RecordBuffer:
    """A queue from the dispatcher to the database, bounded by matches and bytes.

    What was taken counts until `stored` says that it is stored.
    """

    def __init__(self) -> None:
        self._waiting: deque[ResultBatch] = deque()
        self._matches = self._bytes = 0
        self._closed = False
        self._changed = trio.lowlevel.ParkingLot()

    @property
    def matches(self) -> int:
        """How many matches are not stored yet."""
        return self._matches

    async def put(self, batch: ResultBatch) -> None:
        """Add a batch, then wait until there is room for more."""
        self._waiting.append(batch)
        self._matches += len(batch.rows)
        self._bytes += batch.size
        self._changed.unpark_all()
        while self._matches > MOST_MATCHES or self._bytes > MOST_BYTES:
            await self._changed.park()
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        """Say that no more will be added."""
        self._closed = True
        self._changed.unpark_all()

    async def take(self, seconds: float) -> list[ResultBatch]:
        """Return the batches for one transaction, oldest first; none once the buffer is closed and empty.

        seconds: how long the batches wait for more.
        """
        while not self._waiting and not self._closed:
            await self._changed.park()
        with trio.move_on_after(seconds):
            while not self._closed and self._matches <= MOST_MATCHES and self._bytes <= MOST_BYTES:
                await self._changed.park()
        batches: list[ResultBatch] = []
        matches = 0
        while self._waiting and matches < MOST_AT_ONCE:
            batches.append(self._waiting.popleft())
            matches += len(batches[-1].rows)
        return batches

    def stored(self, batches: list[ResultBatch]) -> None:
        """Make room for as much as these batches, which are stored."""
        self._matches -= sum(len(batch.rows) for batch in batches)
        self._bytes -= sum(batch.size for batch in batches)
        self._changed.unpark_all()
