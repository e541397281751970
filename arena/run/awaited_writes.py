"""Waits until something was written to a database, in a run of trio."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import trio

from arena.store.engine.write_watch import WriteWatch


class AwaitedWrites:
    """What is written while `awaited_writes` runs."""

    def __init__(self) -> None:
        self._event = trio.Event()

    def wake(self) -> None:
        """End a wait, or the next one where nobody waits."""
        self._event.set()

    async def wait(self, seconds: float) -> None:
        """Wait until anything may have been written since the last wait ended, for so many seconds at most."""
        with trio.move_on_after(seconds):
            await self._event.wait()
        self._event = trio.Event()


@contextmanager
def awaited_writes(watch: WriteWatch) -> Iterator[AwaitedWrites]:
    """Watch a database while the block runs.

    watch: its `writes`.
    """
    writes = AwaitedWrites()
    with watch.calling(partial(trio.lowlevel.current_trio_token().run_sync_soon, writes.wake, idempotent=True)):
        yield writes
