"""Detects bots that flood gRPC with traffic other than messages, and disconnects them.

gRPC reads HTTP/2 for all connections together and reports messages only. Frames that lead to no message (pings,
settings, resets, headers that are too large) delay every other bot, and may keep the thread that fetches messages
inside of gRPC for seconds. The detector therefore watches, in a thread of its own, the CPU time that gRPC takes. Where
messages do not explain it, it samples how many bytes wait in each connection: bytes that waited and wait no more have
been read. A bot of which more was read than its messages hold is flooding. This is a lower bound: bytes that are read
between two samples without ever waiting are not counted. Streams and connections are simply counted. Detection takes
some hundredths of a second of CPU; the time that a flood took is not charged to the clocks of other bots.

A relay that counts bytes would be simpler, and would cost every message twice.
"""

import os
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import Protocol

import trio

from referee.connection import own_sockets
from referee.connection.grpc_server import GrpcServer, GrpcServers
from referee.connection.own_sockets import SocketKey

TICK_SECONDS = 0.05
"""How often the CPU time is checked."""

SAMPLE_SECONDS = 0.002
SAMPLES = 20
ROUNDS = 5
"""Where the CPU time is too high: seconds between two samples, samples in a row, and how many such rows."""

MESSAGE_SECONDS = 2e-4
"""CPU time that one message, or what a thread hands over, explains; even a slow machine takes a third of it."""

UNEXPLAINED_SHARE = 0.1
"""The unexplained share of one core from which connections are sampled."""

SPARE_BYTES = 1 << 16
"""Bytes that may be read without leading to a message, beside one message that is under way."""

MAX_CONNECTIONS = 16
"""Connections that one bot may open, one after the other; it needs one."""

NEW_FILES = 32
"""An increase of open files from which new connections are looked for."""


class MonitoredEndpoint(Protocol):
    """What the detector needs of an endpoint (see `referee.connection.endpoints.Endpoint`)."""

    address: str
    server: GrpcServer | None
    untrusted: bool
    root_pid: int | None
    is_disconnected: bool

    def max_message_bytes(self) -> int:
        """Return the largest size that the bot's next message may have."""

    def disconnect(self, sentence: str) -> None:
        """Close every connection at once; the sentence says what the bot did wrong."""


class EndpointSampler:
    """Samples the connections of one endpoint.

    connections: how many there have been.
    listener: where they dial; None as long as it has not been found.
    is_disconnected: whether `disconnect` was called.
    """

    __slots__ = (
        "_endpoint", "_waiting", "_drained", "_received", "_largest", "is_disconnected", "connections", "listener"
    )  # fmt: skip

    def __init__(self, endpoint: MonitoredEndpoint) -> None:
        self._endpoint = endpoint
        self._waiting: dict[SocketKey, int] = {}
        self._drained = 0
        self._received = _received_bytes(endpoint)
        self._largest = 0
        self.is_disconnected = False
        self.connections = 0
        self.listener: SocketKey | None = None

    def add_connection(self, key: SocketKey) -> None:
        """Sample one more connection from now on."""
        self._waiting[key] = 0
        self.connections += 1

    def sample(self) -> None:
        """Count what has been read since the last sample."""
        self._largest = max(self._largest, self._endpoint.max_message_bytes())
        for key, before in list(self._waiting.items()):
            waiting = own_sockets.unread_bytes(key)
            if waiting is None:
                del self._waiting[key]
            else:
                self._waiting[key] = waiting
                self._drained += max(0, before - waiting)

    def describe_violation(self) -> str:
        """Return in a sentence what the bot does wrong; empty where it does nothing wrong, or was disconnected."""
        if self.is_disconnected or self._endpoint.is_disconnected:
            return ""
        if self.connections > MAX_CONNECTIONS:
            return f"it opened more than {MAX_CONNECTIONS} connections"
        # Messages received before the first sample and passed on since count in the bot's favour.
        if self._drained - (_received_bytes(self._endpoint) - self._received) > SPARE_BYTES + self._largest:
            return "it flooded its connection with data that is no message"
        return ""

    def disconnect(self) -> None:
        """Shut down the sockets below gRPC, which may be too busy with them to do it."""
        self.is_disconnected = True
        for key in (*self._waiting, *([self.listener] if self.listener is not None else ())):
            own_sockets.shut_down(key)


class FloodDetector:
    """Watches the endpoints of the gRPC servers; is to `run` beside them.

    flood_seconds: time that floods have taken from everybody, in seconds in all.
    """

    def __init__(self, grpc: GrpcServers, endpoints: Collection[MonitoredEndpoint]) -> None:
        """Watch `endpoints`, a live collection of those that are open."""
        self.flood_seconds = 0.0
        self._grpc = grpc
        self._measuring = threading.Lock()
        self._measured_at = self._process_cpu = self._grpc_cpu = 0.0
        self._messages = 0
        self._own_cpu_clock: int | None = None
        self._endpoints = endpoints
        self._samplers: dict[MonitoredEndpoint, EndpointSampler] = {}
        self._known_sockets: set[SocketKey] = set()
        self._files = 0
        own_sockets.reserve_descriptors()

    async def run(self) -> None:
        """Watch in a thread until cancelled."""
        ended = threading.Event()
        try:
            await trio.to_thread.run_sync(self._watch, ended, abandon_on_cancel=True)
        finally:
            ended.set()

    def _watch(self, ended: threading.Event) -> None:
        # Bytes can be seen waiting only while gRPC works, so this thread must run beside gRPC's: on another core where
        # there is one, and on the same core as soon as it is ready, which a thread of the batch class would not.
        with suppress(OSError):
            os.sched_setaffinity(0, os.sched_getaffinity(os.getppid()) | os.sched_getaffinity(0))
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        self._own_cpu_clock = time.pthread_getcpuclockid(threading.get_ident())
        self.measure()
        while not ended.wait(TICK_SECONDS):
            files = own_sockets.count_open_files()
            if self.measure():
                self._investigate(ended)
            elif files > self._files + NEW_FILES:
                self._find_connections()
                self._disconnect_violators()
                self._files = files
            self._files = min(self._files, files)

    def measure(self) -> bool:
        """Bring `flood_seconds` up to date; return whether there is a flood now.

        CPU time that a flood takes from this process is time that every bot waits for it.
        """
        with self._measuring:
            now, process_cpu, grpc_cpu, messages = time.perf_counter(), time.process_time(), *self._grpc.measure_load()
            with suppress(OSError):  # the thread has ended
                grpc_cpu -= time.clock_gettime(self._own_cpu_clock) if self._own_cpu_clock is not None else 0.0
            seconds, busy = now - self._measured_at, process_cpu - self._process_cpu
            unexplained = grpc_cpu - self._grpc_cpu - (messages - self._messages) * MESSAGE_SECONDS
            is_flood = unexplained > UNEXPLAINED_SHARE * seconds and self._process_cpu > 0
            if is_flood:
                self.flood_seconds += seconds * min(1.0, unexplained / max(busy, 1e-9))
            self._measured_at, self._process_cpu, self._grpc_cpu, self._messages = now, process_cpu, grpc_cpu, messages
            return is_flood

    def add(self, seconds: float) -> None:
        """Count time that useless messages or notes have taken from everybody, which nothing here sees."""
        with self._measuring:
            self.flood_seconds += seconds

    def _investigate(self, ended: threading.Event) -> None:
        """Sample all connections several times, unless everything ends."""
        for _ in range(ROUNDS):
            self._find_connections()
            self._disconnect_violators()  # who dials without end has a thousand more by the end of a round
            for _ in range(SAMPLES):
                for sampler in self._samplers.values():
                    sampler.sample()
                if ended.wait(SAMPLE_SECONDS):
                    return
            self._disconnect_violators()
            self.measure()

    def _find_connections(self) -> None:
        """Find new connections, and shut down those that do not come from the bot of their endpoint.

        Of a bot that was disconnected everything new is shut down: gRPC may be so busy with accepting its connections
        that it does not come to close the address.
        """
        sockets = set(own_sockets.list_sockets())
        self._known_sockets &= sockets
        # Copied at once, as the main thread opens and closes them, and after the sockets, so that each finds its own.
        endpoints = {one.address.removeprefix("unix:"): one for one in list(self._endpoints) if one.untrusted}
        self._samplers = {one: self._samplers.get(one) or EndpointSampler(one) for one in endpoints.values()}
        for key in sockets - self._known_sockets:
            identified = own_sockets.identify(key)
            if identified is None:
                continue
            self._known_sockets.add(key)
            path, listens = identified
            endpoint = endpoints.get(path)
            if endpoint is None:
                continue
            sampler = self._samplers[endpoint]
            is_foreign = (
                not listens
                and endpoint.root_pid is not None
                and not _descends_from(own_sockets.peer_pid(key), endpoint.root_pid)
            )
            if listens:
                sampler.listener = key
            elif not is_foreign:
                sampler.add_connection(key)
            if is_foreign or sampler.is_disconnected:
                own_sockets.shut_down(key)

    def _disconnect_violators(self) -> None:
        for endpoint, sampler in self._samplers.items():
            if sentence := sampler.describe_violation():
                # First, so that it precedes what gRPC reports of the sockets.
                self._grpc.call_soon(partial(_disconnect, endpoint, sentence))
                sampler.disconnect()


def _disconnect(endpoint: MonitoredEndpoint, sentence: str, *_: object) -> None:
    endpoint.disconnect(sentence)


def _received_bytes(endpoint: MonitoredEndpoint) -> int:
    return endpoint.server.traffic.received if endpoint.server is not None else 0


def _descends_from(pid: int, root_pid: int) -> bool:
    """Tell whether a process is `root_pid` or descends from it."""
    while pid > 1 and pid != root_pid:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            return False
    return pid == root_pid
