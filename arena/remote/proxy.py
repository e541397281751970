"""Passes the bytes of remote connections on to servers of the gate, and ends those that ask for too much.

gRPC counts neither connections nor what they send before anybody has shown a token, keeps those that nobody hears of
for minutes, and cannot close one of them. So each connection from elsewhere has a server of its own, which listens
where only this process reaches it: what ends the one is nothing to the others. TLS is the server's: what passes here
is sealed.
"""

import asyncio
import os
import socket
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from arena.visitors import visitor_key

STRANGERS = 128
"""Connections at the same time that have not shown a token yet."""

STRANGER_SECONDS = 10.0
"""How long a connection may take to show a token."""

STRANGER_BYTES = 32 * 1024
"""What it may send until then; the handshake of TLS and a hello are some 3,000 bytes."""

BYTES_PER_SECOND = 1 << 20
"""What a bot may send; what is more waits in its own socket."""

BURST = 4 << 20
"""Bytes that it may send at once."""

_CHUNK = 64 * 1024


@dataclass(eq=False, slots=True)
class Connection:
    """One connection from elsewhere.

    address: of whoever dialled. sessions: how many streams have shown a token; where none has, it is a stranger's.
    received: bytes. streams: how many were opened. deadline: when it is cut unless a token is shown.
    """

    address: str
    writer: asyncio.StreamWriter
    sessions: int = 0
    received: int = 0
    streams: int = 0
    deadline: asyncio.TimerHandle | None = None

    def cut(self) -> None:
        """Close it at once, whatever is still to be sent: nobody else has to agree."""
        self.writer.transport.abort()


class Proxy:
    """Listens for remote bots.

    port: where.
    """

    def __init__(self, server: Callable[[str], AbstractAsyncContextManager[None]]) -> None:
        """Make one. server: serves at a Unix socket, whose path it is given, what comes over one connection."""
        self.port = 0
        self._open_server = server
        self._folder = tempfile.TemporaryDirectory(prefix="arena-gate-")
        self._number = 0
        self._connections: dict[str, Connection] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, host: str, port: int) -> None:
        """Listen. port: 0 for any that is free. Raises OSError where it cannot be had."""
        (family, _, _, _, address), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        dual = family == socket.AF_INET6 and address[0] == "::" and socket.has_dualstack_ipv6()
        listener = socket.create_server((str(address[0]), port), family=family, backlog=512, dualstack_ipv6=dual)
        self._server = await asyncio.start_server(self._accept, sock=listener, limit=_CHUNK)
        self.port = listener.getsockname()[1]

    async def close(self) -> None:
        """Stop listening, and close all connections."""
        if self._server is not None:
            self._server.close()
        for connection in list(self._connections.values()):
            connection.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._folder.cleanup()

    def find(self, peer: str) -> Connection | None:
        """Return the connection that the server calls by this name."""
        return self._connections.get(peer.removeprefix("unix:"))

    def trust(self, connection: Connection) -> None:
        """Note that a token was shown on a connection: it may last."""
        connection.sessions += 1
        if connection.deadline is not None:
            connection.deadline.cancel()

    def distrust(self, connection: Connection) -> None:
        """Note that who showed a token is done: where nobody else is, the connection has to prove itself again."""
        connection.sessions -= 1
        if not connection.sessions:
            connection.received = 0
            self._expect(connection)

    def _expect(self, connection: Connection) -> None:
        """Cut a connection unless a token is shown in time."""
        connection.deadline = asyncio.get_running_loop().call_later(STRANGER_SECONDS, connection.cut)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = writer.get_extra_info("peername")
        if name is None:
            writer.transport.abort()
            return
        self._make_room()
        self._number += 1
        own = str(Path(self._folder.name, str(self._number)))
        connection = Connection(name[0], writer)
        self._connections[own] = connection
        self._expect(connection)
        task = asyncio.create_task(self._serve(own, connection, reader))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_room(self) -> None:
        """Where there are too many strangers, close the oldest connection of whoever has most of them."""
        strangers = [each for each in self._connections.values() if not each.sessions and not each.writer.is_closing()]
        if len(strangers) >= STRANGERS:
            counted = Counter(visitor_key(each.address) for each in strangers)
            [(most, _)] = counted.most_common(1)
            next(each for each in strangers if visitor_key(each.address) == most).cut()

    async def _serve(self, own: str, connection: Connection, reader: asyncio.StreamReader) -> None:
        try:
            if first := await reader.read(_CHUNK):  # who says nothing costs the server nothing
                await self._pass(own, connection, reader, first)
            connection.writer.close()
            async with asyncio.timeout(STRANGER_SECONDS):
                await connection.writer.wait_closed()
        except (OSError, TimeoutError):
            pass  # it is gone, or does not read the end
        finally:
            connection.cut()
            if connection.deadline is not None:
                connection.deadline.cancel()
            self._connections.pop(own, None)

    async def _pass(self, own: str, connection: Connection, reader: asyncio.StreamReader, first: bytes) -> None:
        """Pass bytes on, both ways, until one side ends."""
        path = f"{own}.server"
        async with self._open_server(path):
            await self._pass_to(path, own, connection, reader, first)

    async def _pass_to(
        self, path: str, own: str, connection: Connection, reader: asyncio.StreamReader, first: bytes
    ) -> None:
        there, server = await _dial(path, own)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._pass_on(connection, reader, server, first)),
                    group.create_task(_pass_back(there, connection.writer)),
                ]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
        except* OSError:
            pass
        finally:
            server.transport.abort()

    async def _pass_on(
        self, connection: Connection, reader: asyncio.StreamReader, server: asyncio.StreamWriter, data: bytes
    ) -> None:
        """Pass on what comes from elsewhere, as fast as it may come."""
        loop = asyncio.get_running_loop()
        room, then = float(BURST), loop.time()
        while data:
            connection.received += len(data)
            if not connection.sessions and connection.received > STRANGER_BYTES:
                return
            server.write(data)
            await server.drain()
            now = loop.time()
            room, then = min(BURST, room + (now - then) * BYTES_PER_SECOND) - len(data), now
            if room < 0:
                await asyncio.sleep(-room / BYTES_PER_SECOND)
            data = await reader.read(_CHUNK)


async def _dial(path: str, own: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a server under a name by which the connection can be told."""
    dialled = socket.socket(socket.AF_UNIX)
    try:
        dialled.setblocking(False)
        dialled.bind(own)
        await asyncio.get_running_loop().sock_connect(dialled, path)
        os.unlink(own)
        return await asyncio.open_unix_connection(sock=dialled, limit=_CHUNK)
    except BaseException:
        dialled.close()
        raise


async def _pass_back(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_CHUNK):
        writer.write(data)
        await writer.drain()
