"""The byte stream of a connection, with timeouts for slow clients."""

import socket
import struct
from contextlib import suppress

import trio

from arena.http.client_limits import HttpLimits
from arena.http.connection_registry import ClientConnection, ConnectionRegistry

READ_SIZE = 64 * 1024
"""Bytes per read."""


class ClientGone(Exception):
    """The client has closed the connection, or is too slow."""


class Transport:
    """The byte stream of one connection."""

    def __init__(
        self, stream: trio.abc.Stream, limits: HttpLimits, registry: ConnectionRegistry, connected: ClientConnection
    ) -> None:
        self._stream = stream
        self._limits = limits
        self._registry = registry
        self._connected = connected

    async def read(self, deadline: float | None = None) -> bytes | None:
        """Read the next bytes; b"" at the end, None after the deadline.

        deadline: a time on trio's clock; None: there is none.
        """
        connected = self._connected
        if deadline is not None and connected.waits_since is None:
            connected.waits_since = trio.current_time()
        with trio.CancelScope(deadline=float("inf") if deadline is None else deadline):
            try:
                return bytes(await self._stream.receive_some(READ_SIZE))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return b""
        return None

    def is_served(self) -> None:
        """Note that a request of the client is being handled."""
        self._connected.waits_since = None

    async def write(self, data: bytes) -> None:
        """Send all data. Raises ClientGone if the client has disconnected or reads too slowly."""
        limits, unsent = self._limits, memoryview(data)
        try:
            while unsent:
                part, unsent = unsent[: limits.stall_bytes], unsent[limits.stall_bytes :]
                self._registry.set_unsent(self._connected, len(part) + len(unsent))
                with trio.move_on_after(limits.stall_seconds) as scope:
                    await self._stream.send_all(part)
                if scope.cancelled_caught:
                    self.abort()
                    raise ClientGone
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ClientGone from None
        finally:
            self._registry.clear_unsent(self._connected)

    def abort(self) -> None:
        """Reset the connection when it is closed, so that the kernel discards unsent data."""
        if isinstance(self._stream, trio.SocketStream):
            self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def end(self) -> None:
        """Stop sending; read and discard input until the client closes, for `linger_seconds` at most."""
        self._connected.waits_since = trio.current_time()
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError, OSError):
            if isinstance(self._stream, trio.abc.HalfCloseableStream):
                await self._stream.send_eof()
            with trio.move_on_after(self._limits.linger_seconds):
                while await self._stream.receive_some(READ_SIZE):
                    pass
