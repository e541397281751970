"""Who is connected, and who has to go for a newcomer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import trio

from arena.visitors import visitor_key
from arena.web.http.client_limits import HttpLimits


class ServerFull(Exception):
    """There is no room for another connection."""


class LifoSemaphore:
    """What is there a few times, and is given to whoever asked last.

    Who sends more requests than can be answered waits for those; a page that is opened meanwhile does not.
    """

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: list[trio.Event] = []

    async def acquire(self) -> None:
        """Wait for a turn."""
        if self._free:
            self._free -= 1
            return
        mine = trio.Event()
        self._waiting.append(mine)
        try:
            await mine.wait()
        except trio.Cancelled:
            self._waiting.remove(mine)
            raise

    def release(self) -> None:
        """Give a turn back."""
        if self._waiting:
            self._waiting.pop().set()
        else:
            self._free += 1


@dataclass(eq=False, slots=True)
class VisitorConnections:
    """Somebody with connections. turns: those at which their requests are worked on."""

    turns: LifoSemaphore
    connections: int = 0


@dataclass(eq=False, slots=True)
class ClientConnection:
    """One connection.

    waits_since: since when it keeps us waiting, or waits for its turn, on trio's clock; None: it is worked for.
    unsent: bytes of an answer that it does not read. scope: is cancelled where it has to go, after `leave` was called.
    """

    name: str
    visitor: VisitorConnections
    waits_since: float | None
    unsent: int = 0
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    leave: Callable[[], object] = lambda: None


class ConnectionRegistry:
    """All connections. Where there is no room for a newcomer, whoever keeps us waiting longest has to go.

    closing: whether requests under way are the last ones.
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
        """Register a connection as long as it lasts; its block is cancelled where it has to go.

        Raises ServerFull where there is no room, as we keep all others waiting.
        """
        name = visitor_key(address)
        self._make_room(name)
        owner = self._visitors.setdefault(name, VisitorConnections(LifoSemaphore(self._limits.visitor_requests)))
        connected = ClientConnection(name, owner, trio.current_time())
        owner.connections += 1
        self._connected.add(connected)
        try:
            with connected.scope:
                yield connected
        finally:
            self._remove(connected)

    def hold_back(self, connected: ClientConnection, octets: int) -> None:
        """Note that so many bytes of an answer wait for a reader; where all those are too many, the slowest goes."""
        connected.waits_since = trio.current_time()
        self._unsent += octets - connected.unsent
        connected.unsent = octets
        if self._unsent > self._limits.unsent_bytes:
            stalled = [each for each in self._connected if each.unsent]
            self._end(min(stalled, key=lambda each: each.waits_since or 0.0))

    def went(self, connected: ClientConnection) -> None:
        """Note that all of an answer is sent, or none of it ever will be."""
        self._unsent -= connected.unsent
        connected.unsent = 0
        connected.waits_since = None

    def close(self) -> None:
        """Answer no more requests than those under way."""
        self.closing = True
        for each in [each for each in self._connected if each.waits_since is not None and not each.unsent]:
            self._end(each)

    def _make_room(self, name: str) -> None:
        """End the connection that keeps us waiting longest, or waits for its turn, if one must go."""
        known = self._visitors.get(name)
        if known is not None and known.connections >= self._limits.visitor_connections:
            waiting = [each for each in self._connected if each.waits_since is not None and each.name == name]
        elif len(self._connected) >= self._limits.connections:
            waiting = [each for each in self._connected if each.waits_since is not None]
        else:
            return
        if not waiting:
            raise ServerFull
        self._end(min(waiting, key=lambda each: (-each.visitor.connections, each.waits_since)))

    def _end(self, connected: ClientConnection) -> None:
        connected.leave()
        connected.scope.cancel()
        self._remove(connected)  # at once: it may take a moment until it has gone

    def _remove(self, connected: ClientConnection) -> None:
        if connected in self._connected:
            self._connected.remove(connected)
            self._unsent -= connected.unsent
            connected.unsent = 0
            connected.visitor.connections -= 1
            if not connected.visitor.connections:
                self._visitors.pop(connected.name, None)
