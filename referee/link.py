"""gRPC streams <-> trio: the only file of the referee that imports grpc.

grpcio has no trio support, so one asyncio loop runs `grpc.aio` servers in a thread of its own, whatever the
number of bots; trio keeps the main thread and the signals. Of the bridges measured (threads per
stream, memory channels, guest mode, trio-asyncio) this one costs least, and batching makes its
cost small. Both directions are a deque and one wake-up per batch.

A stream is read only against credit: a peer that floods waits in its own socket instead of
filling our memory.
"""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, Protocol

# Read by grpc when it is imported: 27 % more unbatched messages, no goaway lines, no fork handlers.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import trio
import uvloop

MESSAGE_BYTES = 1 << 20
CREDIT = 4
"""How many messages of one stream may wait for trio."""

_UNBOUNDED = "referee.v1.WorkService/Work"
"""arena is trusted, and sends a whole phase, tens of thousands of matches, as one message."""

_OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),
)


class Peer(Protocol):
    """What trio does with one stream."""

    def received(self, payload: bytes, stamp: float) -> None:
        """Take a message that was read at `stamp`, on trio's clock."""

    def ended(self, reason: str) -> None:
        """Learn that the other side is gone; called once, and not after `Stream.close`."""


class Stream:
    """One bidirectional stream, seen from trio.

    peer: who takes its messages; set by the service as soon as the stream is opened.
    left: when the last marked message left, on trio's clock; None while it has not.
    closed: neither side will say anything more.
    """

    __slots__ = ("_link", "_opened", "_out", "_more", "_credit", "_delivered", "_taken", "peer", "left", "closed")

    def __init__(self, link: "Link", opened: "Service") -> None:
        self._link = link
        self._opened: Service | None = opened
        self._out: deque[tuple[bytes, bool] | None] = deque()
        self._more = asyncio.Event()
        self._credit = asyncio.Event()
        self._delivered = 0
        self._taken = 0
        self.peer: Peer | None = None
        self.left: float | None = None
        self.closed = False

    def send(self, payload: bytes, *, mark: bool = False) -> None:
        """Queue a message; it leaves at the next `Link.flush`. With `mark`, `left` tells when."""
        if mark:
            self.left = None
        self._out.append((payload, mark))
        self._link.dirty.append(self)

    def close(self) -> None:
        """End the stream once everything queued has left."""
        if not self.closed:
            self.closed = True
            self._out.append(None)
            self._link.dirty.append(self)

    def wake(self) -> None:
        """Let the writer look at what is queued (in the asyncio thread)."""
        self._more.set()

    async def serve(self, context: Any) -> None:
        """Carry messages both ways until either side ends (in the asyncio thread)."""
        reader = asyncio.create_task(self._read(context))
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                while self._out:
                    item = self._out.popleft()
                    if item is None:
                        return
                    payload, mark = item
                    if mark:
                        self.left = perf_counter() + self._link.offset
                    await context.write(payload)
        except asyncio.CancelledError:
            return  # the other side is gone, or the server stops: no news for gRPC's log
        finally:
            reader.cancel()
            self._link.deliver(self, None, "the stream was closed")

    async def _read(self, context: Any) -> None:
        try:
            while (payload := await context.read()) is not grpc.aio.EOF:
                self._delivered += 1
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

    def arrive(self, payload: bytes | None, stamp: float, reason: str) -> None:
        """Pass what the asyncio thread delivered on to the peer (in trio)."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            opened(self)
        if payload is None:
            if not self.closed:
                self.close()
                if self.peer is not None:
                    self.peer.ended(reason)
            return
        if not self.closed and self.peer is not None:
            self.peer.received(payload, stamp)
        self._taken += 1
        if self._delivered - self._taken >= CREDIT - 1:
            self._link.call(self._credit.set)


Service = Callable[[Stream], None]
"""What to do with a new stream: give it a peer."""


class Link:
    """The servers of one referee process and the thread they live in."""

    def __init__(self) -> None:
        self.dirty: list[Stream] = []
        self.offset = 0.0
        self._arrivals: deque[tuple[Stream, bytes | None, float, str]] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._wake = trio.Event()
        self._failure: BaseException | None = None
        self._stopping: asyncio.Event | None = None

    async def run(
        self,
        services: list[tuple[str, str, Service]],
        flush: Callable[[], None],
        *,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Serve until cancelled.

        services: (address to listen on, "package.Service/Method", what to do with a new stream).
        flush: called after every batch of arrivals, to queue what they brought about and call `Link.flush`.
        """
        self._token = trio.lowlevel.current_trio_token()
        self.offset = trio.current_time() - perf_counter()
        started: list[BaseException | None] = []
        thread = threading.Thread(target=self._thread, args=(services, started), name="grpc", daemon=True)
        thread.start()
        await self._wake.wait()
        if started[0] is not None:
            raise started[0]
        task_status.started()
        try:
            while True:
                await self._wake.wait()
                self._wake = trio.Event()
                if self._failure is not None:
                    raise self._failure
                self._dispatch()
                flush()
        finally:
            if self._loop is not None and self._stopping is not None:
                self.call(self._stopping.set)
            with trio.CancelScope(shield=True), trio.move_on_after(2):
                await trio.to_thread.run_sync(thread.join, 2.0, abandon_on_cancel=True)

    def flush(self) -> None:
        """Let everything queued leave."""
        if self.dirty:
            streams, self.dirty = self.dirty, []
            self.call(_pump, streams)

    def call(self, what: Callable[..., object], *args: object) -> None:
        """Run something in the asyncio thread."""
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(what, *args)
        except RuntimeError:
            if not self._loop.is_closed():
                raise

    def deliver(self, stream: Stream, payload: bytes | None, reason: str) -> None:
        """Hand something to trio (called in the asyncio thread)."""
        self._arrivals.append((stream, payload, perf_counter() + self.offset, reason))
        self._notify()

    def _notify(self) -> None:
        assert self._token is not None
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._awake, idempotent=True)

    def _awake(self) -> None:
        self._wake.set()

    def _dispatch(self) -> None:
        arrivals = self._arrivals
        while arrivals:
            stream, payload, stamp, reason = arrivals.popleft()
            stream.arrive(payload, stamp, reason)

    def _thread(self, services: list[tuple[str, str, Service]], started: list[BaseException | None]) -> None:
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(self._serve(services, started))
        except BaseException as error:
            if started:
                self._failure = error
            else:
                started.append(error)
            self._notify()

    async def _serve(self, services: list[tuple[str, str, Service]], started: list[BaseException | None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        servers = []
        for address, path, opened in services:
            bound = -1 if path == _UNBOUNDED else MESSAGE_BYTES
            server = grpc.aio.server(options=(*_OPTIONS, ("grpc.max_receive_message_length", bound)))
            service, method = path.split("/")
            handler: Any = grpc.stream_stream_rpc_method_handler(self._handler(opened))
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
            server.add_insecure_port(address)
            await server.start()
            servers.append(server)
        started.append(None)
        self._notify()
        await self._stopping.wait()
        for server in servers:
            await server.stop(None)

    def _handler(self, opened: Service) -> Any:
        async def handle(_: Any, context: Any) -> None:
            await Stream(self, opened).serve(context)

        return handle


def _pump(streams: list[Stream]) -> None:
    for stream in streams:
        stream.wake()
