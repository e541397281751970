"""Server-sent events, and a limit on the number of open streams.

A stream that was opened with a token or a session ends soon after that is revoked: `Viewer.is_valid` is asked again and
again. Whoever streams sends an event or a comment every `HEARTBEAT` seconds at least, so none is forgotten.
"""

import json
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import trio
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.server.limits.open_counter import ALL, OpenCounter
from arena.store.engine.errors import StoreError
from arena.values.visitors import visitor_key

STREAMS = 768
"""The largest number of open streams; the remaining connections serve pages."""

VISITOR_STREAMS = 256
"""The largest number of open streams of one address: people of one school may share it."""

ACCOUNT_STREAMS = 64
"""The largest number of open streams of one account, wherever they come from."""

HEARTBEAT = 30.0
"""Seconds without an event after which a comment is sent: proxies end what is silent for a minute."""

RECHECK_SECONDS = 20.0
"""How long the token or the session of a stream counts as valid, before it is looked up again."""

MOST_CHECKS = 2
"""The largest number of concurrent queries for that."""

COMMENT = ":\n\n"
"""A comment, which browsers ignore."""

VIEWER = "arena.replay"
"""The key in the scope of a request under which `Viewer` is, for requests of somebody who is known."""


def event(name: str, value: Any) -> str:
    """Return one server-sent event."""
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who has opened a stream."""

    account: str
    is_valid: Callable[[], bool]
    """Asks the database whether they may still see it; called in a thread."""


class StreamCounter:
    """Counts the open streams: in all, by visitor, by account.

    checks: limits the queries about their viewers.
    """

    def __init__(self) -> None:
        self._open = OpenCounter()
        self.checks = trio.CapacityLimiter(MOST_CHECKS)

    @property
    def total(self) -> int:
        """How many streams are open."""
        return self._open.count(ALL)

    @contextmanager
    def admit(self, address: str, account: str | None = None) -> Iterator[None]:
        """Count a stream while the block runs.

        account: the name of the account; None for a visitor.

        Raises HTTPException if there are many.
        """
        limits: dict[Hashable, int] = {ALL: STREAMS, ("address", visitor_key(address)): VISITOR_STREAMS}
        if account is not None:
            limits["account", account] = ACCOUNT_STREAMS
        sentence = "too many pages receive live updates: reload this page later"
        with self._open.admit(limits, HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, sentence)):
            yield


class EventStream(StreamingResponse):
    """A response that streams events until they end, the browser disconnects, or its viewer may see no more."""

    def __init__(self, events: AsyncGenerator[str, None], streams: StreamCounter) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"cache-control": "no-store"})
        self._events = events
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        viewer: Viewer | None = scope.get(VIEWER)
        account = None if viewer is None else viewer.account
        stream = self._events if viewer is None else self._while_valid(viewer)
        async with aclosing(self._events), aclosing(stream):
            if scope["method"] == "HEAD":  # as nothing is sent, nobody would notice that the client is gone
                await Response(headers=self.headers)(scope, receive, send)
                return
            with self._streams.admit(client[0] if client else "", account):
                self.body_iterator = stream
                await super().__call__(scope, receive, send)

    async def _while_valid(self, viewer: Viewer) -> AsyncGenerator[str, None]:
        checked = trio.current_time()
        async for text in self._events:
            if trio.current_time() >= checked + RECHECK_SECONDS:
                if not await trio.to_thread.run_sync(_is_valid, viewer, limiter=self._streams.checks):
                    return
                checked = trio.current_time()
            yield text


def _is_valid(viewer: Viewer) -> bool:
    """Return whether a viewer may see more; while the database cannot be used, they may."""
    try:
        return viewer.is_valid()
    except StoreError:
        return True
