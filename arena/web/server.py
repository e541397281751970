"""The site on a port, in trio."""

import errno
import gc
import signal
import socket
import sys
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

import trio
from starlette.applications import Starlette

from arena.web.http.client_limits import USUAL, HttpLimits, open_files
from arena.web.http.connection import HttpConnection
from arena.web.http.connection_registry import ConnectionRegistry, ServerFull
from arena.web.http.transport import Transport

TURN = 0.0005
"""Seconds after which a thread that computes lets another one go on.

A match is played again in one thread while another sends the files of its page, which waits for its turn after every
system call. Python's own 5 ms made a page wait ten times as long for its scripts as for the match.
"""

BACKLOG = 1024
"""Connections that the kernel holds for us."""

SEND_BUFFER = 256 * 1024
"""Bytes of an answer that the kernel holds for a slow reader; by itself it would take megabytes."""

GRACE = 1.0
"""Seconds that answers have at the end: an open page of a tournament under way never ends by itself."""


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. port: 0 for any that is free. Raises OSError where it cannot be had."""
    addresses = [(found[0], found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    family, address = addresses[0]
    # All addresses of IPv6 are those of IPv4 too, so that nobody else answers on this port.
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
    """Raise OSError where another program listens at another address of the same name: browsers might take that one."""
    for family, address in addresses:
        try:
            socket.create_server((str(address), port), family=family).close()
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise


async def interrupted() -> None:
    """Wait for Ctrl-C, or for being told to end."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        await anext(aiter(signals))


class WebServer:
    """Whoever connects, and what answers them. app: the site. limits: what clients may take."""

    def __init__(self, app: Starlette, limits: HttpLimits) -> None:
        self._app = app
        self._limits = limits
        self._registry = ConnectionRegistry(limits)
        self.close = self._registry.close

    async def answer(self, stream: trio.SocketStream) -> None:
        """Answer one client until it is gone."""
        try:
            async with stream:
                addresses = _address(stream.socket.getpeername()), _address(stream.socket.getsockname())
                with self._registry.admit(addresses[0][0]) as connected:
                    transport = Transport(stream, self._limits, self._registry, connected)
                    connected.leave = transport.abort
                    await HttpConnection(self._app, transport, self._registry, connected, self._limits, addresses).run()
        except (OSError, ServerFull):
            return  # it was gone before it was heard, or there are too many of its kind
        except Exception as error:  # a mistake of ours, of which nobody else should notice anything
            traceback.print_exception(error)


def _address(name: tuple[str, int]) -> tuple[str, int]:
    return name[0], name[1]


async def serve(
    app: Starlette,
    listener: socket.socket,
    until: Callable[[], Awaitable[None]] = interrupted,
    limits: HttpLimits = USUAL,
) -> None:
    """Serve the site on a socket that listens, until `until` returns."""
    limits = replace(limits, connections=open_files(limits.connections))
    server = WebServer(app, limits)
    accepting = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
    sys.setswitchinterval(TURN)
    # What was loaded to begin with stays, and is not looked through; a long match is ten thousand small things, none of
    # them garbage before the match is let go: to look for garbage as often as Python does took half of its time.
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    async with app.router.lifespan_context(app), trio.open_nursery() as answering:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(trio.serve_listeners, server.answer, [accepting], handler_nursery=answering))
            await until()
            nursery.cancel_scope.cancel()
        server.close()
        answering.cancel_scope.deadline = trio.current_time() + GRACE
