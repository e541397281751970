"""Deletes what bots wrote in old batches, so that a league that plays for years does not fill its disk."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import trio

from arena.league.store.leagues import Leagues
from arena.league.store.old_notes import drop_notes
from arena.run.database_retry import DatabaseRetry
from arena.store import Store
from arena.values.errors import ArenaError

PAUSE_SECONDS = 600.0
"""Between two looks for batches that have become old."""


class NoteExpiry:
    """Deletes the notes and the output of bots in each batch of a league, some days after the batch."""

    def __init__(self, store: Store, retry: DatabaseRetry, days: int, fail: Callable[[ArenaError], None]) -> None:
        """Prepare to delete.

        days: how long notes and output are kept; 0: for ever.
        fail: is called with an error that the database raises.
        """
        self._store = store
        self._retry = retry
        self._days = days
        self._fail = fail

    async def keep(self) -> None:
        """Delete what is old, again and again."""
        while self._days:
            try:
                await self.expire(datetime.now(UTC))
            except ArenaError as error:
                return self._fail(error)
            await trio.sleep(PAUSE_SECONDS)

    async def expire(self, now: datetime) -> None:
        """Delete what is old at a moment, in a transaction for each batch: others write meanwhile."""
        before = (now - timedelta(days=self._days)).isoformat(timespec="seconds")
        for league in await self._retry.call(Leagues(self._store).all):
            batch: int | None = 0
            while batch is not None:
                batch = await self._retry.call(drop_notes, self._store, league.id, before, batch)
