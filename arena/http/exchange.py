"""One request and its response, as an ASGI application sees them."""

from collections.abc import Awaitable, Callable, MutableMapping
from email.utils import formatdate
from typing import Any
from urllib.parse import unquote

import h11
import trio

from arena.http.client_limits import HttpLimits
from arena.http.connection_registry import ClientConnection
from arena.http.transport import ClientGone, Transport

Message = MutableMapping[str, Any]

Application = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]
"""An ASGI application."""

MOST_PIPELINED = 64 * 1024
"""Bytes of later requests that are read while one is being answered."""


class RequestSlot:
    """A slot for one request that is being handled; each visitor has a few."""

    def __init__(self, connected: ClientConnection) -> None:
        self._connected = connected
        self._is_held = False

    async def acquire(self) -> None:
        """Wait for a free slot."""
        self._connected.waits_since = trio.current_time()
        await self._connected.visitor.slots.acquire()
        self._connected.waits_since = None
        self._is_held = True

    def release(self) -> None:
        """Free the slot, if it is held."""
        if self._is_held:
            self._is_held = False
            self._connected.visitor.slots.release()


class HttpExchange:
    """One request and its response; `receive` and `send` are the application's.

    started: whether the response has begun.
    complete: whether the response has ended.
    client_gone: whether the client has disconnected or does not read.
    scope: the cancel scope of the application.
    slot: released when the response begins, however long the client takes to read it.
    """

    def __init__(
        self,
        protocol: h11.Connection,
        transport: Transport,
        limits: HttpLimits,
        slot: RequestSlot,
        request: h11.Request,
        last: bool,
    ) -> None:
        """Create an exchange.

        last: whether the connection is closed afterwards.
        """
        self.started = False
        self.complete = False
        self.client_gone = False
        self.scope = trio.CancelScope()
        self.slot = slot
        self._protocol = protocol
        self._transport = transport
        self._limits = limits
        self._is_head = request.method == b"HEAD"
        self._last = last
        self._body_complete = False
        self._response: h11.Response | None = None
        self._deadline = trio.current_time() + limits.stall_seconds

    async def receive(self) -> Message:
        """Return the next part of the body; after its end, wait until the client disconnects."""
        if self._body_complete:
            return await self._wait_for_end()
        while True:
            event = self._next_event()
            if isinstance(event, h11.Data):
                self._deadline += len(event.data) * self._limits.stall_seconds / self._limits.stall_bytes
                self._deadline = min(self._deadline, trio.current_time() + self._limits.stall_seconds)
                return {"type": "http.request", "body": bytes(event.data), "more_body": True}
            if isinstance(event, h11.EndOfMessage):
                self._body_complete = True
                self._transport.is_served()
                return {"type": "http.request", "body": b"", "more_body": False}
            if event is not h11.NEED_DATA:
                await self.refuse(400, "the body of the request is malformed")
            if self._protocol.they_are_waiting_for_100_continue:
                await self._write(self._protocol.send(h11.InformationalResponse(status_code=100, headers=[])))
            self.slot.release()  # other requests need not wait while this client sends
            data = await self._transport.read(self._deadline)
            if not self.started:
                await self.slot.acquire()
            if self.started:  # a response that has begun needs no slot, also where it began while this waited
                self.slot.release()
            if data is None:
                await self.refuse(408, "the body of the request did not arrive in time")
            elif not data:
                await self._cancel()
            else:
                self._protocol.receive_data(data)

    async def send(self, message: Message) -> None:
        """Send a part of the response."""
        if message["type"] == "http.response.start":
            headers = [(bytes(name), bytes(value)) for name, value in message["headers"]]
            self.begin(int(message["status"]), headers)
        elif message["type"] == "http.response.body":
            await self._send_body(message.get("body", b""), bool(message.get("more_body", False)))

    def begin(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        """Begin the response; its header is sent with the first part of the body."""
        self.started = True
        self.slot.release()
        if self._last or not self._is_body_read():
            headers.append((b"connection", b"close"))
        date = formatdate(usegmt=True).encode()
        self._response = h11.Response(status_code=status, headers=[*headers, (b"date", date)])

    async def refuse(self, status: int, sentence: str) -> None:
        """Answer in place of the application, and cancel it."""
        if not self.started:
            await self.answer(status, sentence)
        await self._cancel()

    async def answer(self, status: int, sentence: str) -> None:
        """Answer with a message of the server, and close the connection afterwards."""
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
            self.client_gone = True
            await self._cancel()

    async def _cancel(self) -> None:
        """Cancel the application: its response can no longer be sent."""
        self.scope.cancel()
        await trio.sleep_forever()

    async def _wait_for_end(self) -> Message:
        while len(self._protocol.trailing_data[0]) < MOST_PIPELINED:
            data = await self._transport.read()
            self._protocol.receive_data(data or b"")
            if not data:
                return {"type": "http.disconnect"}
        await trio.sleep_forever()
        raise AssertionError

    def _is_body_read(self) -> bool:
        """Return whether the body has been read to its end, discarding what the application did not read."""
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
    """Return the ASGI scope of a request.

    client, server: their addresses and ports.
    """
    path, _, query = request.target.partition(b"?")
    return {
        "type": "http",
        # 2.3: `receive` reports a disconnection, and `send` raises no error for it.
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
