"""One connection: requests in, answers out."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import h11
import trio

from arena.web.http.client_limits import HttpLimits
from arena.web.http.connection_registry import ClientConnection, ConnectionRegistry
from arena.web.http.http_exchange import HttpExchange, Message, RequestSlot, scope_of
from arena.web.http.transport import ClientGone, Transport

Application = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]

Address = tuple[str, int] | None

_NO_REQUEST = h11.Request(method="GET", target="/", headers=[("host", "")])


class HttpConnection:
    """Answers the requests of one client, one after the other.

    app: what answers them. connected: its entry in the registry.
    """

    def __init__(
        self,
        app: Application,
        transport: Transport,
        registry: ConnectionRegistry,
        connected: ClientConnection,
        limits: HttpLimits,
        addresses: tuple[Address, Address] = (None, None),
    ) -> None:
        """Make one. addresses: the client's and ours."""
        self._app = app
        self._transport = transport
        self._connected = connected
        self._limits = limits
        self._addresses = addresses
        self._registry = registry
        self._protocol = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.header_bytes)

    async def run(self) -> None:
        """Answer requests until the client is gone, or goes too far."""
        try:
            for number in range(1, self._limits.requests + 1):
                request = await self._request(first=number == 1)
                if request is None or not await self._answer(request, last=number == self._limits.requests):
                    break
        except ClientGone:
            return
        await self._transport.end()

    async def _request(self, first: bool) -> h11.Request | None:
        """Return the next request; None where none comes."""
        limits, begun = self._limits, first or bool(self._protocol.trailing_data[0])
        self._connected.waits_since = trio.current_time()
        deadline = trio.current_time() + (limits.header_seconds if begun else limits.idle_seconds)
        while True:
            try:
                event = self._protocol.next_event()
            except h11.RemoteProtocolError as error:
                await self._refuse(error.error_status_hint, "the request is malformed")
                return None
            if isinstance(event, h11.Request):
                return event
            if event is not h11.NEED_DATA:
                return None
            data = await self._transport.read(deadline)
            if data is None:
                if self._protocol.trailing_data[0]:
                    await self._refuse(408, "the request did not come in time")
                return None
            if not begun:
                begun, deadline = True, trio.current_time() + limits.header_seconds
            self._protocol.receive_data(data)

    async def _answer(self, request: h11.Request, last: bool) -> bool:
        """Have a request answered; return whether the connection is good for another one."""
        if wrong := self._wrong(request):
            await self._refuse(*wrong)
            return False
        exchange = self._exchange(request, last or self._registry.closing)
        await exchange.turn.acquire()
        try:
            with exchange.scope:
                await self._app(scope_of(request, *self._addresses), exchange.receive, exchange.send)
        except Exception:
            # The application has said on stderr what is wrong with it, and raises it for whoever wants to know.
            if not exchange.started:
                await self._refuse(500, "the server failed")
        finally:
            exchange.turn.release()
        if exchange.lost:
            raise ClientGone
        if not exchange.complete or {self._protocol.our_state, self._protocol.their_state} != {h11.DONE}:
            return False
        self._protocol.start_next_cycle()
        return True

    def _wrong(self, request: h11.Request) -> tuple[int, str] | None:
        """Return status and sentence for a request that is not answered; None for a good one."""
        names = [name for name, _ in request.headers]
        if request.http_version not in (b"1.1", b"1.0"):
            return 505, "this server speaks HTTP/1.1"
        octets = len(request.target) + sum(len(name) + len(value) for name, value in request.headers)
        if len(names) > self._limits.header_fields or octets > self._limits.header_bytes:
            most = f"{self._limits.header_fields} header fields and {self._limits.header_bytes:,} bytes of them"
            return 431, f"a request has at most {most}"
        # Whoever goes by the one and whoever goes by the other see different requests (RFC 9112, 6.1).
        if b"transfer-encoding" in names and (b"content-length" in names or request.http_version == b"1.0"):
            return 400, "a request has either a Content-Length or, in HTTP/1.1, a Transfer-Encoding"
        if not request.target.startswith(b"/"):
            return 400, "the target of a request is a path"
        return None

    async def _refuse(self, status: int, sentence: str) -> None:
        if self._protocol.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            refusal = self._exchange(_NO_REQUEST, last=True)
            with refusal.scope:
                await refusal.answer(status, sentence)

    def _exchange(self, request: h11.Request, last: bool) -> HttpExchange:
        return HttpExchange(self._protocol, self._transport, self._limits, RequestSlot(self._connected), request, last)
