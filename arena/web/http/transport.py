"""A stream whose other side has to keep up."""

import socket
import struct
from contextlib import suppress

import trio

from arena.web.http.client_limits import HttpLimits
from arena.web.http.connection_registry import ClientConnection, ConnectionRegistry

RECEIVED = 64 * 1024
"""Bytes that are read at once."""


class ClientGone(Exception):
    """The other side closed the connection, or is too slow to be waited for."""


class Transport:
    """Bytes of one connection, both ways."""

    def __init__(
        self, stream: trio.abc.Stream, limits: HttpLimits, registry: ConnectionRegistry, connected: ClientConnection
    ) -> None:
        self._stream = stream
        self._limits = limits
        self._registry = registry
        self._connected = connected

    async def read(self, deadline: float | None = None) -> bytes | None:
        """Return what comes next, nothing at the end, None where nothing came in time. deadline: on trio's clock."""
        connected = self._connected
        if deadline is not None and connected.waits_since is None:
            connected.waits_since = trio.current_time()
        with trio.CancelScope(deadline=float("inf") if deadline is None else deadline):
            try:
                return bytes(await self._stream.receive_some(RECEIVED))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return b""
        return None

    def is_served(self) -> None:
        """Note that the client waits for us from now on."""
        self._connected.waits_since = None

    async def write(self, data: bytes) -> None:
        """Send everything. Raises ClientGone where the other side is gone, or takes too little in the time it has."""
        limits, unsent = self._limits, memoryview(data)
        try:
            while unsent:
                part, unsent = unsent[: limits.stall_bytes], unsent[limits.stall_bytes :]
                self._registry.hold_back(self._connected, len(part) + len(unsent))
                with trio.move_on_after(limits.stall_seconds) as scope:
                    await self._stream.send_all(part)
                if scope.cancelled_caught:
                    self.abort()
                    raise ClientGone
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ClientGone from None
        finally:
            self._registry.went(self._connected)

    def abort(self) -> None:
        """Have the connection reset when it is closed, so that the kernel, too, forgets what nobody reads."""
        if isinstance(self._stream, trio.SocketStream):
            self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def end(self) -> None:
        """Send no more, and throw away what the client still sends until it is done or was given time enough."""
        self._connected.waits_since = trio.current_time()
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError, OSError):
            if isinstance(self._stream, trio.abc.HalfCloseableStream):
                await self._stream.send_eof()
            with trio.move_on_after(self._limits.linger_seconds):
                while await self._stream.receive_some(RECEIVED):
                    pass
