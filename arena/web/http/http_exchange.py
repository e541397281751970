"""One request and its answer, as an ASGI application sees them."""

from collections.abc import MutableMapping
from email.utils import formatdate
from typing import Any
from urllib.parse import unquote

import h11
import trio

from arena.web.http.client_limits import HttpLimits
from arena.web.http.connection_registry import ClientConnection
from arena.web.http.transport import ClientGone, Transport

Message = MutableMapping[str, Any]

AHEAD = 64 * 1024
"""Bytes of later requests that are read while one is answered."""


class RequestSlot:
    """A visitor's turn to be worked for, of which they have a few at the same time."""

    def __init__(self, connected: ClientConnection) -> None:
        self._connected = connected
        self._taken = False

    async def acquire(self) -> None:
        """Wait for it; a new one is as good as the one that was released."""
        self._connected.waits_since = trio.current_time()
        await self._connected.visitor.turns.acquire()
        self._connected.waits_since = None
        self._taken = True

    def release(self) -> None:
        """Let another request have it; once is enough."""
        if self._taken:
            self._taken = False
            self._connected.visitor.turns.release()


class HttpExchange:
    """What the application is given: `receive` and `send`.

    started: whether the answer has begun. complete: whether it has ended. lost: whether the client is gone, or does not
    read. scope: what the application runs in. turn: released as soon as the answer begins, however long it is read.
    """

    def __init__(
        self,
        protocol: h11.Connection,
        transport: Transport,
        limits: HttpLimits,
        turn: RequestSlot,
        request: h11.Request,
        last: bool,
    ) -> None:
        """Make one for a request. last: the connection is closed after it."""
        self.started = False
        self.complete = False
        self.lost = False
        self.scope = trio.CancelScope()
        self.turn = turn
        self._protocol = protocol
        self._transport = transport
        self._limits = limits
        self._is_head = request.method == b"HEAD"
        self._last = last
        self._body_complete = False
        self._response: h11.Response | None = None
        self._deadline = trio.current_time() + limits.stall_seconds

    async def receive(self) -> Message:
        """Return the next part of the body; after its end, wait until the client is gone."""
        if self._body_complete:
            return await self._wait_for_end()
        while True:
            event = self._next_event()
            if isinstance(event, h11.Data):
                self._deadline += len(event.data) * self._limits.stall_seconds / self._limits.stall_bytes
                return {"type": "http.request", "body": bytes(event.data), "more_body": True}
            if isinstance(event, h11.EndOfMessage):
                self._body_complete = True
                self._transport.is_served()
                return {"type": "http.request", "body": b"", "more_body": False}
            if event is not h11.NEED_DATA:
                await self.refuse(400, "the body of the request is malformed")
            if self._protocol.they_are_waiting_for_100_continue:
                await self._write(self._protocol.send(h11.InformationalResponse(status_code=100, headers=[])))
            self.turn.release()  # others need not wait for what this client sends
            data = await self._transport.read(self._deadline)
            await self.turn.acquire()
            if data is None:
                await self.refuse(408, "the body of the request did not come in time")
            elif not data:
                await self._leave()
            else:
                self._protocol.receive_data(data)

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            headers = [(bytes(name), bytes(value)) for name, value in message["headers"]]
            self.begin(int(message["status"]), headers)
        elif message["type"] == "http.response.body":
            await self._send_body(message.get("body", b""), bool(message.get("more_body", False)))

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        """Begin the answer, which is sent with the first part of its body."""
        self.started = True
        self.turn.release()
        if self._last or not self._was_read():
            headers.append((b"connection", b"close"))
        date = formatdate(usegmt=True).encode()
        self._response = h11.Response(status_code=status, headers=[*headers, (b"date", date)])

    async def refuse(self, status: int, sentence: str) -> None:
        """Answer in the application's place, and cancel it."""
        if not self.started:
            await self.answer(status, sentence)
        await self._leave()

    async def answer(self, status: int, sentence: str) -> None:
        """Answer with a sentence of the server's own, after which the connection is closed."""
        self._last = True
        content = sentence.encode() + b"\n"
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"x-content-type-options", b"nosniff"),
            (b"content-length", b"%d" % len(content)),
        ]
        self.begin(status, headers)
        await self._send_body(content, more=False)

    async def _send_body(self, content: bytes, more: bool) -> None:
        data = b""
        if self._response is not None:
            data, self._response = self._protocol.send(self._response) or b"", None
        if content and not self._is_head:
            data += self._protocol.send(h11.Data(data=content)) or b""
        if not more:
            data += self._protocol.send(h11.EndOfMessage()) or b""
        if data:
            await self._write(data)
        self.complete = not more

    async def _write(self, data: bytes | None) -> None:
        try:
            await self._transport.write(data or b"")
        except ClientGone:
            self.lost = True
            await self._leave()

    async def _leave(self) -> None:
        """End the application: nobody hears its answer."""
        self.scope.cancel()
        await trio.sleep_forever()

    async def _wait_for_end(self) -> Message:
        while len(self._protocol.trailing_data[0]) < AHEAD:
            data = await self._transport.read()
            self._protocol.receive_data(data or b"")
            if not data:
                return {"type": "http.disconnect"}
        await trio.sleep_forever()
        raise AssertionError

    def _was_read(self) -> bool:
        """Tell whether the body has come to its end, which an application need not have asked for."""
        while not self._body_complete:
            event = self._next_event()
            if isinstance(event, h11.EndOfMessage):
                self._body_complete = True
            elif not isinstance(event, h11.Data):
                return False
        return True

    def _next_event(self) -> object:
        try:
            return self._protocol.next_event()
        except h11.RemoteProtocolError as error:
            return error


def scope_of(
    request: h11.Request, client: tuple[str, int] | None, server: tuple[str, int] | None
) -> MutableMapping[str, Any]:
    """Return the ASGI scope of a request. client, server: addresses and ports."""
    path, _, query = request.target.partition(b"?")
    return {
        "type": "http",
        # Of 2.3: applications are told that a client is gone, and need not find out by sending.
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": request.http_version.decode(),
        "method": request.method.decode(),
        "scheme": "http",
        "path": unquote(path.decode("ascii")),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": [(bytes(name), bytes(value)) for name, value in request.headers],
        "client": client,
        "server": server,
        "state": {},
    }
