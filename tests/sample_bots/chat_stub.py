"""A chat endpoint on this machine that misbehaves by a script: each request takes the next behaviour, then the last."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler", dict[str, Any]], None]


def completion(text: str, **more: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}], **more}).encode()


def legal_moves(request: dict[str, Any]) -> list[str]:
    """Return the moves that a prompt lists."""
    situation = next(message["content"] for message in request["messages"] if message["role"] == "user")
    return [line.strip() for line in situation.partition("The legal moves:\n")[2].splitlines()]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Stub"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            number = len(self.server.requests)
            self.server.requests.append(request)
            self.server.headers.append(dict(self.headers))
        script = self.server.script
        with suppress(OSError):  # the bot has hung up, as it should
            script[min(number, len(script) - 1)](self, request)

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


class Stub(ThreadingHTTPServer):
    """The endpoint.

    requests: all bodies so far.
    headers: the headers of each of them.
    over: set when the test ends, for those who wait.
    """

    daemon_threads = True

    def __init__(self, script: Sequence[Behaviour]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.lock = threading.Lock()
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def serving(*script: Behaviour) -> Iterator[Stub]:
    """Serve a script until the end of the context."""
    with Stub(script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


def good(handler: Handler, request: dict[str, Any]) -> None:
    move = legal_moves(request)[-1]
    text = f"Sure!\n```json\n{json.dumps({'thought': 'the last one looks best', 'move': move})}\n```"
    handler.answer(completion(text, usage={"total_tokens": 100}))


def status(code: int, body: bytes = b"{}", **headers: str) -> Behaviour:
    return lambda handler, request: handler.answer(body, code, **headers)


def text(words: str) -> Behaviour:
    return lambda handler, request: handler.answer(completion(words))


def raw(body: bytes) -> Behaviour:
    return lambda handler, request: handler.answer(body)


def silent(handler: Handler, request: dict[str, Any]) -> None:
    handler.server.over.wait()


def endless(handler: Handler, request: dict[str, Any]) -> None:
    """Send a byte now and then, for ever: no single wait is long."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b"1\r\n \r\n")


def endless_header(handler: Handler, request: dict[str, Any]) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b"x")
