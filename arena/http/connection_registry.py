"""The open connections, and which of them is closed when there is no room for a new one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import trio

from arena.http.client_limits import HttpLimits
from arena.values.visitors import visitor_key


class ServerFull(Exception):
    """There is no room for another connection."""


class LifoSemaphore:
    """A semaphore that serves the newest waiter first.

    A client that sends more requests than can be handled waits for them, but a page opened meanwhile does not.
    """

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: list[trio.Event] = []

    async def acquire(self) -> None:
        """Acquire a unit, waiting if there is none."""
        if self._free:
            self._free -= 1
            return
        granted = trio.Event()
        self._waiting.append(granted)
        try:
            await granted.wait()
        except trio.Cancelled:
            self._waiting.remove(granted)
            raise

    def release(self) -> None:
        """Release a unit."""
        if self._waiting:
            self._waiting.pop().set()
        else:
            self._free += 1


@dataclass(eq=False, slots=True)
class VisitorConnections:
    """The connections of one visitor."""

    slots: LifoSemaphore
    """The slots for the requests that are handled at the same time."""
    most: int
    """The largest number of connections of the visitor."""
    connections: int = 0


@dataclass(eq=False, slots=True)
class ClientConnection:
    """An open connection."""

    name: str
    visitor: VisitorConnections
    waits_since: float | None
    """Since when the server waits for the client, or the client for a slot, on trio's clock; None while a request is
    being handled.
    """
    unsent: int = 0
    """The number of bytes of a response that the client has not read."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """The cancel scope that is cancelled to close the connection, after a call of `leave`."""
    leave: Callable[[], object] = lambda: None


class ConnectionRegistry:
    """All open connections. If there is no room for a new one, the one that has waited longest is closed.

    closing: whether the server is shutting down: no further requests are read.
    """

    def __init__(self, limits: HttpLimits) -> None:
        self._limits = limits
        self._connected: set[ClientConnection] = set()
        self._visitors: dict[str, VisitorConnections] = {}
        self._unsent = 0
        self.closing = False

    def __len__(self) -> int:
        return len(self._connected)

    @contextmanager
    def admit(self, address: str) -> Iterator[ClientConnection]:
        """Register a connection while the block runs; the block is cancelled if the connection must be closed.

        Raises ServerFull if there is no room because requests of all other connections are being handled.
        """
        name = visitor_key(address)
        self._make_room(name)
        owner = self._visitors.setdefault(name, self._visitor(address))
        connected = ClientConnection(name, owner, trio.current_time())
        owner.connections += 1
        self._connected.add(connected)
        try:
            with connected.scope:
                yield connected
        finally:
            self._remove(connected)

    def set_unsent(self, connected: ClientConnection, size: int) -> None:
        """Set the number of unsent bytes of a connection; if the total is too large, close the slowest reader."""
        connected.waits_since = trio.current_time()
        self._unsent += size - connected.unsent
        connected.unsent = size
        if self._unsent > self._limits.unsent_bytes:
            stalled = [connection for connection in self._connected if connection.unsent]
            self._end(min(stalled, key=lambda connection: connection.waits_since or 0.0))

    def clear_unsent(self, connected: ClientConnection) -> None:
        """Reset the unsent bytes of a connection, after the response was sent or abandoned."""
        self._unsent -= connected.unsent
        connected.unsent = 0
        connected.waits_since = None

    def close(self) -> None:
        """Finish the requests that are being handled, and close all other connections."""
        self.closing = True
        idle = [connection for connection in self._connected if connection.waits_since is not None]
        for connection in [connection for connection in idle if not connection.unsent]:
            self._end(connection)

    def _make_room(self, name: str) -> None:
        """Close the connection that has waited longest, if there is no room for a new one."""
        visitor = self._visitors.get(name)
        waiting = [connection for connection in self._connected if connection.waits_since is not None]
        if visitor is not None and visitor.connections >= visitor.most:
            waiting = [connection for connection in waiting if connection.name == name]
        elif len(self._connected) < self._limits.connections:
            return
        if not waiting:
            raise ServerFull
        self._end(min(waiting, key=lambda connection: (-connection.visitor.connections, connection.waits_since)))

    def _visitor(self, address: str) -> VisitorConnections:
        limits = self._limits
        if limits.is_proxy(address):
            return VisitorConnections(LifoSemaphore(limits.connections), limits.connections)
        return VisitorConnections(LifoSemaphore(limits.visitor_requests), limits.visitor_connections)

    def _end(self, connected: ClientConnection) -> None:
        connected.leave()
        connected.scope.cancel()
        self._remove(connected)  # at once, as its task takes a moment to end

    def _remove(self, connected: ClientConnection) -> None:
        if connected in self._connected:
            self._connected.remove(connected)
            self._unsent -= connected.unsent
            connected.unsent = 0
            connected.visitor.connections -= 1
            if not connected.visitor.connections:
                self._visitors.pop(connected.name, None)
