"""Forwards the bytes of remote connections to servers of the gate, and closes connections that exceed a limit.

gRPC limits neither connections nor the bytes they send before showing a token, keeps dead ones for minutes, and
cannot close a single one. So each connection has a server of its own, on a Unix socket that only this process can
reach: ending it does not affect the others. The server terminates TLS; the proxy sees only encrypted bytes. What it
costs to copy them does not matter, as remote bots set the pace.
"""

import asyncio
import os
import shutil
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from arena.values.visitors import visitor_key
from referee.paths import temporary_folder

MOST_UNAUTHENTICATED = 128
"""Most connections at the same time that have not shown a token yet."""

TOKEN_SECONDS = 10.0
"""Seconds within which a connection must show a token."""

TOKEN_BYTES = 32 * 1024
"""Bytes it may send until then; the TLS handshake and a hello take some 3,000."""

BYTES_PER_SECOND = 1 << 20
"""Bytes that a bot may send per second; the rest waits in its own socket."""

BURST = 4 << 20
"""Bytes that a bot may send at once."""

_CHUNK = 64 * 1024


@dataclass(eq=False, slots=True)
class Connection:
    """One remote connection."""

    address: str
    """The address of the remote host."""
    writer: asyncio.StreamWriter
    sessions: int = 0
    """The number of streams that have shown a token; 0: the connection is not authenticated."""
    received: int = 0
    """The number of bytes received."""
    streams: int = 0
    """The number of streams opened."""
    deadline: asyncio.TimerHandle | None = None
    """The timer that cuts the connection unless a token is shown; None before it is set."""
    visitor: str = field(init=False)
    """The visitor that `visitor_key` counts it to, found once: each new connection is compared with all that wait."""

    def __post_init__(self) -> None:
        self.visitor = visitor_key(self.address)

    def cut(self) -> None:
        """Close it at once and discard unsent data."""
        self.writer.transport.abort()


class Proxy:
    """Listens for remote bots.

    port: the port that it listens on.
    """

    def __init__(self, server: Callable[[str], AbstractAsyncContextManager[None]]) -> None:
        """Create a proxy.

        server: serves one connection on the Unix socket at the path that it is called with.
        """
        self.port = 0
        self._open_server = server
        self._folder = temporary_folder("arena-gate-", len("/1234567890"))
        self._number = 0
        self._connections: dict[str, Connection] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, host: str, port: int) -> None:
        """Start listening.

        port: 0 for any free port.

        Raises OSError if the port is not available.
        """
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
        shutil.rmtree(self._folder, ignore_errors=True)

    def find(self, peer: str) -> Connection | None:
        """Return the connection that gRPC calls `peer`; None if it is closed."""
        return self._connections.get(peer.removeprefix("unix:"))

    def trust(self, connection: Connection) -> None:
        """Count an authenticated stream of a connection and lift its deadline."""
        connection.sessions += 1
        if connection.deadline is not None:
            connection.deadline.cancel()

    def distrust(self, connection: Connection) -> None:
        """Count the end of an authenticated stream; after the last one the connection must show a token again."""
        connection.sessions -= 1
        if not connection.sessions:
            connection.received = 0
            self._set_deadline(connection)

    def _set_deadline(self, connection: Connection) -> None:
        """Cut a connection unless a token is shown in time."""
        connection.deadline = asyncio.get_running_loop().call_later(TOKEN_SECONDS, connection.cut)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = writer.get_extra_info("peername")
        if name is None:
            writer.transport.abort()
            return
        self._make_room()
        self._number += 1
        own = str(self._folder / str(self._number))
        connection = Connection(name[0], writer)
        self._connections[own] = connection
        self._set_deadline(connection)
        task = asyncio.create_task(self._serve(own, connection, reader))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_room(self) -> None:
        """If too many connections are unauthenticated, close the oldest of the visitor with the most of them.

        One that has sent nothing goes first: others of that visitor may be bots that are about to show their token.
        """
        waiting = [one for one in self._connections.values() if not one.sessions and not one.writer.is_closing()]
        if len(waiting) >= MOST_UNAUTHENTICATED:
            [(visitor, _)] = Counter(one.visitor for one in waiting).most_common(1)
            own = [one for one in waiting if one.visitor == visitor]
            min(own, key=lambda one: one.received > 0).cut()

    async def _serve(self, own: str, connection: Connection, reader: asyncio.StreamReader) -> None:
        try:
            if first := await reader.read(_CHUNK):  # a silent connection gets no server
                await self._forward(own, connection, reader, first)
            connection.writer.close()
            async with asyncio.timeout(TOKEN_SECONDS):
                await connection.writer.wait_closed()
        except (OSError, TimeoutError):
            pass  # the remote side is gone, or does not read
        finally:
            connection.cut()
            if connection.deadline is not None:
                connection.deadline.cancel()
            self._connections.pop(own, None)

    async def _forward(self, own: str, connection: Connection, reader: asyncio.StreamReader, first: bytes) -> None:
        """Forward bytes in both directions until one side ends."""
        path = f"{own}.server"
        async with self._open_server(path):
            await self._forward_to(path, own, connection, reader, first)

    async def _forward_to(
        self, path: str, own: str, connection: Connection, reader: asyncio.StreamReader, first: bytes
    ) -> None:
        server_reader, server = await _dial(path, own)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._forward_in(connection, reader, server, first)),
                    group.create_task(_forward_out(server_reader, connection.writer)),
                ]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
        except* OSError:
            pass
        finally:
            server.transport.abort()

    async def _forward_in(
        self, connection: Connection, reader: asyncio.StreamReader, server: asyncio.StreamWriter, data: bytes
    ) -> None:
        """Forward bytes from the remote side at the rate that is allowed."""
        loop = asyncio.get_running_loop()
        allowance, before = float(BURST), loop.time()
        while data:
            connection.received += len(data)
            if not connection.sessions and connection.received > TOKEN_BYTES:
                return
            server.write(data)
            await server.drain()
            now = loop.time()
            allowance, before = min(BURST, allowance + (now - before) * BYTES_PER_SECOND) - len(data), now
            if allowance < 0:
                await asyncio.sleep(-allowance / BYTES_PER_SECOND)
            data = await reader.read(_CHUNK)


async def _dial(path: str, own: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a server from a socket bound to the path `own`, by which `find` recognises it."""
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


async def _forward_out(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_CHUNK):
        writer.write(data)
        await writer.drain()
