"""Hostile programs at the API of a real `arena web`: how they are treated, and that others are served."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.store import open_store
from tests.server.api.conftest import fill
from tests.uploads import zipped

pytestmark = pytest.mark.processes

PATIENCE = 60.0

UPLOAD = (
    b"POST /api/v1/hand-ins?name=club/owl&file=owl.zip HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/zip\r\n"
)


class Running(NamedTuple):
    """A server."""

    address: str
    database: Path
    printed: Path
    """The file of what it prints."""
    token: str
    """The token of the account club."""

    def ask(self, method: str, path: str, **how: object) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}"} | how.pop("headers", {})  # type: ignore[operator]
        url = f"{self.address}/api/v1{path}"
        return httpx.request(method, url, headers=headers, timeout=PATIENCE, **how)  # type: ignore[arg-type]

    def raw(self, said: bytes) -> bytes:
        """Return what is answered to bytes, until the server closes."""
        host, port = re.fullmatch(r"http://(.*):(\d+)", self.address).groups()  # type: ignore[union-attr]
        with socket.create_connection((host, int(port)), PATIENCE) as client:
            heard = b""
            try:
                client.sendall(said)
                while data := client.recv(65536):
                    heard += data
            except ConnectionError:
                pass  # it was cut off while it sent
            return heard


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("hostile")
    database, printed = folder / "arena.db", folder / "printed"
    with open_store(database, create=True) as store:
        fill(store)
    token = CliRunner().invoke(main, ["accounts", "create", "club", "--db", str(database)]).stdout.strip()
    command = [sys.executable, "-m", "arena", "web", "--sign-in", "--port", "0", "--db", str(database)]
    with printed.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        line = process.stderr.readline().decode()
        found = re.search(r"http://\S+?(?=/)", line)
        assert found is not None
        try:
            yield Running(found[0], database, printed, token)
        finally:
            process.terminate()
            rest = process.communicate(timeout=PATIENCE)[1].decode()
    assert token not in line + rest + printed.read_text(), "tokens are not printed"
    assert "Traceback" not in rest


def test_a_header_flood_is_refused(server: Running) -> None:
    many = b"".join(b"X-%d: y\r\n" % number for number in range(200))
    for flood in (many, b"Authorization: Bearer " + b"x" * 20_000 + b"\r\n"):
        said = server.raw(b"GET /api/v1/leagues HTTP/1.1\r\nHost: 127.0.0.1\r\n" + flood + b"\r\n")
        assert said.startswith(b"HTTP/1.1 431 "), said[:100]
    assert server.ask("GET", "/leagues").status_code == 200


def test_a_body_that_does_not_come_is_given_up(server: Running) -> None:
    said = server.raw(UPLOAD + b"Authorization: Bearer %s\r\nContent-Length: 1000\r\n\r\nPK" % server.token.encode())
    assert said.startswith(b"HTTP/1.1 408 "), said[:100]
    assert server.ask("GET", "/hand-ins").json()["hand_ins"] == []


def test_a_body_that_is_said_to_be_huge_is_refused_at_once(server: Running) -> None:
    said = server.raw(
        UPLOAD + b"Authorization: Bearer %s\r\nContent-Length: 99999999999\r\n\r\n" % server.token.encode()
    )
    assert said.startswith(b"HTTP/1.1 413 "), said[:100]
    assert b"application/problem+json" in said


def test_a_path_that_leaves_the_folder_is_refused_by_the_check(server: Running) -> None:
    evil = zipped({"mybot/bot.toml": b"", "../../escaped.py": b"x"})
    sent = server.ask(
        "POST", "/hand-ins?name=club/owl&file=../../owl.zip", content=evil, headers={"content-type": "application/zip"}
    )
    assert sent.status_code == 202
    with server_events(server, sent.json()["hand_in"]) as states:
        last = list(states)[-1]
    assert '"state":"refused"' in last
    assert "leads out of the bot's folder" in last
    assert not (server.database.parent.parent / "escaped.py").exists()


class server_events:
    """The data of the events of a hand-in, until its stream ends."""

    def __init__(self, server: Running, number: int) -> None:
        self._stream = httpx.stream(
            "GET",
            f"{server.address}/api/v1/hand-ins/{number}/events",
            headers={"authorization": f"Bearer {server.token}"},
            timeout=PATIENCE,
        )

    def __enter__(self) -> Iterator[str]:
        response = self._stream.__enter__()
        assert response.headers["content-type"].startswith("text/event-stream")
        return (line.removeprefix("data: ") for line in response.iter_lines() if line.startswith("data: "))

    def __exit__(self, *error: object) -> None:
        self._stream.__exit__(None, None, None)


def test_paths_in_many_disguises_lead_nowhere(server: Running) -> None:
    for path in (
        "/../../etc/passwd",
        "/leagues/%2e%2e%2f%2e%2e%2farena.db",
        "/leagues/%00",
        "/bots/%ff%fe",
        "/bots/" + "a/" * 3000,
        "/matches/" + "9" * 400,
        "/leagues/cambio/board?all=%00",
        "/leagues/%0d%0aX-Evil:%201",
    ):
        said = server.raw(b"GET /api/v1" + path.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        status = int(said.split(b" ", 2)[1])
        assert 400 <= status < 500, (path, said[:200])
        assert b"\r\nX-Evil" not in said


def test_a_token_in_an_address_is_no_token_and_is_not_repeated(server: Running) -> None:
    for parameter in ("token", "access_token"):
        answer = httpx.get(f"{server.address}/api/v1/hand-ins?{parameter}={server.token}", timeout=PATIENCE)
        assert answer.status_code == 401
        assert server.token not in answer.text + str(answer.headers)
