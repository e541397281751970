"""The gate and strangers: whoever has a token is let in, whatever they do."""

import gzip
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import Queue
from time import monotonic
from typing import Any

import grpc
import pytest

from arena.run.remote import bot_relay, proxy
from arena.run.remote import gate as gates
from arena.run.remote.certificate import make_certificate
from arena.run.remote.errors import RemoteError
from arena.run.remote.gate import Gate, GateSettings
from arena.run.remote.tokens import new_token, token_hash
from referee.v1.play_pb2 import MatchStart, PlayRequest, PlayResponse, Refusal, Turns
from tests.remote.http2 import (
    CANCEL,
    CONTINUATION,
    END_HEADERS,
    HEADERS,
    RST_STREAM,
    SETTINGS,
    Http2,
    fields,
    frame,
    hello,
)

PROMPTLY = 5.0
"""Seconds in which a token is known, on a machine that does much else."""

OWL, CAT = new_token(), new_token()


class Opened:
    """A gate that is open, and what it said."""

    def __init__(self, folder: Path) -> None:
        self.said: Queue[str] = Queue()
        self.certificate = make_certificate(folder, "localhost")
        hashes = [("owl", token_hash(OWL)), ("cat", token_hash(CAT))]
        self.gate = Gate("127.0.0.1:0", self.certificate, lambda: hashes, GateSettings("cambio", 4), self.said.put)

    def dial(self, window: int = 1 << 20) -> Http2:
        client = Http2(self.gate.port, self.certificate.path, window)
        client.start()
        return client

    def is_welcome(self, token: str = OWL) -> float:
        """Show a token on a new connection, as bots do; return how many seconds it took to be let in."""
        began = monotonic()
        with self.dial() as client:
            client.call(1)
            client.send(1, hello(token))
            response = client.response(1)
        assert response is not None
        assert response.HasField("welcome")
        return monotonic() - began

    def hear(self, words: str) -> None:
        """Wait until it says something with these words."""
        while words not in self.said.get(timeout=60):
            pass


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(tmp_path)
    with opened.gate:
        yield opened


def test_silent_strangers_keep_nobody_out(opened: Opened) -> None:
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection(("127.0.0.1", opened.gate.port)))
        for _ in range(30):
            client = stack.enter_context(opened.dial())
            client.call(1)
        assert opened.is_welcome() < PROMPTLY


def test_silent_strangers_take_no_place_from_a_bot_that_is_about_to_show_its_token(opened: Opened) -> None:
    with opened.dial() as client, ExitStack() as stack:
        client.call(1)
        for _ in range(300):
            stack.enter_context(socket.create_connection(("127.0.0.1", opened.gate.port)))
        opened.is_welcome(CAT)  # by now all of them are accepted, and most are cut off
        client.send(1, hello(OWL))
        response = client.response(1)
        assert response is not None
        assert response.HasField("welcome")


def test_wrong_tokens_keep_nobody_out(opened: Opened) -> None:
    for _ in range(15):
        with opened.dial() as client:
            client.call(1)
            client.send(1, hello(new_token()))
            response = client.response(1)
            assert response is not None
            assert response.refusal.reason == Refusal.REASON_TOKEN
    assert opened.is_welcome() < PROMPTLY
    said = [opened.said.get() for _ in range(10)]
    assert said[-1] == "wrong token from 127.0.0.1; further ones are not reported"
    opened.hear("owl connected from 127.0.0.1")


def test_a_bot_that_connects_again_and_again_is_refused_for_a_while_and_no_other_is(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "SESSIONS", 3)
    with opened.dial() as client:
        for stream in (1, 3, 5, 7):
            client.call(stream)
            client.send(stream, hello(OWL))
            response = client.response(stream)
            assert response is not None
            assert response.HasField("welcome") == (stream < 7)
        assert response is not None
        assert response.refusal.reason == Refusal.REASON_LATER
        assert response.refusal.sentence == (
            "owl has connected 3 times within 60 s: "
            "end other programs that use its token, and connect again in a minute"
        )
    opened.is_welcome(CAT)
    opened.hear("owl has connected 3 times within 60 s: further ones are refused")
    monkeypatch.setattr(gates, "SESSIONS_WINDOW", 0.0)
    opened.is_welcome()


def test_a_connection_that_shows_no_token_is_closed(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "TOKEN_SECONDS", 0.5)
    with ExitStack() as stack:
        silent = stack.enter_context(socket.create_connection(("127.0.0.1", opened.gate.port), 60))
        clients = [stack.enter_context(opened.dial()) for _ in range(3)]
        clients[1].call(1)
        clients[2].call(1)
        clients[2].send(1, hello(OWL))
        response = clients[2].response(1)
        assert response is not None
        assert silent.recv(1) == b""
        for client in clients[:2]:
            client.wait_for_end()
        clients[2].send(1, b"no message")  # who has shown one is still heard, and judged
        assert clients[2].response(1) is None


def rapid_reset(client: Http2) -> None:
    for stream in range(1, 201, 2):
        client.call(stream)
        client.socket.sendall(frame(RST_STREAM, 0, stream, bytes([0, 0, 0, CANCEL])))


def header_bomb(client: Http2) -> None:
    block = fields((b"x" * 10, b"y" * 16_000))
    client.socket.sendall(frame(HEADERS, 0, 1, block))
    for _ in range(20):
        client.socket.sendall(frame(CONTINUATION, 0, 1, block))
    client.socket.sendall(frame(CONTINUATION, END_HEADERS, 1, block))


def settings_flood(client: Http2) -> None:
    for _ in range(100):
        client.socket.sendall(frame(SETTINGS, 0, 0) * 100)


def large_hello(client: Http2) -> None:
    client.call(1)
    client.send(1, hello(OWL, games=["x" * 100] * 9000))


def many_streams(client: Http2) -> None:
    for stream in range(1, 401, 2):
        client.call(stream)


def garbage(client: Http2) -> None:
    client.socket.sendall(b"\xff" * 100_000)


@pytest.mark.parametrize("flood", [rapid_reset, header_bomb, settings_flood, large_hello, many_streams, garbage])
def test_a_stranger_that_floods_is_cut_off(
    opened: Opened, flood: Callable[[Http2], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(proxy, "TOKEN_SECONDS", 1.0)
        with opened.dial() as client, suppress(OSError):  # it may be cut off while it still sends
            flood(client)
            client.wait_for_end()
    assert opened.is_welcome() < PROMPTLY


def test_a_method_whose_name_is_no_text_keeps_nobody_out(opened: Opened) -> None:
    with opened.dial() as client:
        call = {b":method": b"POST", b":scheme": b"https", b":path": b"/referee.v1.Bot\xd3ervice/Play"}
        call |= {b":authority": b"localhost", b"content-type": b"application/grpc", b"te": b"trailers"}
        block = fields(*call.items())
        client.socket.sendall(frame(HEADERS, END_HEADERS, 1, block))
        with opened.dial() as other:
            other.call(1)
        assert opened.is_welcome() < PROMPTLY


def test_what_unfolds_to_much_more_is_not_unfolded(opened: Opened) -> None:
    with opened.dial() as client:
        client.call(1, (b"grpc-encoding", b"gzip"))
        client.send(1, gzip.compress(hello(OWL, games=["x" * 1000] * 500)), packed=True)
        response = client.response(1)
    assert response is None or response.HasField("refusal")
    assert opened.is_welcome() < PROMPTLY


@contextmanager
def referee(path: Path, size: int) -> Iterator[str]:
    """A referee that begins a match with options of so many bytes, again and again, and hears no answers."""

    def play(requests: Iterator[PlayRequest], context: Any) -> Iterator[PlayResponse]:
        next(requests)
        for number in range(1, 10_000):
            start = MatchStart(match=number, options={"x": "y" * size})
            yield PlayResponse(turns=Turns(starts=[start]))

    handler = grpc.stream_stream_rpc_method_handler(
        play, request_deserializer=PlayRequest.FromString, response_serializer=PlayResponse.SerializeToString
    )
    server = grpc.server(futures.ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("referee.v1.BotService", {"Play": handler}),))
    address = f"unix:{path}"
    server.add_insecure_port(address)
    server.start()
    try:
        yield address
    finally:
        server.stop(0).wait()


def test_a_bot_that_left_before_its_referee_had_welcomed_it_is_connected_to_it_when_it_is_back(
    opened: Opened, tmp_path: Path
) -> None:
    path = tmp_path / "referee"
    with socket.create_server(str(path), family=socket.AF_UNIX) as busy, opened.dial() as owl:
        owl.call(1)
        owl.send(1, hello(OWL))
        opened.hear("owl connected")
        opened.gate.invite("owl", f"unix:{path}", "a token")
        connection, _ = busy.accept()
        owl.socket.close()
        opened.hear("owl lost its connection")
        connection.close()
    path.unlink()
    with referee(path, 1) as address, opened.dial() as owl:
        owl.call(1)
        owl.send(1, hello(OWL))
        first, second = owl.response(1), owl.response(1)
        assert address == f"unix:{path}"
        assert first is not None
        assert first.HasField("welcome")
        assert second is not None
        assert second.HasField("turns")


def test_a_bot_that_does_not_read_is_cut_off_and_holds_up_nobody(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_relay, "WRITE_SECONDS", 1.0)
    with referee(tmp_path / "referee", 50_000) as address, opened.dial(window=100) as owl, opened.dial() as cat:
        owl.call(1)
        owl.send(1, hello(OWL))
        opened.hear("owl connected")
        cat.call(1)
        cat.send(1, hello(CAT))
        opened.hear("cat connected")
        opened.gate.invite("owl", address, "a token")
        opened.gate.invite("cat", address, "another token")
        first, second = cat.response(1), cat.response(1)
        assert first is not None
        assert first.HasField("welcome")
        assert second is not None
        assert second.HasField("turns")
        owl.wait_for_end()
        opened.hear("owl lost its connection")


def test_a_bot_that_is_welcome_and_does_not_read_that_is_cut_off(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "HELLO_SECONDS", 1.0)
    with opened.dial(window=0) as stranger:
        stranger.call(1)
        stranger.send(1, hello("none"))
        stranger.wait_for_end()


def test_while_a_gate_is_open_other_threads_let_it_run_soon(tmp_path: Path) -> None:
    before = sys.getswitchinterval()
    with Opened(tmp_path).gate:
        assert sys.getswitchinterval() == gates.SWITCH_SECONDS < before
    assert sys.getswitchinterval() == before


def test_an_address_that_cannot_be_had_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        gate = Gate(listen, make_certificate(tmp_path, "localhost"), list, GateSettings("cambio", 1), print)
        with (
            pytest.raises(RemoteError, match=f"cannot listen for remote bots on {listen}: .*[Aa]ddress already in use"),
            gate,
        ):
            pass
