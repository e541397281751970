"""Server-sent events: what is written, and how many may listen."""

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
"""At the same time; connections beyond them are left for pages."""

VISITOR_STREAMS = 256
"""Of one visitor: people of one school may share an address."""

HEARTBEAT = 15.0
"""Seconds after which something is sent in any case, by which a browser that is gone is noticed."""

NOTHING = ":\n\n"
"""A comment, of which browsers tell nobody."""


def event(name: str, value: Any) -> str:
    """Return one server-sent event."""
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n"


class StreamCounter:
    """Counts the streams that are open."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextmanager
    def admit(self, address: str) -> Iterator[None]:
        """Count a stream as long as it lasts. Raises HTTPException where there are too many."""
        name = visitor_key(address)
        if self._open[name] >= VISITOR_STREAMS or self._open.total() >= STREAMS:
            raise HTTPException(
                HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are followed live: reload this one later"
            )
        self._open[name] += 1
        try:
            yield
        finally:
            self._open[name] -= 1
            if not self._open[name]:
                del self._open[name]


class EventStream(StreamingResponse):
    """An answer of events, which ends with them or when the browser is gone."""

    def __init__(self, events: AsyncGenerator[str, None], streams: StreamCounter) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"cache-control": "no-store"})
        self._events = events
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        async with aclosing(self._events):
            with self._streams.admit(client[0] if client else ""):
                await super().__call__(scope, receive, send)
