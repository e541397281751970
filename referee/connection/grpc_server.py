"""gRPC servers <-> trio: this file and `referee.connection.stream` are the only ones of the referee that import grpc.

grpcio has no trio support, so one asyncio loop runs `grpc.aio` servers in a thread of its own, whatever the
number of bots; trio keeps the main thread and the signals. Of the bridges measured (threads per
stream, memory channels, guest mode, trio-asyncio) this one costs least, and batching makes its
cost small.

A stream is read only against credit: a peer that floods waits in its own socket instead of
filling our memory.
"""

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

# Read by grpc when it is imported: 27 % more unbatched messages, nothing of what peers do wrong on our stderr, no fork
# handlers.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import trio
import uvloop

from referee.connection.grpc_quirks import silence_peers, stop
from referee.connection.stream import Service, Stream, Traffic

MESSAGE_BYTES = 1 << 20


STREAMS = 8
"""How many streams an untrusted peer may open, one after the other; a bot needs one."""

_OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),
)

_TRUSTED = (("grpc.max_receive_message_length", -1),)
"""arena is trusted, and sends a whole phase, tens of thousands of matches, as one message."""

_UNTRUSTED = (
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.per_message_decompression", 0),  # a kilobyte may hold a megabyte, time after time
    ("grpc.max_concurrent_streams", 2 * STREAMS),  # so that we see it where there are too many
    ("grpc.max_metadata_size", 4096),
    ("grpc.absolute_max_metadata_size", 8192),
    # gRPC's own bound makes each ping beyond it dearer than the one before, without end.
    ("grpc.http2.max_ping_strikes", 0),
    # What is read of one connection before it is another's turn.
    ("grpc.experimental.tcp_max_read_chunk_size", 1 << 16),
)


@dataclass(frozen=True, slots=True)
class Method:
    """What a server serves: one method with streams both ways.

    path: "package.Service/Method". opened: what to do with a new stream. overrun: told once, in trio, with a sentence,
    that the peer opened more than `STREAMS` streams, and the server stopped for it; None: the peer is trusted.
    """

    path: str
    opened: Service
    overrun: Callable[[str], None] | None = None


class Server:
    """A gRPC server on an address of its own. traffic: what its streams have carried."""

    def __init__(self, link: "Link", address: str, method: Method) -> None:
        self.traffic = Traffic()
        self._link = link
        self._address = address
        self._method = method
        self._streams = 0
        self._server: Any = None
        self._stopping: asyncio.Task[None] | None = None

    def stop(self, seconds: float = 0.0) -> None:
        """Close the address, and every connection to it at the latest after so many seconds; the first call counts."""
        self._link.call(self._stop, seconds)

    # In the asyncio thread

    async def start(self) -> None:
        """Open the address. Raises RuntimeError where that cannot be done."""
        options = (*_OPTIONS, *(_TRUSTED if self._method.overrun is None else _UNTRUSTED))
        self._server = grpc.aio.server(options=options)
        service, method = self._method.path.split("/")
        handler: Any = grpc.stream_stream_rpc_method_handler(self._handle)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
        self._server.add_insecure_port(self._address)
        await self._server.start()

    async def stopped(self) -> None:
        """Close everything, and return once that is done."""
        self._stop(0.0)
        if self._stopping is not None:
            await self._stopping

    def _stop(self, seconds: float) -> None:
        if self._server is not None and self._stopping is None:
            self._stopping = asyncio.create_task(stop(self._server, seconds or None))
            self._stopping.add_done_callback(lambda _: self._link.forget(self))

    async def _handle(self, _: Any, context: Any) -> None:
        self._streams += 1
        if self._method.overrun is not None and self._streams > STREAMS:
            if self._streams == STREAMS + 1:
                self._link.in_trio(self._method.overrun, f"it opened more than {STREAMS} streams")
                self._stop(0.0)
            return
        await Stream(self._link, self._method.opened, self.traffic).serve(context)


class Link:
    """The gRPC servers of one process, and the thread they live in."""

    def __init__(self) -> None:
        self.dirty: list[Stream] = []
        self.offset = 0.0
        self._arrivals: deque[tuple[Stream, bytes | None, float, str]] = deque()
        self._servers: set[Server] = set()
        self._carried_before = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._wake = trio.Event()
        self._failure: BaseException | None = None
        self._stopping: asyncio.Event | None = None
        self._clocks: tuple[int, ...] = ()

    async def run(
        self, flush: Callable[[], None], *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Serve what is listened to (see `listen`) until cancelled.

        flush: called after every batch of arrivals, to queue what they brought about and call `Link.flush`.
        """
        self._token = trio.lowlevel.current_trio_token()
        self.offset = trio.current_time() - perf_counter()
        thread = threading.Thread(target=self._thread, name="grpc", daemon=True)
        thread.start()
        assert thread.ident is not None
        self._clocks = (time.pthread_getcpuclockid(threading.get_ident()), time.pthread_getcpuclockid(thread.ident))
        try:
            await self._awakened()
            task_status.started()
            while True:
                await self._awakened()
                self._dispatch()
                flush()
        finally:
            if self._loop is not None and self._stopping is not None:
                self.call(self._stopping.set)
            with trio.CancelScope(shield=True), trio.move_on_after(2):
                await trio.to_thread.run_sync(thread.join, 2.0, abandon_on_cancel=True)

    async def listen(self, address: str, method: Method) -> Server:
        """Return a server that listens at `address` ("unix:/path") by now. Raises OSError where that cannot be done."""
        assert self._loop is not None
        assert self._token is not None
        token, started = self._token, trio.Event()
        server = Server(self, address, method)
        self._servers.add(server)
        future = asyncio.run_coroutine_threadsafe(server.start(), self._loop)
        future.add_done_callback(lambda _: token.run_sync_soon(started.set))
        await started.wait()
        try:
            future.result()
        except RuntimeError as error:
            raise OSError(f"gRPC cannot listen at {address}: {error}") from error
        return server

    def load(self) -> tuple[float, int]:
        """Return the CPU seconds that gRPC's own threads have had, and how many messages there were, both ways.

        These threads read what peers send, before we see anything of it.
        """
        carried = self._carried_before + sum(server.traffic.messages for server in list(self._servers))
        try:
            return time.process_time() - sum(map(time.clock_gettime, self._clocks)), carried
        except OSError:  # our own thread has ended
            return 0.0, carried

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

    # In the asyncio thread

    def deliver(self, stream: Stream, payload: bytes | None, reason: str) -> None:
        """Hand something that a stream brought to trio."""
        self._arrivals.append((stream, payload, perf_counter() + self.offset, reason))
        self.in_trio(self._awake, idempotent=True)

    def in_trio(self, what: Callable[..., object], *args: object, idempotent: bool = False) -> None:
        """Run something in trio's thread. idempotent: once, however often it was asked for until then."""
        assert self._token is not None
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(what, *args, idempotent=idempotent)

    def forget(self, server: Server) -> None:
        """Keep a server no more that has stopped."""
        if server in self._servers:
            self._servers.discard(server)
            self._carried_before += server.traffic.messages

    def _awake(self) -> None:
        self._wake.set()

    async def _awakened(self) -> None:
        await self._wake.wait()
        self._wake = trio.Event()
        if self._failure is not None:
            raise self._failure

    def _dispatch(self) -> None:
        arrivals = self._arrivals
        while arrivals:
            stream, payload, stamp, reason = arrivals.popleft()
            stream.arrive(payload, stamp, reason)

    def _thread(self) -> None:
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(self._serve())
        except BaseException as error:
            self._failure = error
            self.in_trio(self._awake)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        silence_peers(self._loop)
        self._stopping = asyncio.Event()
        self.in_trio(self._awake)
        await self._stopping.wait()
        await asyncio.gather(*(server.stopped() for server in list(self._servers)))


def _pump(streams: list[Stream]) -> None:
    for stream in streams:
        stream.wake()
