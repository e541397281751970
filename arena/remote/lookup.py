"""Whose token it is, by reads of the database that all who wait share."""

import asyncio
from collections.abc import Callable, Sequence

from arena.remote.tokens import holder

PAUSE = 0.05
"""Seconds between two reads: so often the database is read, however many show a token."""

Hashes = Callable[[], Sequence[tuple[str, str]]]
"""Reads of each bot that may take part its name and the hash of its token."""


class Lookup:
    """Looks tokens up; what was revoked before one is shown counts. For one asyncio loop."""

    def __init__(self, hashes: Hashes) -> None:
        self._hashes = hashes
        self._next: asyncio.Task[Sequence[tuple[str, str]]] | None = None
        self._last = 0.0

    async def name_of(self, token: str) -> str | None:
        """Return whose token it is, or None."""
        if self._next is None:
            self._next = asyncio.create_task(self._read())
        return holder(token, await asyncio.shield(self._next))

    async def _read(self) -> Sequence[tuple[str, str]]:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._last + PAUSE - loop.time()))
        self._next = None  # who comes from now on waits for the next one: something may have changed since
        try:
            return await asyncio.to_thread(self._hashes)
        finally:
            self._last = loop.time()
