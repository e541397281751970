"""Runs gRPC servers without threads; only this file and `referee.connection.stream` import grpc in the referee.

grpcio's own servers, of threads or of asyncio, hand each message over between threads, which costs more than all that
the referee does with it. What they stand on is in grpcio's module `cygrpc`: servers that report on a completion queue
what has come and what is written. All servers of the process share one queue. Either the process waits on it in its
main thread (`host_loop`, cheapest), or, where trio has to be the host, as in tests and in `arena check`, a thread does
that waits on it and nothing else. From asyncio's server to trio, a message and its answer took 5.8 changes of threads
and 170 µs of CPU; on the queue they take 1.0 and 55 µs (2 cores, Python 3.11).
"""

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any, Protocol

# Read by grpc when it is imported: fewer threads and wake-ups for each message, nothing of what peers do wrong on our
# stderr, no fork handlers.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import trio
from grpc._cython import cygrpc  # type: ignore[attr-defined]

from referee.connection.stream import Stream, StreamHandler, Traffic, ignore

MESSAGE_BYTES = 1 << 20
"""The largest message of an untrusted peer."""

MAX_STREAMS = 8
"""How many streams an untrusted peer may open, one after the other; a bot needs one."""

STAMP_SECONDS = 1e-3
"""How long messages are handled without a look at what came meanwhile, so that its stamps are right."""

STOP_SECONDS = 2.0
"""How long servers may take to stop at the end."""

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
    # What is read ahead of a stream; otherwise up to 4 MB. A flood of messages fills the bot's socket, not our memory.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 1 << 16),
)

_KEEPS_GRPC_ALIVE = cygrpc.CompletionQueue()
"""gRPC ends with the last of its objects and begins again with the next one, while threads of the old one still run."""

EventHandler = Callable[[Any, float], None]
"""Takes an event of the completion queue and the time when it was fetched, in seconds on trio's clock."""


@dataclass(frozen=True, slots=True)
class Method:
    """The one method that a server serves, with streams both ways."""

    path: str
    """The path, as "package.Service/Method"."""
    on_open: StreamHandler
    """Takes each new stream."""
    on_overrun: Callable[[str], None] | None = None
    """Called once, with a sentence, when the peer has opened more than `MAX_STREAMS` streams and the server stops for
    it; None: the peer is trusted.
    """

    @property
    def is_trusted(self) -> bool:
        """Whether the peer is trusted, so that no limits apply."""
        return self.on_overrun is None


class GrpcServer:
    """A gRPC server on an address of its own.

    traffic: counts what its streams carry.
    calls: how many calls the peer has begun, of any method.
    other_method: the path of the last call of another method than the one that is served; empty: there was none.
    """

    def __init__(self, servers: "GrpcServers", address: str, method: Method) -> None:
        """Open the address ("unix:/path"). Raises OSError where that fails."""
        self.traffic = Traffic()
        self._servers = servers
        self._method = method
        self.calls = 0
        self.other_method = b""
        self._is_stopping = False
        self._core = cygrpc.Server((*_OPTIONS, *(_TRUSTED if method.is_trusted else _UNTRUSTED)), False)
        self._core.register_completion_queue(servers.queue)
        if not self._core.add_http2_port(address.encode()):
            self._core.destroy()
            raise OSError(f"gRPC cannot listen at {address}")
        self._core.start()
        self._expect_call()

    def stop(self, seconds: float = 0.0) -> None:
        """Close the address now, and its connections after `seconds` at the latest; only the first call counts."""
        if not self._is_stopping and not self._servers.has_ended:
            self._is_stopping = True
            self._core.shutdown(self._servers.queue, self._handle_shutdown)
            if seconds:
                self._servers.call_after(seconds, self.cancel_calls)
            else:
                self.cancel_calls()

    def cancel_calls(self) -> None:
        """Close the connections of a server that stops now."""
        self._core.cancel_all_calls()

    def _expect_call(self) -> None:
        queue = self._servers.queue
        self._core.request_call(queue, queue, self._handle_call)

    # Events

    def _handle_call(self, event: Any, _: float) -> None:
        if self._is_stopping or not event.success:
            return
        self._expect_call()
        self.calls += 1
        if self._method.on_overrun is not None and self.calls > MAX_STREAMS:
            self.stop()
            self._method.on_overrun(f"it opened more than {MAX_STREAMS} streams")
        elif event.call_details.method != b"/" + self._method.path.encode():
            self.other_method = event.call_details.method
            _reject(event.call)
        else:
            if self._method.is_trusted:
                self._servers.wake_call = event.call
            Stream(self._servers, event.call, self._method.on_open, self.traffic)

    def _handle_shutdown(self, *_: object) -> None:
        self._core.destroy()
        self._servers.remove(self)


class Flushable(Protocol):
    """Something that composes messages and puts them on streams when it is flushed."""

    def flush(self) -> None:
        """Put what was composed on a stream."""


class GrpcServers:
    """The gRPC servers of this process; is to `run` beside them.

    queue: the completion queue. unflushed: streams with something to send. unflushed_senders: composed something that
    is not on a stream yet. now: returns the time of trio's clock, in any thread. wake_call: a call of a trusted peer,
    by which another thread can end the wait of the main thread; None: there is none. is_hosted: the main thread
    waits on the queue (`referee.connection.host_loop`). has_ended: the queue is shut down. gRPC aborts the process if
    an operation begins on it then, so what tasks still send as they are cancelled is dropped.
    """

    def __init__(self) -> None:
        self.queue = cygrpc.CompletionQueue()
        self.has_ended = False
        self.unflushed: list[Stream] = []
        self.unflushed_senders: list[Flushable] = []
        self.now: Callable[[], float] = perf_counter
        self.wake_call: Any = None
        self.is_hosted = False
        self._is_stopping = False
        self._events: deque[tuple[EventHandler, Any, float]] = deque()
        self._servers: set[GrpcServer] = set()
        self._messages_of_stopped = 0
        self._main_cpu_clock = time.CLOCK_THREAD_CPUTIME_ID
        self._queue_cpu: tuple[float, float | None] = (0.0, None)
        self._fetched_at = 0.0
        self._waking = threading.Lock()
        self._is_waking = False
        self._wakes = 0
        self._has_events = trio.Event()
        self._has_failed = trio.Event()
        self._has_removed = trio.Event()
        self._nursery: trio.Nursery | None = None
        self._trio_token: trio.lowlevel.TrioToken | None = None
        self._failure: BaseException | None = None
        logging.getLogger("grpc._cython.cygrpc").addFilter(_is_ours)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run servers (see `listen`) and handle what arrives, until cancelled; flush after each batch of arrivals."""
        self.now = trio.lowlevel.current_clock().current_time
        self._main_cpu_clock = time.pthread_getcpuclockid(threading.get_ident())
        self._trio_token = trio.lowlevel.current_trio_token()
        handling = trio.CancelScope(shield=True)
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            if not self.is_hosted:
                nursery.start_soon(self._handle_arrivals, handling)
                threading.Thread(target=self._fetch_in_thread, name="grpc", daemon=True).start()
            task_status.started()
            try:
                await self._has_failed.wait()
            finally:
                with trio.CancelScope(shield=True), trio.move_on_after(STOP_SECONDS):
                    await self._stop_all()
                handling.cancel()
                with self._waking:
                    self.wake_call = None
                    self.has_ended = True
                    self.queue.shutdown()
        assert self._failure is not None
        raise self._failure

    async def _handle_arrivals(self, scope: trio.CancelScope) -> None:
        with scope:
            while True:
                await self._has_events.wait()
                self._has_events = trio.Event()
                self.handle()
                if self._events:
                    self._has_events.set()

    async def _stop_all(self) -> None:
        self._is_stopping = True
        for server in list(self._servers):
            server.stop()
            server.cancel_calls()
        while self._servers:
            self._has_removed = trio.Event()
            await self._has_removed.wait()

    def listen(self, address: str, method: Method) -> GrpcServer:
        """Return a server that listens at `address` ("unix:/path"). Raises OSError where that fails, or all ends."""
        if self._is_stopping:
            raise OSError("the servers of this process are stopping")
        server = GrpcServer(self, address, method)
        self._servers.add(server)
        return server

    def remove(self, server: GrpcServer) -> None:
        """Remove a server that has stopped."""
        self._servers.discard(server)
        self._messages_of_stopped += server.traffic.messages
        self._has_removed.set()

    def call_after(self, seconds: float, function: Callable[[], object]) -> None:
        """Call a function in so many seconds, unless everything has ended by then."""
        if self._nursery is not None:
            self._nursery.start_soon(self._call_after, seconds, function)

    async def _call_after(self, seconds: float, function: Callable[[], object]) -> None:
        await trio.sleep(seconds)
        function()

    def measure_load(self) -> tuple[float, int]:
        """Return the CPU seconds that gRPC took so far to read what peers send, and the messages so far, both ways.

        Any thread may call it. Threads other than the main one count as gRPC's, and what they hand over to the main
        thread as messages.
        """
        messages = self._messages_of_stopped + sum(server.traffic.messages for server in list(self._servers))
        messages += self._wakes
        while True:
            noted = self._queue_cpu
            try:
                main_cpu = time.clock_gettime(self._main_cpu_clock)
            except OSError:  # the main thread has ended
                return 0.0, messages
            if noted == self._queue_cpu:  # a compiled tuple has no identity
                break
        queue_cpu, fetching_since = noted
        if fetching_since is not None:
            queue_cpu += max(0.0, main_cpu - fetching_since)
        return time.process_time() - main_cpu + queue_cpu, messages

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
        if self.unflushed and not self.has_ended:
            streams, self.unflushed = self.unflushed, []
            for stream in streams:
                stream.flush()

    # Events

    def call_soon(self, function: EventHandler) -> None:
        """Call a function, with an event that is None, after the events that wait. Any thread may call this."""
        self._events.append((function, None, self.now()))
        if self.is_hosted:
            self.wake()
        else:
            self._wake_trio()

    def fetch(self, seconds: float) -> None:
        """Fetch all events that there are, after waiting for the first for up to `seconds`."""
        spent, began = self._queue_cpu[0], thread_time()
        self._queue_cpu = spent, began
        event = self.queue.poll(time.time() + seconds if seconds and not self._events else 0.0)
        while event.tag is not None:
            self._events.append((event.tag, event, self.now()))
            event = self.queue.poll(0.0)
        self._fetched_at = perf_counter()
        self._queue_cpu = spent + thread_time() - began, None

    def handle(self) -> None:
        """Handle what was fetched before, and flush; a failure is raised by `run`."""
        if self.has_ended:
            self._events.clear()
            return
        try:
            self._handle()
        except BaseException as error:
            self._failure = self._failure or error
            self._has_failed.set()

    def _handle(self) -> None:
        for _ in range(len(self._events)):  # what comes meanwhile waits, so that trio and what is composed get a turn
            handler, event, stamp = self._events.popleft()
            handler(event, stamp)
            # A fetched event may be the last reference to a call, which must not live on while the queue is polled.
            handler = event = None  # type: ignore[assignment]
            if self.is_hosted and perf_counter() - self._fetched_at > STAMP_SECONDS:
                self.fetch(0.0)
        self.flush()

    def wake(self) -> None:
        """End the wait of the main thread; called in any thread."""
        self._wakes += 1
        with self._waking:
            if self.wake_call is not None and not self._is_waking:
                self._is_waking = True
                self.wake_call.start_server_batch((), self._handle_wake)

    def _handle_wake(self, *_: object) -> None:
        self._is_waking = False

    def _fetch_in_thread(self) -> None:
        """Fetch events until the queue is shut down."""
        while (event := self.queue.poll()).completion_type != cygrpc.CompletionType.queue_shutdown:
            self._events.append((event.tag, event, self.now()))
            self._wake_trio()

    def _wake_trio(self) -> None:
        if self._trio_token is not None:
            with suppress(trio.RunFinishedError):
                self._trio_token.run_sync_soon(self._set_has_events, idempotent=True)

    def _set_has_events(self) -> None:
        self._has_events.set()


def _reject(call: Any) -> None:
    """Tell the peer that it has called something else than what is served."""
    call.start_server_batch((cygrpc.ReceiveCloseOnServerOperation(0),), ignore)
    status = cygrpc.SendStatusFromServerOperation((), cygrpc.StatusCode.unimplemented, b"Method not found!", 0)
    call.start_server_batch((cygrpc.SendInitialMetadataOperation(None, 0), status), ignore)


def _is_ours(record: logging.LogRecord) -> bool:
    """Return whether a line of gRPC's log is not about a peer's headers."""
    return not record.getMessage().startswith("Invalid encoding")
