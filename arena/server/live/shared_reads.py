"""What many streams show, read from the database once for all of them."""

from collections.abc import AsyncGenerator, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import trio

from arena.server.live.event_streams import HEARTBEAT
from arena.store import StoreUnavailable
from arena.values.server_log import report_trouble

MOST_READS = 4
"""The largest number of concurrent reads."""

RETRY_SECONDS = 5.0
"""Before a stream reads again from a database that could not be used."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(slots=True)
class _Latest(Generic[Value]):
    """What was read last of a subject, and when."""

    value: Value | None = None
    read: float = 0.0
    streams: int = 0
    """How many streams show it."""
    lock: trio.Lock = field(default_factory=trio.Lock)


class SharedReads(Generic[Key, Value]):
    """Reads each subject at most once in `pause` seconds, for any number of streams.

    threads: the limiter of the threads in which it reads.
    """

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._latest: dict[Key, _Latest[Value]] = {}
        self.threads = trio.CapacityLimiter(MOST_READS)

    @contextmanager
    def followed(self, key: Key) -> Iterator[None]:
        """Keep what is read of a subject while the block runs, for all who follow it."""
        latest = self._latest.setdefault(key, _Latest())
        latest.streams += 1
        try:
            yield
        finally:
            latest.streams -= 1
            if not latest.streams:
                del self._latest[key]

    async def changes(
        self,
        key: Key,
        query: Callable[[Value | None], Value],
        is_over: Callable[[Value], bool],
        on_query: Callable[[], Any] = lambda: None,
    ) -> AsyncGenerator[Value | None, None]:
        """Yield what a query tells whenever it has changed, until it is over; None after `HEARTBEAT` without a change.

        A database that is away for a while ends no stream: its response has begun, so it could not become an error.

        query: as for `read`.
        on_query: called after each query.
        """
        sent, quiet, is_away = None, 0.0, False
        with self.followed(key):
            while True:
                try:
                    value = await self.read(key, query)
                except StoreUnavailable as error:
                    if not is_away:
                        report_trouble(error)
                    is_away = True
                    await trio.sleep(RETRY_SECONDS)
                    quiet += RETRY_SECONDS
                    if quiet >= HEARTBEAT:
                        yield None
                        quiet = 0.0
                    continue
                is_away = False
                if value != sent:
                    yield value
                    sent, quiet = value, 0.0
                elif quiet >= HEARTBEAT:
                    yield None
                    quiet = 0.0
                on_query()
                if is_over(value):
                    return
                await trio.sleep(self._pause)
                quiet += self._pause

    async def read(self, key: Key, query: Callable[[Value | None], Value]) -> Value:
        """Return what a query tells about a subject, at most a pause old.

        query: takes what it told before, if anything is kept, and is called in a thread; what it raises is raised.
        """
        with self.followed(key):
            latest = self._latest[key]
            async with latest.lock:
                if latest.value is None or trio.current_time() >= latest.read + self._pause:
                    latest.value = await trio.to_thread.run_sync(query, latest.value, limiter=self.threads)
                    latest.read = trio.current_time()
                return latest.value
