"""The site on a port, in trio."""

import gc
import signal
import socket
import sys
from collections.abc import Awaitable, Callable

import trio
from hypercorn.config import Config
from hypercorn.trio import serve as hypercorn
from starlette.applications import Starlette

TURN = 0.0005
"""Seconds after which a thread that computes lets another one go on.

A match is played again in one thread while another sends the files of its page, which waits for its turn after every
system call. Python's own 5 ms made a page wait ten times as long for its scripts as for the match.
"""


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. port: 0 for any that is free. Raises OSError where it cannot be had."""
    ((family, _, _, _, address), *_) = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return socket.create_server(address[:2], family=family, backlog=100)


async def interrupted() -> None:
    """Wait for Ctrl-C, or for being told to end."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        await anext(aiter(signals))


async def serve(app: Starlette, listener: socket.socket, until: Callable[[], Awaitable[None]] = interrupted) -> None:
    """Serve the site on a socket that listens, until `until` returns."""
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]  # from here on it is hypercorn's to close
    config.errorlog = None
    config.graceful_timeout = 1.0  # an open page of a tournament under way never ends by itself
    sys.setswitchinterval(TURN)
    # What was loaded to begin with stays, and is not looked through; a long match is ten thousand small things, none of
    # them garbage before the match is let go: to look for garbage as often as Python does took half of its time.
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    await hypercorn(app, config, shutdown_trigger=until, mode="asgi")  # type: ignore[arg-type]
