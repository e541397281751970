"""A server that receives webhooks, in threads of the test, with the verification of docs/api.md."""

import base64
import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple

PATIENCE = 60.0
"""Seconds for whatever a test waits for: the machine may be busy."""


class Received(NamedTuple):
    """A request. is_signed: whether its signature is that of the secret."""

    id: str
    event: dict[str, Any]
    path: str
    headers: dict[str, str]
    body: bytes

    def is_signed(self, secret: str) -> bool:
        content = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), content, "sha256")
        expected = f"v1,{base64.b64encode(digest).decode()}"
        return hmac.compare_digest(expected, self.headers["webhook-signature"])


class Receiver:
    """Where requests go. url: of it. received: what has come. status: returns that of each answer."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/arena?from=here"
        self.received: Queue[Received] = Queue()
        self.status: Callable[[Received], int] = lambda _: 204

    def next(self) -> Received:
        return self.received.get(timeout=PATIENCE)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Receive requests on this machine, without TLS."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(headers["webhook-id"], json.loads(body), self.path, headers, body)
            receiver.received.put(received)
            self.send_response(receiver.status(received))
            self.send_header("location", "http://169.254.169.254/latest/meta-data/")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver = Receiver(server.server_address[1])
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
