"""Pages of leagues whose parts change, as server-sent events.

A page consists of parts, elements with an id. For all who watch a page there is one reader, and for all pages of a
league one poller, which notices by a small query that something has changed. Then the page is read again, and the parts
that differ are sent. All readers together rest so long after each that they take less than one per cent of a core,
whatever pages show and however many people watch them; who opens many pages waits for them, and nobody else does.
"""

from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from time import thread_time

import trio

from arena.server.live.event_streams import COMMENT, HEARTBEAT, event
from arena.server.live.page_parts import LONGEST, KnownParts, PageParts
from arena.server.live.reading_turns import ReadingTurns, Viewers
from arena.store.engine.errors import StoreUnavailable
from arena.values.server_log import report_bug, report_trouble

PAUSE = 2.0
"""Seconds between two queries of the database."""

SEND_SECONDS = 0.0004
"""CPU time for sending an event to one browser."""

REST = 150
"""How many times what it cost all readers rest after an event."""

RETRY = 30.0
"""Seconds after which a page that could not be read is read again."""

MOST_READS = 2
"""The largest number of pages that are read at the same time."""

KNOWN = 256
"""Earlier states of pages that are known: a browser with one of them is sent what has changed since."""

KNOWN_PARTS = 100_000
"""Parts of all these states: a board of 5,000 entries has as many in each."""


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page that can be watched. Both functions are called in threads."""

    topic: Hashable
    """What the page is about, which several pages may share."""
    name: str
    """The name of the page, unique among those of the topic."""
    pulse: Callable[[], Hashable]
    """Returns what changes whenever a page of the topic does."""
    read: Callable[[], PageParts]
    """Returns the parts of the page."""

    @property
    def key(self) -> tuple[Hashable, str]:
        """What tells it from other pages."""
        return self.topic, self.name


class _Topic:
    """A topic of pages that are watched.

    version: raised whenever something has changed.
    """

    def __init__(self) -> None:
        self.version = 0
        self.changed = trio.Event()
        self.pages = 0
        self.scope = trio.CancelScope()


class _Watched:
    """A page that is watched.

    parts: its parts as they were read last.
    texts: the events that lead to these parts, by the digest of the parts that a browser has.
    """

    def __init__(self, topic: _Topic) -> None:
        self.topic = topic
        self.parts: PageParts | None = None
        self.texts: dict[str, str] = {}
        self.changed = trio.Event()
        self.scope = trio.CancelScope()


class LivePages:
    """The pages that are watched, each with one reader for all who watch it."""

    def __init__(self) -> None:
        self._topics: dict[Hashable, _Topic] = {}
        self._watched: dict[Hashable, _Watched] = {}
        self._viewers = Viewers()
        self._turns = ReadingTurns(self._viewers)
        self._known: OrderedDict[tuple[Hashable, str], KnownParts] = OrderedDict()
        self._known_parts = 0
        self._lock = Lock()
        self._threads = trio.CapacityLimiter(MOST_READS)
        self._nursery: trio.Nursery | None = None

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the readers until cancelled."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    def remember(self, key: Hashable, parts: PageParts) -> None:
        """Keep what a browser is sent as a page, so that later only changes are; from any thread."""
        place = (key, parts.digest)
        with self._lock:
            if place not in self._known:
                self._known[place] = KnownParts.of(parts)
                self._known_parts += len(self._known[place].hashes)
            self._known.move_to_end(place)
            while len(self._known) > KNOWN or (self._known_parts > KNOWN_PARTS and len(self._known) > 1):
                _, dropped = self._known.popitem(last=False)
                self._known_parts -= len(dropped.hashes)

    async def events(self, page: LivePage, digest: str, visitor: Hashable = None) -> AsyncGenerator[str, None]:
        """Yield an event with the changed parts whenever there are any.

        digest: the digest of the parts that the browser has.
        visitor: who watches; all have the same share of the readers.
        """
        watched = self._begin(page)
        self._viewers.add(page.key, visitor)
        try:
            while True:
                changed = watched.changed
                if watched.parts is not None and watched.parts.digest != digest:
                    text, digest = self._text(page.key, watched, digest), watched.parts.digest
                    yield text
                    continue
                with trio.move_on_after(HEARTBEAT) as quiet:
                    await changed.wait()
                if quiet.cancelled_caught:
                    yield COMMENT
        finally:
            self._viewers.remove(page.key, visitor)
            if not self._viewers.count(page.key):
                self._end(page)

    def _begin(self, page: LivePage) -> _Watched:
        """Return a page as it is watched; start its reader, and the poller of its topic, unless they run."""
        assert self._nursery is not None, "readers run in LivePages.run"
        if page.key not in self._watched:
            if page.topic not in self._topics:
                topic = self._topics[page.topic] = _Topic()
                self._nursery.start_soon(self._poll, page.pulse, topic)
            topic = self._topics[page.topic]
            topic.pages += 1
            watched = self._watched[page.key] = _Watched(topic)
            self._nursery.start_soon(self._read, page, watched)
        return self._watched[page.key]

    def _end(self, page: LivePage) -> None:
        """Stop the reader of a page that nobody watches any more."""
        watched = self._watched.pop(page.key)
        watched.scope.cancel()
        watched.topic.pages -= 1
        if not watched.topic.pages:
            watched.topic.scope.cancel()
            del self._topics[page.topic]

    def _text(self, key: Hashable, watched: _Watched, digest: str) -> str:
        """Return the event that brings a browser with earlier parts up to date."""
        assert watched.parts is not None
        with self._lock:
            known = self._known.get((key, digest))
        place = digest if known is not None else ""
        if place not in watched.texts:
            changes = event("parts", watched.parts.changes(known))
            if len(changes) > LONGEST:
                changes = event("stale", {})
            watched.texts[place] = f"id: {watched.parts.digest}\n{changes}"
        return watched.texts[place]

    async def _poll(self, pulse: Callable[[], Hashable], topic: _Topic) -> None:
        """Notice when something has changed, as long as any page of the topic is watched."""
        known: Hashable = None
        with topic.scope:
            while True:
                pause = PAUSE
                try:
                    newest = await trio.to_thread.run_sync(pulse, limiter=self._threads)
                    if newest != known:
                        known = newest
                        topic.version += 1
                        topic.changed.set()
                        topic.changed = trio.Event()
                except Exception as error:  # a database that cannot be read now, or a bug: pages stay as they are
                    _report(error)
                    pause = RETRY
                await trio.sleep(pause)

    async def _read(self, page: LivePage, watched: _Watched) -> None:
        """Read a page whenever its topic has changed, as long as anybody watches it."""
        seen = 0
        with watched.scope:
            while True:
                while watched.topic.version == seen:
                    await watched.topic.changed.wait()
                failed = False
                async with self._turns.take(page.key):
                    version = watched.topic.version
                    try:
                        is_whole, cost = await self._update(page, watched)
                        seen = version if is_whole else 0
                        await trio.sleep(REST * cost)
                    except Exception as error:
                        _report(error)
                        failed = True
                if failed:  # others have their turn meanwhile
                    await trio.sleep(RETRY)

    async def _update(self, page: LivePage, watched: _Watched) -> tuple[bool, float]:
        """Read a page, and let those who watch it know if it has changed.

        Returns whether they know all of it now, and the CPU time that it took, in seconds.
        """
        newest, cost = await trio.to_thread.run_sync(_measured, page.read, limiter=self._threads)
        parts = newest if watched.parts is None else newest.after(watched.parts)
        if watched.parts is not None and watched.parts.digest == parts.digest:
            return True, cost
        self.remember(page.key, parts)
        watched.parts = parts
        watched.texts.clear()
        watched.changed.set()
        watched.changed = trio.Event()
        return parts is newest, cost + self._viewers.count(page.key) * SEND_SECONDS


def _report(error: Exception) -> None:
    """Log why a page could not be read: a database that is away for a while is no bug."""
    if isinstance(error, StoreUnavailable):
        report_trouble(error)
    else:
        report_bug(error)


def _measured(read: Callable[[], PageParts]) -> tuple[PageParts, float]:
    """Return the parts of a page, and the CPU time in seconds that they took."""
    began = thread_time()
    parts = read()
    parts.digest  # noqa: B018 (computed in this thread)
    return parts, thread_time() - began
