"""Workarounds for two defects of `grpc.aio` servers.

A method name that is not UTF-8 ends the task that accepts calls, for good. Stopping the server then raises the same
error: it no longer listens, but connections stay open until the peer closes them or they are shut down. So an untrusted
peer needs a server of its own.

A server that is asked to stop while it stops may cancel the calls of a server that it has freed, which ends the process
(segmentation fault). So each server is stopped only once.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

_stops: WeakKeyDictionary[Any, asyncio.Task[None]] = WeakKeyDictionary()

_PEERS = ("Invalid encoding", "'utf-8' codec can't decode")


def silence_peers(loop: asyncio.AbstractEventLoop) -> None:
    """Keep tracebacks that a peer's headers cause out of the log.

    loop: runs the servers.
    """
    logging.getLogger("grpc._cython.cygrpc").addFilter(_is_ours)
    loop.set_exception_handler(_report)


async def stop(server: Any, seconds: float | None) -> None:
    """Stop a `grpc.aio` server, and wait until it has stopped.

    seconds: until its calls are cancelled; None: at once. Later calls only wait for the first.
    """
    if server not in _stops:
        _stops[server] = asyncio.create_task(_stop(server, seconds))
    await asyncio.shield(_stops[server])


async def _stop(server: Any, seconds: float | None) -> None:
    with suppress(UnicodeDecodeError):
        await server.stop(seconds)


def _is_ours(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_PEERS)


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), UnicodeDecodeError):
        loop.default_exception_handler(context)
