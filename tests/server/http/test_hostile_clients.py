"""Hostile clients at a real `arena web`: how they are treated, and that pages stay prompt."""

import re
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic

import pytest

from tools.serving import Server, served

pytestmark = pytest.mark.processes

PROMPTLY = 5.0
"""Seconds in which a page comes, whatever others do: a tenth of one on a machine that does nothing else."""

PATIENCE = 60.0

GET = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
POST = b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[Server]:
    with served(database, "--sign-in") as running:
        page(running, "/tournaments/1")  # what is loaded once is loaded
        yield running


def connect(server: Server, buffer: int | None = None) -> socket.socket:
    host, port = re.fullmatch(r"http://(.*):(\d+)", server.address).groups()  # type: ignore[union-attr]
    client = socket.socket()
    if buffer is not None:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.settimeout(PATIENCE)
    client.connect((host, int(port)))
    return client


@contextmanager
def many(server: Server, number: int, said: bytes = b"", buffer: int | None = None) -> Iterator[list[socket.socket]]:
    """Open many connections, each of which says something.

    buffer: bytes that each receives unread.
    """
    with ExitStack() as stack:
        clients = [stack.enter_context(connect(server, buffer)) for _ in range(number)]
        for client in clients:
            try:
                client.sendall(said)
            except OSError:
                continue  # it had to go for a newcomer
        yield clients


def heard(client: socket.socket) -> bytes:
    """Return what a client is told until the server closes."""
    said = b""
    while data := client.recv(65536):
        said += data
    return said


def status(said: bytes) -> int:
    return int(said.split()[1])


def page(server: Server, path: str = "/tournaments/1") -> float:
    """Return how many seconds a page took."""
    began = monotonic()
    with connect(server) as client:
        client.sendall(GET % path.encode())
        assert status(heard(client)) == 200
    return monotonic() - began


def test_a_page_is_prompt_beside_many_event_streams(server: Server) -> None:
    with many(server, 250, GET % b"/tournaments/2/events") as clients:
        for client in clients:
            assert status(client.recv(65536)) == 200
        assert max(page(server) for _ in range(5)) < PROMPTLY
        with many(server, 20, GET % b"/tournaments/2/events") as more:
            told = [status(client.recv(65536)) for client in more]
    assert told.count(200) <= 6, "one visitor follows 256 pages at the most"
    assert told.count(503) >= 14


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HT",
        POST % b"/sign-in" + b"Content-Length: 1000\r\n\r\ntoken=",
        (GET % b"/static/replay.js").replace(b"Connection: close\r\n", b"") * 10,
    ],
    ids=["silent", "half a header", "half a body", "reads nothing"],
)
def test_a_page_is_prompt_beside_hundreds_of_bad_connections(server: Server, said: bytes) -> None:
    with many(server, 700, said, buffer=4096):
        page(server)  # comes after the 700, who were first
        assert max(page(server) for _ in range(3)) < PROMPTLY


def test_slow_clients_are_disconnected(server: Server) -> None:
    def until_the_end(said: bytes, trickle: bytes) -> tuple[bytes, float]:
        """Send something, then a byte a second; return what was answered, and after how many seconds."""
        began, answer = monotonic(), b""
        with connect(server) as client:
            client.sendall(said)
            while monotonic() < began + PATIENCE:
                readable, _, _ = select.select([client], [], [], 1.0)
                try:
                    if readable:
                        data = client.recv(65536)
                        if not data:
                            break
                        answer += data
                    elif trickle:
                        client.sendall(trickle)
                except OSError:
                    break
        return answer, monotonic() - began

    def unread() -> tuple[bytes, float]:
        began = monotonic()
        with connect(server, 4096) as client:
            client.sendall((GET % b"/tournaments/1").replace(b"Connection: close\r\n", b"") * 400)
            told = select.poll()
            told.register(client, select.POLLHUP | select.POLLERR)
            told.poll(PATIENCE * 1000)
        return b"HTTP/1.1 408 ", monotonic() - began

    body = POST % b"/sign-in" + b"Content-Length: 1000\r\n\r\n"
    with ThreadPoolExecutor() as threads:
        asked = [
            threads.submit(until_the_end, b"GET / HTTP/1.1\r\nHost: 127.", b""),
            threads.submit(until_the_end, b"GET / HTTP/1.1\r\nHost: 127.", b"0"),
            threads.submit(until_the_end, body, b""),
            threads.submit(until_the_end, body, b"a"),
            threads.submit(until_the_end, body.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked"), b""),
            threads.submit(unread),
        ]
        for each in asked:
            answer, seconds = each.result()
            assert status(answer) == 408
            assert seconds < 25


def test_an_upload_that_is_too_large_gets_an_error(server: Server) -> None:
    with connect(server) as client:
        client.sendall(POST % b"/sign-in" + b"Content-Length: 50000000\r\n\r\n")
        for _ in range(100):
            client.sendall(bytes(500_000))
        said = heard(client)
    assert status(said) == 413
    assert b"at most 65,536 bytes are accepted" in said


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            POST % b"/sign-in" + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + GET % b"/bots",
            400,
        ),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", 505),
        (GET.replace(b"Connection: close", b"Cookie: " + b"a" * 1_000_000) % b"/", 431),
        (GET.replace(b"Connection: close", b"X: " + b"\r\nX: ".join([b"a"] * 500)) % b"/", 431),
        (GET % (b"/bots?" + b"&".join([b"a=b"] * 3000)), 200),
        (GET.replace(b"Connection", b"Range: bytes=" + b",".join([b"0-0"] * 1000) + b"\r\nConnection") % b"/", 200),
        (GET % b"/static/..%2f..%2f..%2f..%2fetc%2fpasswd", 404),
        (GET % b"/static/%2e%2e/%2e%2e/server.py", 404),
        (GET % b"//evil.example/", 404),
        (GET % b"/bots/%00%ff%fe%0d%0aSet-Cookie:%20a=b", 404),
        (GET % b"/matches?bot=%ff&game=%01&page=99999999999999999999999", 200),
        (GET % b"/matches?bot=%00", 400),
        (GET.replace(b"127.0.0.1", b"evil.example") % b"/", 403),
    ],
)
def test_malformed_requests_get_one_error_response(server: Server, said: bytes, expected: int) -> None:
    with connect(server) as client:
        with suppress(OSError):  # it may be cut off
            client.sendall(said)
        answer = heard(client)
    assert re.findall(rb"HTTP/1\.1 (\d+)", answer) == [b"%d" % expected]
    assert b"Traceback" not in answer
    assert b"set-cookie" not in answer.lower()


def test_hostile_clients_cause_no_output_on_stderr(database: Path) -> None:
    command = [sys.executable, "-m", "arena", "web", "--port", "0", "--db", str(database), "--sign-in"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://\S+?(?=/)", process.stderr.readline())
        assert found is not None
        server = Server(found[0], process.pid)
        for said in (
            POST % b"/sign-in" + b"Content-Length: 1000\r\n\r\ntoken=",
            POST % b"/sign-in" + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
            GET % b"/tournaments/2/events",
            GET[:20],
            b"\x16\x03\x01\x02\x00",
        ):
            connect(server).close()
            with connect(server) as client:
                client.sendall(said)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, no end
        page(server)
        process.terminate()
        assert process.communicate(timeout=PATIENCE)[1] == ""
    assert process.returncode == 0
