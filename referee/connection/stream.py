"""One gRPC stream between its asyncio thread and trio: a deque and one wake-up per batch in either direction."""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Any, Protocol

import grpc

CREDIT = 4
"""How many messages of one stream may wait for trio."""

MESSAGE_OVERHEAD_BYTES = 128
"""What HTTP/2 and gRPC may add to a message: frame headers, its length, a window update and a ping."""

WRITTEN = b"written"
"""Stands for a message where trio is to learn that one has been written; it is compared by identity."""


class StreamListener(Protocol):
    """Takes the messages of one stream, in trio."""

    def received(self, payload: bytes, stamp: float) -> None:
        """Take a message that was read at `stamp`, in seconds on trio's clock."""

    def ended(self, reason: str) -> None:
        """Learn that the other side is gone; called once, and not after `Stream.close`."""


class StreamThread(Protocol):
    """What a stream needs of the thread it lives in (see `referee.connection.grpc_server.GrpcThread`).

    unflushed: streams with something to send. offset: trio's clock minus `perf_counter`, in seconds.
    """

    unflushed: "list[Stream]"
    offset: float

    def run_in_asyncio(self, function: Callable[..., object], *args: object) -> None:
        """Run something in the asyncio thread."""

    def deliver(self, stream: "Stream", payload: bytes | None, reason: str) -> None:
        """Hand something to trio (called in the asyncio thread)."""


class Traffic:
    """Counts what the streams of one server carry. messages: both ways. received: bytes, HTTP/2's own included."""

    __slots__ = ("messages", "received")

    def __init__(self) -> None:
        self.messages = 0
        self.received = 0


class Stream:
    """One bidirectional stream, seen from trio.

    listener: takes its messages; set by the `StreamHandler` as soon as the stream is opened.
    sent_at: when the last marked message was ready to be written, in seconds on trio's clock; None until then. A peer
    that does not read delays the message from then on, in its own time.
    writes_begun, writes_done: how many messages have begun to be written, and how many are written.
    closed: neither side sends any more.
    """

    __slots__ = (
        "_thread", "_on_open", "_traffic", "_outgoing", "_has_outgoing", "_has_credit", "_delivered", "_processed",
        "_queued", "_is_marked", "_deferred", "listener", "sent_at", "writes_begun", "writes_done", "closed",
    )  # fmt: skip

    def __init__(self, thread: StreamThread, on_open: "StreamHandler", traffic: Traffic) -> None:
        self._thread = thread
        self._on_open: StreamHandler | None = on_open
        self._traffic = traffic
        self._outgoing: deque[bytes | None] = deque()
        self._has_outgoing = asyncio.Event()
        self._has_credit = asyncio.Event()
        self._delivered = 0
        self._processed = 0
        self._queued = 0
        self._is_marked = False
        self._deferred: deque[tuple[bytes, float]] = deque()
        self.listener: StreamListener | None = None
        self.sent_at: float | None = None
        self.writes_begun = 0
        self.writes_done = 0
        self.closed = False

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        """Queue a message until the next `GrpcThread.flush`; return its number on this stream, from 1.

        mark: set `sent_at` when it is ready to be written.
        """
        if mark:
            self.sent_at = None
        self._queued += 1
        self._outgoing.append(payload)
        if mark:
            self._is_marked = True
        self._thread.unflushed.append(self)
        return self._queued

    def close(self) -> None:
        """End the stream once everything queued is written; where the peer does not read, its server has to stop."""
        if not self.closed:
            self.closed = True
            self._deferred.clear()
            self._outgoing.append(None)
            self._thread.unflushed.append(self)

    def defer(self, payload: bytes, stamp: float) -> None:
        """Give a message back that came too early: the listener gets it again once the next message is written.

        It counts against the credit of the peer meanwhile.
        """
        self._deferred.append((payload, stamp))
        if self.writes_done == self.writes_begun:  # it was written meanwhile
            self._thread.run_in_asyncio(self._thread.deliver, self, WRITTEN, "")

    @property
    def has_deferred(self) -> bool:
        """Whether a message was deferred and has not been delivered again."""
        return bool(self._deferred)

    # In the asyncio thread

    def wake(self) -> None:
        """Let the writer look at what is queued."""
        self._stamp()
        self._has_outgoing.set()

    def _stamp(self) -> None:
        if self._is_marked:
            self._is_marked = False
            self.sent_at = perf_counter() + self._thread.offset

    async def serve(self, context: Any) -> None:
        """Carry messages both ways until either side ends."""
        reader = asyncio.create_task(self._read(context))
        try:
            while True:
                await self._has_outgoing.wait()
                self._has_outgoing.clear()
                while self._outgoing:
                    payload = self._outgoing.popleft()
                    if payload is None:
                        return
                    self._stamp()
                    self._traffic.messages += 1
                    self.writes_begun += 1
                    await context.write(payload)
                    self.writes_done += 1
                    if self._deferred:
                        self._thread.deliver(self, WRITTEN, "")
        except asyncio.CancelledError:
            return  # the other side is gone, or the server stops: no news for gRPC's log
        finally:
            reader.cancel()
            self._thread.deliver(self, None, "the stream was closed")

    async def _read(self, context: Any) -> None:
        try:
            while (payload := await context.read()) is not grpc.aio.EOF:
                self._delivered += 1
                self._traffic.messages += 1
                self._traffic.received += len(payload) + MESSAGE_OVERHEAD_BYTES
                self._thread.deliver(self, payload, "")
                while self._delivered - self._processed >= CREDIT:
                    self._has_credit.clear()
                    if self._delivered - self._processed >= CREDIT:
                        await self._has_credit.wait()
            self._thread.deliver(self, None, "it ended its side of the stream")
        except (grpc.RpcError, asyncio.CancelledError):
            raise
        except Exception as error:
            self._thread.deliver(self, None, f"its stream broke: {error}")

    # In trio

    def dispatch(self, payload: bytes | None, stamp: float, reason: str) -> None:
        """Pass what the asyncio thread delivered on to the listener."""
        if self._on_open is not None:
            on_open, self._on_open = self._on_open, None
            on_open(self)
        if payload is None:
            if not self.closed:
                self.close()
                if self.listener is not None:
                    self.listener.ended(reason)
        elif payload is WRITTEN:
            deferred, self._deferred = self._deferred, deque()
            for early_payload, early_stamp in deferred:
                self._pass_on(early_payload, early_stamp)
        else:
            self._pass_on(payload, stamp)

    def _pass_on(self, payload: bytes, stamp: float) -> None:
        if self._deferred:  # messages stay in their order
            self._deferred.append((payload, stamp))
            return
        if not self.closed and self.listener is not None:
            self.listener.received(payload, stamp)
            if self._deferred:
                return
        self._processed += 1
        if self._delivered - self._processed >= CREDIT - 1:
            self._thread.run_in_asyncio(self._has_credit.set)


StreamHandler = Callable[[Stream], None]
"""Takes a new stream and gives it a listener."""
