"""Runs gRPC servers in an asyncio thread; only this file and `referee.connection.stream` import grpc in the referee.

grpcio does not support trio, so one asyncio loop runs all `grpc.aio` servers in a thread of its own, whatever the
number of bots; trio keeps the main thread and the signals. Of the ways measured (threads per stream, memory channels,
guest mode, trio-asyncio) this one costs least, and batching makes its cost small.

A stream is read only against credit: messages of a peer that floods wait in its own socket instead of filling our
memory.
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
from typing import Any, Protocol

# Read by grpc when it is imported: 27 % more unbatched messages, nothing of what peers do wrong on our stderr, no fork
# handlers.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import trio
import uvloop

from referee.connection.grpc_quirks import silence_peers, stop
from referee.connection.stream import Stream, StreamHandler, Traffic

MESSAGE_BYTES = 1 << 20
"""The largest message of an untrusted peer."""

MAX_STREAMS = 8
"""How many streams an untrusted peer may open, one after the other; a bot needs one."""

_OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),
)

_TRUSTED = (("grpc.max_receive_message_length", -1),)
"""arena is trusted, and sends a whole phase, tens of thousands of matches, as one message."""

_UNTRUSTED = (
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.per_message_decompression", 0),  # a compressed kilobyte may hold a megabyte, again and again
    ("grpc.max_concurrent_streams", 2 * MAX_STREAMS),  # above the limit, so that we see who exceeds it
    ("grpc.max_metadata_size", 4096),
    ("grpc.absolute_max_metadata_size", 8192),
    # gRPC's own bound makes each ping beyond it dearer than the one before, without end.
    ("grpc.http2.max_ping_strikes", 0),
    # What is read of one connection before it is another's turn.
    ("grpc.experimental.tcp_max_read_chunk_size", 1 << 16),
)


@dataclass(frozen=True, slots=True)
class Method:
    """The one method that a server serves, with streams both ways.

    path: "package.Service/Method". on_open: takes each new stream. on_overrun: called once, in trio, with a sentence,
    when the peer has opened more than `MAX_STREAMS` streams and the server stops for it; None: the peer is trusted.
    """

    path: str
    on_open: StreamHandler
    on_overrun: Callable[[str], None] | None = None


class GrpcServer:
    """A gRPC server on an address of its own. traffic: counts what its streams carry."""

    def __init__(self, thread: "GrpcThread", address: str, method: Method) -> None:
        self.traffic = Traffic()
        self._thread = thread
        self._address = address
        self._method = method
        self._streams = 0
        self._server: Any = None
        self._stopping: asyncio.Task[None] | None = None

    def stop(self, seconds: float = 0.0) -> None:
        """Close the address now, and its connections after `seconds` at the latest; only the first call counts."""
        self._thread.run_in_asyncio(self._stop, seconds)

    # In the asyncio thread

    async def start(self) -> None:
        """Open the address. Raises RuntimeError where that fails."""
        options = (*_OPTIONS, *(_TRUSTED if self._method.on_overrun is None else _UNTRUSTED))
        self._server = grpc.aio.server(options=options)
        service, method = self._method.path.split("/")
        handler: Any = grpc.stream_stream_rpc_method_handler(self._handle)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
        self._server.add_insecure_port(self._address)
        await self._server.start()

    async def close(self) -> None:
        """Close everything, and return once that is done."""
        self._stop(0.0)
        if self._stopping is not None:
            await self._stopping

    def _stop(self, seconds: float) -> None:
        if self._server is not None and self._stopping is None:
            self._stopping = asyncio.create_task(stop(self._server, seconds or None))
            self._stopping.add_done_callback(lambda _: self._thread.remove(self))

    async def _handle(self, _: Any, context: Any) -> None:
        self._streams += 1
        if self._method.on_overrun is not None and self._streams > MAX_STREAMS:
            if self._streams == MAX_STREAMS + 1:
                self._thread.run_in_trio(self._method.on_overrun, f"it opened more than {MAX_STREAMS} streams")
                self._stop(0.0)
            return
        await Stream(self._thread, self._method.on_open, self.traffic).serve(context)


class Flushable(Protocol):
    """Something that composes messages and puts them on streams when it is flushed."""

    def flush(self) -> None:
        """Put what was composed on a stream."""


class GrpcThread:
    """The thread that runs the gRPC servers of this process, and the way between it and trio.

    unflushed: streams with something to send. unflushed_senders: composed something that is not on a stream yet.
    """

    def __init__(self) -> None:
        self.unflushed: list[Stream] = []
        self.unflushed_senders: list[Flushable] = []
        self.offset = 0.0
        self._arrivals: deque[tuple[Stream, bytes | None, float, str]] = deque()
        self._servers: set[GrpcServer] = set()
        self._messages_of_stopped = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._trio_token: trio.lowlevel.TrioToken | None = None
        self._woken = trio.Event()
        self._failure: BaseException | None = None
        self._stopping: asyncio.Event | None = None
        self._own_cpu_clocks: tuple[int, ...] = ()

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run servers (see `listen`) and dispatch what arrives, until cancelled; flush after each batch of arrivals."""
        self._trio_token = trio.lowlevel.current_trio_token()
        self.offset = trio.current_time() - perf_counter()
        thread = threading.Thread(target=self._run_loop, name="grpc", daemon=True)
        thread.start()
        assert thread.ident is not None
        self._own_cpu_clocks = tuple(map(time.pthread_getcpuclockid, (threading.get_ident(), thread.ident)))
        try:
            await self._wait_until_woken()
            task_status.started()
            while True:
                await self._wait_until_woken()
                self._dispatch()
                self.flush()
        finally:
            if self._loop is not None and self._stopping is not None:
                self.run_in_asyncio(self._stopping.set)
            with trio.CancelScope(shield=True), trio.move_on_after(2):
                await trio.to_thread.run_sync(thread.join, 2.0, abandon_on_cancel=True)

    async def listen(self, address: str, method: Method) -> GrpcServer:
        """Return a server that listens at `address` ("unix:/path"). Raises OSError where that fails."""
        assert self._loop is not None
        assert self._trio_token is not None
        trio_token, started = self._trio_token, trio.Event()
        server = GrpcServer(self, address, method)
        self._servers.add(server)
        future = asyncio.run_coroutine_threadsafe(server.start(), self._loop)
        future.add_done_callback(lambda _: trio_token.run_sync_soon(started.set))
        await started.wait()
        try:
            future.result()
        except RuntimeError as error:
            raise OSError(f"gRPC cannot listen at {address}: {error}") from error
        return server

    def measure_load(self) -> tuple[float, int]:
        """Return the CPU seconds of gRPC's own threads so far, and the number of messages so far, both ways.

        These threads read what peers send before we see anything of it.
        """
        messages = self._messages_of_stopped + sum(server.traffic.messages for server in list(self._servers))
        try:
            return time.process_time() - sum(map(time.clock_gettime, self._own_cpu_clocks)), messages
        except OSError:  # our own thread has ended
            return 0.0, messages

    def flush(self) -> None:
        """Send everything that is composed or queued."""
        if self.unflushed_senders:
            senders = self.unflushed_senders[:]
            self.unflushed_senders.clear()
            for sender in senders:
                sender.flush()
        self.flush_streams()

    def flush_streams(self) -> None:
        """Send what is queued on streams, and leave to senders what they may still add to."""
        if self.unflushed:
            streams, self.unflushed = self.unflushed, []
            self.run_in_asyncio(_wake_all, streams)

    def run_in_asyncio(self, function: Callable[..., object], *args: object) -> None:
        """Run something in the asyncio thread."""
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            if not self._loop.is_closed():
                raise

    # In the asyncio thread

    def deliver(self, stream: Stream, payload: bytes | None, reason: str) -> None:
        """Hand something that a stream brought to trio."""
        self._arrivals.append((stream, payload, perf_counter() + self.offset, reason))
        self.run_in_trio(self._wake, idempotent=True)

    def run_in_trio(self, function: Callable[..., object], *args: object, idempotent: bool = False) -> None:
        """Run something in trio's thread. idempotent: once, however often it is asked for until then."""
        assert self._trio_token is not None
        with suppress(trio.RunFinishedError):
            self._trio_token.run_sync_soon(function, *args, idempotent=idempotent)

    def remove(self, server: GrpcServer) -> None:
        """Remove a server that has stopped."""
        if server in self._servers:
            self._servers.discard(server)
            self._messages_of_stopped += server.traffic.messages

    def _wake(self) -> None:
        self._woken.set()

    async def _wait_until_woken(self) -> None:
        await self._woken.wait()
        self._woken = trio.Event()
        if self._failure is not None:
            raise self._failure

    def _dispatch(self) -> None:
        arrivals = self._arrivals
        while arrivals:
            stream, payload, stamp, reason = arrivals.popleft()
            stream.dispatch(payload, stamp, reason)

    def _run_loop(self) -> None:
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(self._serve())
        except BaseException as error:
            self._failure = error
            self.run_in_trio(self._wake)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        silence_peers(self._loop)
        self._stopping = asyncio.Event()
        self.run_in_trio(self._wake)
        await self._stopping.wait()
        await asyncio.gather(*(server.close() for server in list(self._servers)))


def _wake_all(streams: list[Stream]) -> None:
    for stream in streams:
        stream.wake()
