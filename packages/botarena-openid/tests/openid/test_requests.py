"""What is asked of a provider: within limits, and without redirects; what is wrong is told in a sentence."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from arena_openid.requests import LARGEST, fetch
from arena_openid.settings import OpenIdError, ProviderAway


class Answers(BaseHTTPRequestHandler):
    answer: Callable[[Any], None]
    asked: list[tuple[str, dict[str, str], bytes]]

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        type(self).answer(self)

    do_POST = do_GET

    def say(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, type[Answers]]]:
    handler = type("Handler", (Answers,), {"asked": [], "answer": lambda self: self.say(200, b'{"a": 1}')})
    with HTTPServer(("127.0.0.1", 0), handler) as listening:
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}", handler
        finally:
            listening.shutdown()
            thread.join()


def test_a_form_and_a_client_are_sent(server: tuple[str, type[Answers]]) -> None:
    url, handler = server
    assert fetch(f"{url}/token", {"code": "a b&c"}, client=("arena", "s3cret: %/1")) == {"a": 1}
    [(path, headers, body)] = handler.asked
    assert (path, body) == ("/token", b"code=a+b%26c")
    import base64

    assert base64.b64decode(headers["authorization"].removeprefix("Basic ")) == b"arena:s3cret%3A+%25%2F1"
    fetch(f"{url}/userinfo", token="t")
    assert handler.asked[-1][1]["authorization"] == "Bearer t"


@pytest.mark.parametrize(
    ("status", "body", "headers", "error"),
    [
        (302, b"", {"location": "/elsewhere"}, "127.0.0.1 answers 302"),
        (307, b"", {"location": "https://evil.example/"}, "127.0.0.1 answers 307"),
        (400, b'{"error": "invalid_grant"}', {}, "127.0.0.1 answers 400 (invalid_grant)"),
        (500, b"<html>", {}, "127.0.0.1 answers 500"),
        (401, b'{"error": ["a"]}', {}, "127.0.0.1 answers 401"),
        (200, b"[1]", {}, "the answer of 127.0.0.1 (200) is no object of JSON"),
        (200, b"\xff", {}, "is no object of JSON"),
        (200, b"[" * 100_000, {}, "is no object of JSON"),
        (200, b" " * (LARGEST + 1), {}, "the answer of 127.0.0.1 is too large"),
    ],
)
def test_answers_that_are_none(
    server: tuple[str, type[Answers]], status: int, body: bytes, headers: dict[str, str], error: str
) -> None:
    url, handler = server
    handler.answer = lambda self: self.say(status, body, **headers)
    with pytest.raises(OpenIdError) as refused:
        fetch(url, {"code": "x"})
    assert error in str(refused.value)
    assert len(handler.asked) == 1, "no redirect is followed"


def test_a_provider_that_is_away(server: tuple[str, type[Answers]]) -> None:
    url, handler = server
    with pytest.raises(ProviderAway, match="nowhere.invalid cannot be reached"):
        fetch("https://nowhere.invalid/")
    with pytest.raises(ProviderAway, match="cannot be reached"):
        fetch(url.replace("http", "https"))
    handler.answer = lambda self: self.connection.close()
    with pytest.raises(ProviderAway, match="cannot be reached"):
        fetch(url)
