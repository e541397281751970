"""Serve an application on a port, with trio."""

import errno
import signal
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

import trio

from arena.http.client_limits import DEFAULT_LIMITS, HttpLimits, raise_file_limit
from arena.http.connection import HttpConnection
from arena.http.connection_registry import ConnectionRegistry, ServerFull
from arena.http.exchange import Application
from arena.http.lifespan import lifespan
from arena.http.transport import Transport
from arena.values.server_log import report_bug

BACKLOG = 1024
"""Connections that the kernel queues."""

SEND_BUFFER = 256 * 1024
"""Bytes of a response that the kernel buffers for a slow reader; its default is megabytes."""

GRACE = 1.0
"""Seconds for open responses at the end: the event stream of a running tournament never ends by itself."""


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    port: 0 for any free one.

    Raises OSError if the address is not available.
    """
    addresses = [(info[0], info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    family, address = addresses[0]
    # A socket for all IPv6 addresses also takes the IPv4 ones, so that no other program answers on this port.
    dual = (family, address) == (socket.AF_INET6, "::") and socket.has_dualstack_ipv6()
    listener = socket.create_server((str(address), port), family=family, backlog=BACKLOG, dualstack_ipv6=dual)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # connections inherit it
        _check_others(addresses[1:], listener.getsockname()[1])
    except OSError:
        listener.close()
        raise
    return listener


def _check_others(addresses: Sequence[tuple[int, str | int]], port: int) -> None:
    """Raise OSError if another program listens at another address of the name, as browsers might use that one."""
    for family, address in addresses:
        try:
            socket.create_server((str(address), port), family=family).close()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise


async def interrupted() -> None:
    """Wait for SIGINT or SIGTERM."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        await anext(aiter(signals))


class WebServer:
    """Answers connections with an application.

    app: the application.
    limits: the limits on clients.
    """

    def __init__(self, app: Application, limits: HttpLimits) -> None:
        self._app = app
        self._limits = limits
        self._registry = ConnectionRegistry(limits)
        self.close = self._registry.close

    async def answer(self, stream: trio.SocketStream) -> None:
        """Serve one connection until it ends."""
        try:
            async with stream:
                addresses = _address(stream.socket.getpeername()), _address(stream.socket.getsockname())
                with self._registry.admit(addresses[0][0]) as connected:
                    transport = Transport(stream, self._limits, self._registry, connected)
                    connected.leave = transport.abort
                    await HttpConnection(self._app, transport, self._registry, connected, self._limits, addresses).run()
        except (OSError, ServerFull):
            return  # the client has disconnected already, or there is no room
        except Exception as error:  # a bug, which must not affect other connections
            report_bug(error)


def _address(name: tuple[str, int]) -> tuple[str, int]:
    return name[0], name[1]


async def serve(
    app: Application,
    listener: socket.socket,
    until: Callable[[], Awaitable[None]] = interrupted,
    limits: HttpLimits = DEFAULT_LIMITS,
) -> None:
    """Serve an application on a listening socket, until `until` returns.

    Raises what the application raises as it starts.
    """
    limits = replace(limits, connections=raise_file_limit(limits.connections))
    server = WebServer(app, limits)
    accepting = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
    async with lifespan(app), trio.open_nursery() as answering:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(trio.serve_listeners, server.answer, [accepting], handler_nursery=answering))
            await until()
            nursery.cancel_scope.cancel()
        server.close()
        answering.cancel_scope.deadline = trio.current_time() + GRACE
