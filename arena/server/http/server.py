"""Serve the site on a port, with trio."""

import ctypes
import errno
import gc
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import trio
from starlette.applications import Starlette

from arena.server.http.client_limits import DEFAULT_LIMITS, HttpLimits, raise_file_limit
from arena.server.http.connection import HttpConnection
from arena.server.http.connection_registry import ConnectionRegistry, ServerFull
from arena.server.http.transport import Transport
from arena.values.server_log import report_bug

SWITCH_INTERVAL = 0.0005
"""Seconds after which a computing thread lets another one run.

While one thread replays a match, another sends the files of its page, and waits for the interpreter lock after every
system call. With Python's default of 5 ms the scripts of a page took ten times as long as its match.
"""

BACKLOG = 1024
"""Connections that the kernel queues."""

SEND_BUFFER = 256 * 1024
"""Bytes of a response that the kernel buffers for a slow reader; its default is megabytes."""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Parameters of mallopt(3), from malloc.h of glibc."""

MALLOC_ARENAS = 2
"""Malloc arenas of all threads.

By default glibc has up to eight per core, and each keeps what its threads have freed: the server of a league grew by
2 MiB a minute in its first ten minutes, while what Python had allocated stayed level.
"""

LARGE_BYTES = 128 * 1024
"""From this size on malloc maps an allocation by itself (mmap), so that freeing it returns the memory at once.

By default glibc raises this threshold up to 32 MiB, and the process keeps what is freed between other allocations.
"""

TRIM_SECONDS = 60.0
"""Between two returns of freed memory to the system; each takes a millisecond on idle cores."""

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

    app: the site.
    limits: the limits on clients.
    """

    def __init__(self, app: Starlette, limits: HttpLimits) -> None:
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
    app: Starlette,
    listener: socket.socket,
    until: Callable[[], Awaitable[None]] = interrupted,
    limits: HttpLimits = DEFAULT_LIMITS,
) -> None:
    """Serve the site on a listening socket, until `until` returns."""
    limits = replace(limits, connections=raise_file_limit(limits.connections))
    server = WebServer(app, limits)
    accepting = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
    sys.setswitchinterval(SWITCH_INTERVAL)
    _set_up_malloc()
    # Loaded modules stay and need no garbage collection. A long match is ten thousand small objects, none of them
    # garbage before the match is dropped: with Python's default thresholds, collections took half of the time.
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    async with app.router.lifespan_context(app), trio.open_nursery() as answering:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_return_memory)
            nursery.start_soon(partial(trio.serve_listeners, server.answer, [accepting], handler_nursery=answering))
            await until()
            nursery.cancel_scope.cancel()
        server.close()
        answering.cancel_scope.deadline = trio.current_time() + GRACE


def _set_up_malloc() -> None:
    """Have malloc share arenas, and keep little of what is freed. Before threads begin."""
    with suppress(AttributeError):  # only glibc has it
        set_parameter = ctypes.CDLL(None).mallopt
        set_parameter(M_ARENA_MAX, MALLOC_ARENAS)
        set_parameter(M_MMAP_THRESHOLD, LARGE_BYTES)
        set_parameter(M_TRIM_THRESHOLD, LARGE_BYTES)


async def _return_memory() -> None:
    """Return freed memory to the system, again and again."""
    with suppress(AttributeError):  # only glibc has it
        trim = ctypes.CDLL(None).malloc_trim
        while True:
            await trio.sleep(TRIM_SECONDS)
            await trio.to_thread.run_sync(trim, 0)
