"""One gRPC stream: what comes goes to its listener, what is queued leaves message by message."""

from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from grpc._cython import cygrpc  # type: ignore[attr-defined]

MESSAGE_OVERHEAD_BYTES = 128
"""What HTTP/2 and gRPC may add to a message: frame headers, its length, a window update and a ping."""


class StreamListener(Protocol):
    """Takes the messages of one stream."""

    def received(self, payload: bytes, stamp: float) -> None:
        """Take a message that was read at `stamp`, in seconds on trio's clock."""

    def ended(self, reason: str) -> None:
        """Learn that the other side is gone; called once, and not after `Stream.close`."""


class StreamHost(Protocol):
    """What a stream needs of the servers of its process (see `referee.connection.grpc_server.GrpcServers`)."""

    unflushed: "list[Stream]"
    """The streams with something to send."""
    now: Callable[[], float]
    """Returns the time of trio's clock, in seconds."""

    def call_soon(self, function: Callable[[Any, float], None]) -> None:
        """Call a function, with an event that is None, after the events that wait."""

    def call_after(self, seconds: float, function: Callable[[], object]) -> None:
        """Call a function in so many seconds."""


class Traffic:
    """Counts what the streams of one server carry. messages: both ways. received: bytes, HTTP/2's own included."""

    __slots__ = ("messages", "received")

    def __init__(self) -> None:
        self.messages = 0
        self.received = 0


class Stream:
    """One bidirectional stream.

    listener: takes its messages; set by the `StreamHandler`, which gets the stream with what arrives first.
    sent_at: when the last marked message was ready to be written, in seconds on trio's clock; None until then. A peer
    that does not read delays the message from then on, in its own time.
    writes_begun, writes_done: how many messages have begun to be written, and how many are written.
    closed: neither side sends any more.
    """

    __slots__ = (
        "_host", "_call", "_on_open", "_traffic", "_outgoing", "_queued", "_is_marked", "_is_receiving", "_deferred",
        "_rests",
        "listener", "sent_at", "writes_begun", "writes_done", "closed",
    )  # fmt: skip

    def __init__(self, host: StreamHost, call: Any, on_open: "StreamHandler", traffic: Traffic) -> None:
        """Begin to receive on a call that a server has accepted (`cygrpc.Call`)."""
        self._host = host
        self._call = call
        self._on_open: StreamHandler | None = on_open
        self._traffic = traffic
        self._outgoing: deque[bytes | None] = deque()
        self._queued = 0
        self._is_marked = False
        self._is_receiving = False
        self._rests = 0
        self._deferred: deque[tuple[bytes, float]] = deque()
        self.listener: StreamListener | None = None
        self.sent_at: float | None = None
        self.writes_begun = 0
        self.writes_done = 0
        self.closed = False
        call.start_server_batch((cygrpc.SendInitialMetadataOperation(None, 0),), ignore)
        call.start_server_batch((cygrpc.ReceiveCloseOnServerOperation(0),), self._handle_close)
        self._receive()

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        """Queue a message until the next `GrpcServers.flush`; return its number on this stream, from 1.

        mark: set `sent_at` when it is ready to be written.
        """
        if mark:
            self.sent_at = None
            self._is_marked = True
        self._queued += 1
        self._outgoing.append(payload)
        self._host.unflushed.append(self)
        return self._queued

    def close(self) -> None:
        """End the stream once everything queued is written; where the peer does not read, its server has to stop."""
        if not self.closed:
            self.closed = True
            self._deferred.clear()
            self._outgoing.append(None)
            self._host.unflushed.append(self)

    def flush(self) -> None:
        """Begin to write what is queued."""
        if self._is_marked:
            self._is_marked = False
            self.sent_at = self._host.now()
        if self.writes_begun == self.writes_done:
            self._write_next()

    def defer(self, payload: bytes, stamp: float) -> None:
        """Give a message back that came too early: the listener gets it again once the next message is written.

        Nothing more is received of the peer meanwhile.
        """
        self._deferred.append((payload, stamp))
        if self.writes_done == self.writes_begun:  # it was written meanwhile
            self._host.call_soon(self._deliver_deferred)

    def rest(self, seconds: float) -> None:
        """Receive nothing more of the peer for so many seconds, but the message that may be on its way already.

        What the peer sends meanwhile waits in its own socket. Rests do not add up: the longest counts.
        """
        self._rests += 1
        self._host.call_after(seconds, self._end_rest)

    def _end_rest(self) -> None:
        self._rests -= 1
        self._receive()

    @property
    def has_deferred(self) -> bool:
        """Whether a message was deferred and has not been delivered again."""
        return bool(self._deferred)

    def _write_next(self) -> None:
        """Write the next message, or the end; gRPC takes one at a time."""
        if not self._outgoing:
            return
        payload = self._outgoing.popleft()
        if payload is None:
            self._outgoing.clear()
            status = cygrpc.SendStatusFromServerOperation((), cygrpc.StatusCode.ok, b"", 0)
            self._call.start_server_batch((status,), ignore)
            return
        self._traffic.messages += 1
        self.writes_begun += 1
        self._call.start_server_batch((cygrpc.SendMessageOperation(payload, 0),), self._handle_write)

    def _receive(self) -> None:
        """Receive the next message, unless one is awaited already, or it is too early."""
        if self._is_receiving or self._rests or self._deferred or self.closed:
            return
        self._is_receiving = True
        self._call.start_server_batch((cygrpc.ReceiveMessageOperation(0),), self._handle_message)

    # Events

    def _handle_message(self, event: Any, stamp: float) -> None:
        payload = event.batch_operations[0].message()
        self._is_receiving = False
        self._announce()
        if payload is None:
            self._end("it ended its side of the stream")
            return
        if self.closed:  # who sends on must not keep us busy until our end of the stream can be written
            return
        self._traffic.messages += 1
        self._traffic.received += len(payload) + MESSAGE_OVERHEAD_BYTES
        if self._deferred:  # messages stay in their order
            self._deferred.append((payload, stamp))
            return
        self._receive()  # first, so that what comes meanwhile gets its stamp
        self._pass_on(payload, stamp)

    def _handle_write(self, event: Any, _: float) -> None:
        if event.success:
            self.writes_done += 1
            if self._deferred:
                self._deliver_deferred()
            self._write_next()

    def _handle_close(self, *_: object) -> None:
        self._announce()
        self._end("the stream was closed")

    def _announce(self) -> None:
        """Hand the stream to whoever takes new ones."""
        if self._on_open is not None:
            on_open, self._on_open = self._on_open, None
            on_open(self)

    def _end(self, reason: str) -> None:
        if not self.closed:
            self.close()
            if self.listener is not None:
                self.listener.ended(reason)

    def _pass_on(self, payload: bytes, stamp: float) -> None:
        if not self.closed and self.listener is not None:
            self.listener.received(payload, stamp)

    def _deliver_deferred(self, *_: object) -> None:
        deferred, self._deferred = self._deferred, deque()
        while deferred:
            self._pass_on(*deferred.popleft())
            if self._deferred:  # it is too early still
                self._deferred.extend(deferred)
                return
        self._receive()


StreamHandler = Callable[[Stream], None]
"""Takes a new stream and gives it a listener."""


def ignore(*_: object) -> None:
    """Take an event of which nothing follows."""
