"""Streams of a real gRPC server against HTTP/2 that is spoken by hand: who does not read, and who comes too often."""

import gc
import os
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio

from referee.connection.grpc_server import (
    MAX_STREAMS,
    GrpcServer,
    GrpcServers,
    Method,
)
from referee.connection.stream import Stream
from referee.v1.play_pb2 import Hello, PlayRequest
from sample_bots.naughty.http2_attacker import (
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    INITIAL_WINDOW,
    PREFACE,
    REQUEST,
    SETTINGS,
    WINDOW,
    frame,
    message,
)

SERVICE = "referee.v1.BotService/Play"
PATIENCE = 20


@dataclass
class Listening:
    """gRPC servers, of which one listens, and what came of it."""

    grpc: GrpcServers
    server: GrpcServer
    address: str
    streams: list[Stream] = field(default_factory=list)
    received: list[bytes] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    overruns: list[str] = field(default_factory=list)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        with trio.fail_after(PATIENCE):
            while not condition():
                await trio.lowlevel.checkpoint()


class Listener:
    """The listener of each stream."""

    def __init__(self, heard: Listening) -> None:
        self._heard = heard

    def received(self, payload: bytes, stamp: float) -> None:
        self._heard.received.append(payload)

    def ended(self, reason: str) -> None:
        self._heard.ends.append(reason)


@asynccontextmanager
async def listening(folder: Path) -> AsyncIterator[Listening]:
    grpc = GrpcServers()
    async with trio.open_nursery() as nursery:
        await nursery.start(grpc.run)
        made: list[Listening] = []

        def opened(stream: Stream) -> None:
            stream.listener = Listener(made[0])
            made[0].streams.append(stream)

        def overrun(sentence: str) -> None:
            made[0].overruns.append(sentence)

        address = f"unix:{folder}/socket"
        server = grpc.listen(address, Method(SERVICE, opened, overrun))
        made.append(Listening(grpc, server, address))
        yield made[0]
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def dialled_to(heard: Listening, window: int) -> AsyncIterator[trio.SocketStream]:
    """A connection on which HTTP/2 has begun.

    window: how many bytes of a stream may come unasked.
    """
    async with await trio.open_unix_socket(heard.address.removeprefix("unix:")) as dialled:
        await dialled.send_all(PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW, window)))
        yield dialled


@asynccontextmanager
async def call_without_reading(heard: Listening) -> AsyncIterator[tuple[trio.SocketStream, Stream]]:
    """A connection with a stream of which the client wants nothing, and the stream."""
    async with dialled_to(heard, window=0) as dialled:
        await dialled.send_all(frame(HEADERS, END_HEADERS, 1, REQUEST) + frame(DATA, 0, 1, message(PlayRequest())))
        await heard.until(lambda: bool(heard.received))
        yield dialled, heard.streams[0]


async def read_to_end(dialled: trio.SocketStream) -> None:
    with trio.fail_after(PATIENCE), suppress(trio.BrokenResourceError):
        while await dialled.receive_some():
            pass


async def read_until(dialled: trio.SocketStream, wanted: bytes) -> None:
    got = b""
    with trio.fail_after(PATIENCE):
        while wanted not in got:
            more = await dialled.receive_some()
            assert more, "the connection was ended"
            got += more


async def test_a_message_that_cannot_leave_has_left_for_the_clock_and_is_not_written(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (dialled, stream):
        before = trio.current_time()
        stream.send(b"first")
        stream.send(b"second", mark=True)
        heard.grpc.flush()
        await heard.until(lambda: stream.sent_at is not None and stream.writes_begun == 1)
        assert stream.sent_at is not None
        assert before <= stream.sent_at <= trio.current_time()
        assert stream.writes_done == 0
        await dialled.send_all(frame(WINDOW, 0, 1, struct.pack(">I", 100)))
        await read_until(dialled, b"second")
        await heard.until(lambda: stream.writes_done == 2)


async def test_a_server_that_stops_ends_streams_although_nobody_reads(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (dialled, stream):
        stream.send(b"first")
        heard.grpc.flush()
        await heard.until(lambda: stream.writes_begun == 1)
        heard.server.stop()
        await heard.until(lambda: bool(heard.ends))
        await read_to_end(dialled)
        await heard.until(lambda: not os.path.exists(heard.address.removeprefix("unix:")))


async def test_a_deferred_message_comes_again_once_the_message_before_has_left(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (dialled, stream):
        stream.send(b"first")
        heard.grpc.flush()
        await heard.until(lambda: stream.writes_begun == 1)
        stream.defer(b"early", 1.0)
        assert stream.has_deferred
        await dialled.send_all(frame(WINDOW, 0, 1, struct.pack(">I", 100)))
        await heard.until(lambda: len(heard.received) == 2)
        assert heard.received[1] == b"early"
        assert not stream.has_deferred


async def test_a_message_deferred_when_the_one_before_is_written_already_comes_again_too(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (_, stream):
        stream.defer(b"early", 1.0)
        await heard.until(lambda: heard.received[1:] == [b"early"])


async def test_of_who_rests_no_more_than_one_message_is_read_and_afterwards_all(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (dialled, stream):
        stream.rest(1000)
        stream.rest(2000)
        for number in range(3):
            await dialled.send_all(frame(DATA, 0, 1, message(PlayRequest(hello=Hello(name=str(number))))))
        await heard.until(lambda: len(heard.received) == 2)
        async with dialled_to(heard, window=65_535) as other:
            await other.send_all(frame(HEADERS, END_HEADERS, 1, REQUEST) + frame(DATA, 0, 1, message(PlayRequest())))
            await heard.until(lambda: len(heard.streams) == 2 and len(heard.received) == 3)
        stream._end_rest()
        async with dialled_to(heard, window=65_535) as other:
            await other.send_all(frame(HEADERS, END_HEADERS, 1, REQUEST) + frame(DATA, 0, 1, message(PlayRequest())))
            await heard.until(lambda: len(heard.streams) == 3 and len(heard.received) == 4)
        stream._end_rest()
        await heard.until(lambda: len(heard.received) == 6)
        names = [PlayRequest.FromString(payload).hello.name for payload in heard.received]
        assert names == ["", "0", "", "", "1", "2"]


async def test_a_rest_ends_by_itself(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (dialled, stream):
        stream.rest(0.01)
        for number in range(3):
            await dialled.send_all(frame(DATA, 0, 1, message(PlayRequest(hello=Hello(name=str(number))))))
        await heard.until(lambda: len(heard.received) == 4)


async def test_who_sends_on_after_the_end_is_not_read(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (dialled, stream):
        stream.send(b"this cannot be written")
        stream.close()
        heard.grpc.flush()
        for _ in range(100):
            await dialled.send_all(frame(DATA, 0, 1, message(PlayRequest())))
        async with dialled_to(heard, window=65_535) as other:
            await other.send_all(frame(HEADERS, END_HEADERS, 1, REQUEST) + frame(DATA, 0, 1, message(PlayRequest())))
            await heard.until(lambda: len(heard.streams) == 2)
        assert heard.server.traffic.messages <= 3, "two hellos and what was being written"


async def test_of_a_stream_no_more_than_64_kib_are_read_ahead(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, call_without_reading(heard) as (dialled, _):
        received = await dialled.receive_some()
        length, kind = int.from_bytes(received[:3], "big"), received[3]
        assert kind == SETTINGS
        settings = dict(struct.iter_unpack(">HI", received[9 : 9 + length]))
        assert settings.get(INITIAL_WINDOW, 65_535) <= 1 << 16


async def test_more_streams_than_a_bot_may_open_end_its_server(tmp_path: Path) -> None:
    async with listening(tmp_path) as heard, AsyncExitStack() as connections:
        for count in range(MAX_STREAMS + 1):
            dialled = await connections.enter_async_context(dialled_to(heard, window=65_535))
            await dialled.send_all(frame(HEADERS, END_HEADERS | END_STREAM, 1, REQUEST))
            await heard.until(lambda: len(heard.ends) + len(heard.overruns) == count + 1)  # noqa: B023
        assert heard.overruns == [f"it opened more than {MAX_STREAMS} streams"]
        await read_to_end(dialled)


async def test_a_method_whose_name_is_no_text_ends_its_server_alone_and_in_silence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(tmp_path) as heard:
        first = heard.grpc.listen(f"unix:{tmp_path}/first", Method(SERVICE, lambda _: None, lambda _: None))
        async with await trio.open_unix_socket(f"{tmp_path}/first") as dialled:
            await dialled.send_all(PREFACE + frame(SETTINGS, 0, 0))
            await dialled.send_all(frame(HEADERS, END_HEADERS, 1, REQUEST.replace(b"Service", b"\xd3ervice")))
            async with call_without_reading(heard):
                first.stop()
    gc.collect()
    assert not caplog.records
