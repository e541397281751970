"""Look up tokens, with one read of the database for all that wait."""

import asyncio
from collections.abc import Callable, Sequence

from arena.run.remote.tokens import token_holder

READ_INTERVAL = 0.05
"""Seconds between two reads of the database, however many tokens arrive."""

Hashes = Callable[[], Sequence[tuple[str, str]]]
"""Returns the name of each bot that may take part and the hash of its token."""


class TokenLookup:
    """Looks up tokens. A token that was revoked before the call is never accepted. For one asyncio loop."""

    def __init__(self, hashes: Hashes) -> None:
        self._hashes = hashes
        self._next: asyncio.Task[Sequence[tuple[str, str]]] | None = None
        self._last = 0.0

    async def name_of(self, token: str) -> str | None:
        """Return the name of the bot with this token, or None."""
        if self._next is None:
            self._next = asyncio.create_task(self._read())
        return token_holder(token, await asyncio.shield(self._next))

    async def _read(self) -> Sequence[tuple[str, str]]:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._last + READ_INTERVAL - loop.time()))
        self._next = None  # later callers wait for the next read: tokens may change during this one
        try:
            return await asyncio.to_thread(self._hashes)
        finally:
            self._last = loop.time()
