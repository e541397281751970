"""Who is found to flood, by connections of this process: what was read, how many there were, and who dialled."""

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from referee.connection.flood_detection import (
    MAX_CONNECTIONS,
    SPARE_BYTES,
    EndpointSampler,
    FloodDetector,
)
from referee.connection.grpc_server import GrpcServers
from referee.connection.stream import Traffic


class Endpoint:
    """An address of one bot, with nothing behind it."""

    untrusted = True
    root_pid: int | None = None

    def __init__(self, path: Path, allowed: int = 0) -> None:
        self.address = f"unix:{path}"
        self.traffic = Traffic()
        self.server: Any = SimpleNamespace(traffic=self.traffic)
        self.allowed = allowed
        self.sentences: list[str] = []
        self.is_disconnected = False

    def max_message_bytes(self) -> int:
        return self.allowed

    def disconnect(self, sentence: str) -> None:
        self.is_disconnected = True
        self.sentences.append(sentence)


@dataclass
class Place:
    """An endpoint and connections to it: ours as the referee has them, theirs as bots do."""

    endpoint: Endpoint
    listener: socket.socket
    stack: ExitStack
    ours: list[socket.socket] = field(default_factory=list)
    theirs: list[socket.socket] = field(default_factory=list)

    def dial(self) -> None:
        self.theirs.append(self.stack.enter_context(socket.socket(socket.AF_UNIX)))
        self.theirs[-1].connect(str(self.listener.getsockname()))
        self.accept()

    def accept(self) -> None:
        self.ours.append(self.stack.enter_context(self.listener.accept()[0]))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        yield Place(Endpoint(tmp_path / "socket"), listener, stack)


def key(ours: socket.socket) -> tuple[int, int]:
    return ours.fileno(), os.fstat(ours.fileno()).st_ino


def read_unseen(place: Place, sampler: EndpointSampler, count: int) -> None:
    """Let so many bytes come and be read, with a look before and after."""
    for size in (*[32_000] * (count // 32_000), count % 32_000):
        place.theirs[0].sendall(bytes(size))
        sampler.sample()
        while size:
            size -= len(place.ours[0].recv(size))
        sampler.sample()


def test_what_is_read_and_leads_to_no_message_is_a_flood(place: Place) -> None:
    place.dial()
    sampler = EndpointSampler(place.endpoint)
    sampler.add_connection(key(place.ours[0]))
    read_unseen(place, sampler, SPARE_BYTES)
    assert sampler.describe_violation() == ""
    read_unseen(place, sampler, 1)
    assert sampler.describe_violation() == "it flooded its connection with data that is no message"


def test_what_led_to_messages_is_none_and_what_is_expected_may_be_under_way(place: Place) -> None:
    place.endpoint.allowed = 500_000
    place.dial()
    sampler = EndpointSampler(place.endpoint)
    sampler.add_connection(key(place.ours[0]))
    read_unseen(place, sampler, SPARE_BYTES + 1_000_000)
    assert sampler.describe_violation() != ""
    place.endpoint.traffic.received += 500_000
    assert sampler.describe_violation() == ""
    place.endpoint.allowed = 0
    assert sampler.describe_violation() == "", "it was expected while it was read"


def test_what_only_waits_is_no_flood(place: Place) -> None:
    place.dial()
    sampler = EndpointSampler(place.endpoint)
    sampler.add_connection(key(place.ours[0]))
    place.theirs[0].sendall(bytes(2 * SPARE_BYTES))
    for _ in range(100):
        sampler.sample()
    assert sampler.describe_violation() == ""


def test_the_detector_finds_connections_and_ends_those_of_whoever_has_too_many(place: Place) -> None:
    detector = FloodDetector(GrpcServers(), cast(Any, {place.endpoint}))
    for _ in range(MAX_CONNECTIONS):
        place.dial()
    detector._find_connections()
    detector._disconnect_violators()
    detector._grpc.handle()
    assert place.endpoint.sentences == []
    place.dial()
    detector._find_connections()
    detector._disconnect_violators()
    detector._grpc.handle()
    assert place.endpoint.sentences == [f"it opened more than {MAX_CONNECTIONS} connections"]
    detector._disconnect_violators()
    detector._grpc.handle()
    assert len(place.endpoint.sentences) == 1
    assert all(each.recv(1) == b"" for each in (*place.theirs, *place.ours))


def test_the_detector_sees_connections_where_they_have_taken_the_last_descriptor(place: Place) -> None:
    detector = FloodDetector(GrpcServers(), cast(Any, {place.endpoint}))
    for _ in range(MAX_CONNECTIONS + 1):
        place.dial()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (place.ours[-1].fileno() + 1, hard))
    try:
        with suppress(OSError):
            while True:
                place.stack.callback(os.close, os.dup(0))
        detector._find_connections()
        detector._disconnect_violators()
        detector._grpc.handle()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert place.endpoint.is_disconnected
    assert all(each.recv(1) == b"" for each in (*place.theirs, *place.ours))


def test_an_address_that_is_looked_at_while_it_is_opened_is_closed_too(tmp_path: Path) -> None:
    """Without that, gRPC accepts without end what a bot dials without end, and the referee does nothing else."""
    detector = FloodDetector(GrpcServers(), cast(Any, {Endpoint(tmp_path / "socket")}))
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        detector._find_connections()
        listener.bind(str(tmp_path / "socket"))
        detector._find_connections()
        listener.listen()
        place = Place(next(iter(cast(Any, detector._endpoints))), listener, stack)
        for _ in range(MAX_CONNECTIONS + 1):
            place.dial()
        detector._find_connections()
        detector._disconnect_violators()
        with pytest.raises(ConnectionRefusedError):
            place.dial()


def test_what_is_found_of_a_bot_that_was_disconnected_is_shut_down(place: Place) -> None:
    detector = FloodDetector(GrpcServers(), cast(Any, {place.endpoint}))
    for _ in range(MAX_CONNECTIONS + 1):
        place.dial()
    detector._known_sockets.add(key(place.listener))  # as if it was missed
    detector._find_connections()
    detector._disconnect_violators()
    place.dial()
    detector._known_sockets.clear()
    detector._find_connections()
    place.theirs[-1].setblocking(False)
    assert place.theirs[-1].recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        place.dial()


@pytest.mark.promise
def test_who_does_not_descend_from_the_bot_is_cut_off_and_the_bot_is_not_blamed(place: Place) -> None:
    detector = FloodDetector(GrpcServers(), cast(Any, {place.endpoint}))
    dialling = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(1)"
    command = [sys.executable, "-c", dialling, str(place.listener.getsockname())]
    with subprocess.Popen(command) as own, subprocess.Popen(command) as other:
        for _ in range(2):
            place.accept()
        place.endpoint.root_pid = own.pid
        detector._find_connections()
        assert other.wait(20) == 0
        assert own.poll() is None
        for each in place.ours:
            each.close()
    assert place.endpoint.sentences == []
