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
"""Stands for a message where trio is to learn that one has left; it is told apart by identity."""


class Peer(Protocol):
    """What trio does with one stream."""

    def received(self, payload: bytes, stamp: float) -> None:
        """Take a message that was read at `stamp`, on trio's clock."""

    def ended(self, reason: str) -> None:
        """Learn that the other side is gone; called once, and not after `Stream.close`."""


class Carrier(Protocol):
    """What a stream needs of the link that it belongs to (see `referee.connection.grpc_server.Link`).

    dirty: streams with something to send. offset: what `perf_counter` lacks to trio's clock, in seconds.
    """

    dirty: "list[Stream]"
    offset: float

    def call(self, what: Callable[..., object], *args: object) -> None:
        """Run something in the asyncio thread."""

    def deliver(self, stream: "Stream", payload: bytes | None, reason: str) -> None:
        """Hand something to trio (called in the asyncio thread)."""


class Traffic:
    """What the streams of one server have carried. messages: both ways. received: bytes, HTTP/2's own included."""

    __slots__ = ("messages", "received")

    def __init__(self) -> None:
        self.messages = 0
        self.received = 0


class Stream:
    """One bidirectional stream, seen from trio.

    peer: who takes its messages; set by the service as soon as the stream is opened.
    left: when the last marked message was ready to leave, on trio's clock; None while it was not. A peer that does
    not read keeps it waiting from then on, on its own time.
    begun, written: how many messages have begun to leave, and how many have left whole.
    closed: neither side will say anything more.
    """

    __slots__ = (
        "_link", "_opened", "_traffic", "_out", "_more", "_credit", "_delivered", "_taken", "_queued", "_marked",
        "_held", "peer", "left", "begun", "written", "closed",
    )  # fmt: skip

    def __init__(self, link: Carrier, opened: "Service", traffic: Traffic) -> None:
        self._link = link
        self._opened: Service | None = opened
        self._traffic = traffic
        self._out: deque[bytes | None] = deque()
        self._more = asyncio.Event()
        self._credit = asyncio.Event()
        self._delivered = 0
        self._taken = 0
        self._queued = 0
        self._marked = False
        self._held: deque[tuple[bytes, float]] = deque()
        self.peer: Peer | None = None
        self.left: float | None = None
        self.begun = 0
        self.written = 0
        self.closed = False

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        """Queue a message, which leaves at the next `Link.flush`, and return its number on this stream, from 1.

        mark: `left` is to tell when it was ready to leave.
        """
        if mark:
            self.left = None
        self._queued += 1
        self._out.append(payload)
        if mark:
            self._marked = True
        self._link.dirty.append(self)
        return self._queued

    def close(self) -> None:
        """End the stream once everything queued has left; where the peer does not read, its server has to stop."""
        if not self.closed:
            self.closed = True
            self._held.clear()
            self._out.append(None)
            self._link.dirty.append(self)

    def hold(self, payload: bytes, stamp: float) -> None:
        """Give a message back that was received too early: it comes again once the next message has left whole.

        It counts against the credit of the peer meanwhile.
        """
        self._held.append((payload, stamp))
        if self.written == self.begun:  # it left while we were looking
            self._link.call(self._link.deliver, self, WRITTEN, "")

    @property
    def holds(self) -> bool:
        """Whether a message was given back, and has not come again."""
        return bool(self._held)

    # In the asyncio thread

    def wake(self) -> None:
        """Let the writer look at what is queued."""
        self._stamp()
        self._more.set()

    def _stamp(self) -> None:
        if self._marked:
            self._marked = False
            self.left = perf_counter() + self._link.offset

    async def serve(self, context: Any) -> None:
        """Carry messages both ways until either side ends."""
        reader = asyncio.create_task(self._read(context))
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                while self._out:
                    payload = self._out.popleft()
                    if payload is None:
                        return
                    self._stamp()
                    self._traffic.messages += 1
                    self.begun += 1
                    await context.write(payload)
                    self.written += 1
                    if self._held:
                        self._link.deliver(self, WRITTEN, "")
        except asyncio.CancelledError:
            return  # the other side is gone, or the server stops: no news for gRPC's log
        finally:
            reader.cancel()
            self._link.deliver(self, None, "the stream was closed")

    async def _read(self, context: Any) -> None:
        try:
            while (payload := await context.read()) is not grpc.aio.EOF:
                self._delivered += 1
                self._traffic.messages += 1
                self._traffic.received += len(payload) + MESSAGE_OVERHEAD_BYTES
                self._link.deliver(self, payload, "")
                while self._delivered - self._taken >= CREDIT:
                    self._credit.clear()
                    if self._delivered - self._taken >= CREDIT:
                        await self._credit.wait()
            self._link.deliver(self, None, "it ended its side of the stream")
        except (grpc.RpcError, asyncio.CancelledError):
            raise
        except Exception as error:
            self._link.deliver(self, None, f"its stream broke: {error}")

    # In trio

    def arrive(self, payload: bytes | None, stamp: float, reason: str) -> None:
        """Pass what the asyncio thread delivered on to the peer."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            opened(self)
        if payload is None:
            if not self.closed:
                self.close()
                if self.peer is not None:
                    self.peer.ended(reason)
        elif payload is WRITTEN:
            held, self._held = self._held, deque()
            for early, when in held:
                self._pass_on(early, when)
        else:
            self._pass_on(payload, stamp)

    def _pass_on(self, payload: bytes, stamp: float) -> None:
        if self._held:  # messages stay in their order
            self._held.append((payload, stamp))
            return
        if not self.closed and self.peer is not None:
            self.peer.received(payload, stamp)
            if self._held:
                return
        self._taken += 1
        if self._delivered - self._taken >= CREDIT - 1:
            self._link.call(self._credit.set)


Service = Callable[[Stream], None]
"""What to do with a new stream: give it a peer."""
