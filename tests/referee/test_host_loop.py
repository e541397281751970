"""trio as a guest of gRPC's queue: what it returns, what ends it, and that neither waits for the other."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from referee.__main__ import SWITCH_SECONDS
from referee.connection import host_loop
from referee.connection.grpc_server import STAMP_SECONDS, GrpcServers, Method
from referee.connection.stream import Stream
from tests.referee.real import ROOT

PATIENCE = 20

HAND_OVERS = 50
"""So many times WAIT_SECONDS is more than our patience."""

METHOD = "referee.v1.WorkService/Work"


class Echo:
    """The listener of a stream that gets its messages back."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        stream.listener = self

    def received(self, payload: bytes, stamp: float) -> None:
        if payload == b"fail":
            raise RuntimeError("a listener has failed")
        self._stream.send(payload)

    def ended(self, reason: str) -> None:
        self._stream.close()


def open_echo(stream: Stream) -> None:
    Echo(stream)


def exchange(address: str, messages: list[bytes]) -> list[bytes]:
    """Send messages; return what came back."""
    came: list[bytes] = []
    options = [("grpc.default_authority", "localhost")]
    with grpc.insecure_channel(address, options) as channel, suppress(grpc.RpcError):
        call: Any = channel.stream_stream("/" + METHOD)
        came.extend(call(iter(messages)))
    return came


async def serving(servers: GrpcServers, address: str, messages: list[bytes], hand_overs: int = 0) -> list[bytes]:
    """Exchange messages with a client in a thread, and with so many other threads meanwhile."""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await nursery.start(servers.run)
            servers.listen(address, Method(METHOD, open_echo))
            came = await trio.to_thread.run_sync(exchange, address, messages, abandon_on_cancel=True)
            for _ in range(hand_overs):
                await trio.to_thread.run_sync(os.getpid)
            nursery.cancel_scope.cancel()
    return came


def test_messages_come_and_go_and_trio_is_woken_while_grpc_waits(tmp_path: Path) -> None:
    servers = GrpcServers()
    messages = [b"%d" % number for number in range(100)]
    assert HAND_OVERS * host_loop.WAIT_SECONDS > PATIENCE
    assert host_loop.run(servers, serving, servers, f"unix:{tmp_path}/socket", messages, HAND_OVERS) == messages


class Slow(Echo):
    """Takes longer for a message than it may take without a look at those that come.

    handled: how many messages all of them have handled.
    """

    handled = 0

    def received(self, payload: bytes, stamp: float) -> None:
        began = time.perf_counter()
        while time.perf_counter() - began < 2 * STAMP_SECONDS:
            pass
        Slow.handled += 1


def open_slow(stream: Stream) -> None:
    Slow(stream)


async def serve_slowly(servers: GrpcServers, address: str) -> set[int]:
    """Handle 100 messages that come at once; return after how many of them trio got a turn."""
    turns = set()
    async with trio.open_nursery() as nursery:
        await nursery.start(servers.run)
        servers.listen(address, Method(METHOD, open_slow))
        nursery.start_soon(partial(trio.to_thread.run_sync, exchange, address, [b"x"] * 100, abandon_on_cancel=True))
        with trio.fail_after(PATIENCE):
            while Slow.handled < 100:
                await trio.sleep(0)
                turns.add(Slow.handled)
        nursery.cancel_scope.cancel()
    return turns


def test_trio_gets_its_turn_while_messages_come_faster_than_they_are_handled(tmp_path: Path) -> None:
    servers = GrpcServers()
    assert len(host_loop.run(servers, serve_slowly, servers, f"unix:{tmp_path}/socket")) > 50


OUTLIVES = """
import sys, trio
from referee.connection import host_loop
from referee.connection.grpc_server import GrpcServers
from tests.referee.test_host_loop import serving

async def main():
    await serving(servers, sys.argv[1], [b"1", b"2"])
    await trio.to_thread.run_sync(int)
    await trio.sleep(0.01)
    print("ended well")

servers = GrpcServers()
host_loop.run(servers, main)
"""


@pytest.mark.processes
def test_what_goes_on_after_the_servers_have_stopped_does_no_harm(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", OUTLIVES, f"unix:{tmp_path}/socket"], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert (ended.returncode, ended.stdout) == (0, "ended well\n")


SENDS_LATE = """
import os, sys, threading, trio
from functools import partial
from referee.connection import grpc_server, host_loop
from referee.connection.grpc_server import GrpcServers, Method
from tests.referee.test_host_loop import METHOD, exchange

streams = []

def open_stream(stream):
    streams.append(stream)
    opened.set()

def messages():
    yield b"1"
    threading.Event().wait()

async def main():
    async with trio.open_nursery() as nursery:
        await nursery.start(servers.run)
        servers.listen(sys.argv[1], Method(METHOD, open_stream))
        nursery.start_soon(partial(trio.to_thread.run_sync, exchange, sys.argv[1], messages(), abandon_on_cancel=True))
        await opened.wait()
        nursery.cancel_scope.cancel()
    streams[0].send(b"late")
    servers.flush()
    streams[0].close()
    await trio.to_thread.run_sync(int)
    print("ended well", flush=True)
    os._exit(0)

grpc_server.STOP_SECONDS = 0.0  # as on a machine too busy to stop in time
servers, opened = GrpcServers(), trio.Event()
host_loop.run(servers, main)
"""


@pytest.mark.processes
def test_what_is_sent_after_the_servers_were_given_up_is_dropped(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SENDS_LATE, f"unix:{tmp_path}/socket"], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert (ended.returncode, ended.stdout) == (0, "ended well\n")


def test_what_the_function_raises_is_raised() -> None:
    async def fail() -> None:
        await trio.sleep(0)
        raise KeyError("it has failed")

    with pytest.raises(KeyError, match="it has failed"):
        host_loop.run(GrpcServers(), fail)


@pytest.mark.parametrize("is_hosted", [True, False])
def test_a_listener_that_fails_ends_everything(tmp_path: Path, *, is_hosted: bool) -> None:
    servers = GrpcServers()
    run = partial(host_loop.run, servers) if is_hosted else trio.run
    with pytest.raises(BaseExceptionGroup) as raised:
        run(serving, servers, f"unix:{tmp_path}/socket", [b"well", b"fail", b"never"])
    assert raised.group_contains(RuntimeError, match="a listener has failed")


def test_a_signal_reaches_trio_before_anyone_has_called() -> None:
    async def wait() -> Any:
        with trio.fail_after(PATIENCE), trio.open_signal_receiver(signal.SIGUSR1) as signals:
            await trio.to_thread.run_sync(partial(os.kill, os.getpid(), signal.SIGUSR1))
            async for number in signals:
                return number

    assert host_loop.run(GrpcServers(), wait) == signal.SIGUSR1


@pytest.mark.promise
def test_a_thread_that_computes_lets_the_loop_of_a_referee_run_soon() -> None:
    program = (
        "import sys, referee.__main__ as program\n"
        "program.host_loop.run = lambda *_, **__: print(sys.getswitchinterval())\n"
        "program.main()"
    )
    words = [sys.executable, "-c", program, "--address", "unix:/nowhere"]
    told = subprocess.run(words, stdin=subprocess.PIPE, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)
    assert (told.stdout, told.stderr) == (f"{SWITCH_SECONDS}\n", "")
    assert SWITCH_SECONDS < 0.005, "what Python has without it"
