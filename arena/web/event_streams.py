"""Server-sent events, and a limit on the number of open streams."""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.visitors import visitor_key

STREAMS = 768
"""The largest number of open streams; the remaining connections serve pages."""

VISITOR_STREAMS = 256
"""The largest number of open streams of one address: people of one school may share it."""

HEARTBEAT = 15.0
"""Seconds without an event after which a comment is sent, to notice a browser that has disconnected."""

COMMENT = ":\n\n"
"""A comment, which browsers ignore."""


def event(name: str, value: Any) -> str:
    """Return one server-sent event."""
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n"


class StreamCounter:
    """Counts the open streams, in all and by visitor."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextmanager
    def admit(self, address: str) -> Iterator[None]:
        """Count a stream while the block runs. Raises HTTPException if there are too many."""
        name = visitor_key(address)
        if self._open[name] >= VISITOR_STREAMS or self._open.total() >= STREAMS:
            raise HTTPException(
                HTTPStatus.SERVICE_UNAVAILABLE, "too many pages receive live updates: reload this page later"
            )
        self._open[name] += 1
        try:
            yield
        finally:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]


class EventStream(StreamingResponse):
    """A response that streams events until they end or the browser disconnects."""

    def __init__(self, events: AsyncGenerator[str, None], streams: StreamCounter) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"cache-control": "no-store"})
        self._events = events
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        async with aclosing(self._events):
            with self._streams.admit(client[0] if client else ""):
                await super().__call__(scope, receive, send)
