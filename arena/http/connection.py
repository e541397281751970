"""The loop of one connection: read requests, send responses."""

import h11
import trio

from arena.http.client_limits import HttpLimits
from arena.http.connection_registry import ClientConnection, ConnectionRegistry
from arena.http.exchange import Application, HttpExchange, RequestSlot, scope_of
from arena.http.transport import ClientGone, Transport

Address = tuple[str, int] | None

_NO_REQUEST = h11.Request(method="GET", target="/", headers=[("host", "")])


class HttpConnection:
    """Answers the requests of one client, one after the other.

    app: the ASGI application.
    connected: the entry of the connection in the registry.
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
        """Create a connection.

        addresses: those of the client and of the server.
        """
        self._app = app
        self._transport = transport
        self._connected = connected
        self._limits = limits
        self._addresses = addresses
        self._registry = registry
        self._protocol = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.header_bytes)

    async def run(self) -> None:
        """Answer requests until the client disconnects or violates a limit."""
        try:
            for number in range(1, self._limits.requests + 1):
                request = await self._request(first=number == 1)
                if request is None or not await self._answer(request, last=number == self._limits.requests):
                    break
        except ClientGone:
            return
        await self._transport.end()

    async def _request(self, first: bool) -> h11.Request | None:
        """Read the next request; None if there is none."""
        limits, started = self._limits, first or bool(self._protocol.trailing_data[0])
        self._connected.waits_since = trio.current_time()
        deadline = trio.current_time() + (limits.header_seconds if started else limits.idle_seconds)
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
                    await self._refuse(408, "the request did not arrive in time")
                return None
            if not started:
                started, deadline = True, trio.current_time() + limits.header_seconds
            self._protocol.receive_data(data)

    async def _answer(self, request: h11.Request, last: bool) -> bool:
        """Answer a request; return whether the connection can be used for another one."""
        if refusal := self._refusal(request):
            await self._refuse(*refusal)
            return False
        exchange = self._exchange(request, last or self._registry.closing)
        await exchange.slot.acquire()
        try:
            with exchange.scope:
                await self._app(scope_of(request, *self._addresses), exchange.receive, exchange.send)
        except Exception:
            # The application has printed its traceback to stderr before raising the error again.
            if not exchange.started:
                await self._refuse(500, "the server failed")
        finally:
            exchange.slot.release()
        if exchange.client_gone:
            raise ClientGone
        if not exchange.complete or {self._protocol.our_state, self._protocol.their_state} != {h11.DONE}:
            return False
        self._protocol.start_next_cycle()
        return True

    def _refusal(self, request: h11.Request) -> tuple[int, str] | None:
        """Return the status and message for a request that must be refused; None for a good one."""
        names = [name for name, _ in request.headers]
        if request.http_version not in (b"1.1", b"1.0"):
            return 505, "this server speaks HTTP/1.1"
        size = len(request.target) + sum(len(name) + len(value) for name, value in request.headers)
        if len(names) > self._limits.header_fields or size > self._limits.header_bytes:
            limits = f"{self._limits.header_fields} header fields with {self._limits.header_bytes:,} bytes"
            return 431, f"the header is too large: at most {limits} are accepted"
        # Request smuggling: software that uses one or the other sees different requests (RFC 9112, 6.1).
        if b"transfer-encoding" in names and (b"content-length" in names or request.http_version == b"1.0"):
            return 400, "a request must not have both Content-Length and Transfer-Encoding, nor the latter in HTTP/1.0"
        if not request.target.startswith(b"/"):
            return 400, "the target of a request must be a path"
        return None

    async def _refuse(self, status: int, sentence: str) -> None:
        if self._protocol.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            exchange = self._exchange(_NO_REQUEST, last=True)
            with exchange.scope:
                await exchange.answer(status, sentence)

    def _exchange(self, request: h11.Request, last: bool) -> HttpExchange:
        return HttpExchange(self._protocol, self._transport, self._limits, RequestSlot(self._connected), request, last)
