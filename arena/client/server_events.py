"""Server-sent events as values: https://html.spec.whatwg.org/multipage/server-sent-events.html."""

import json
from collections.abc import Callable, Iterator
from time import sleep
from typing import Any, NamedTuple

from arena.client.connection import Server
from arena.client.errors import ServerError, Unreachable

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes."""

PATIENCE = 300.0
"""Seconds without a connection after which a stream is given up."""

LONGEST_REST = 30.0
"""Seconds between two attempts to connect."""


class ServerEvent(NamedTuple):
    """An event. data: its JSON values."""

    name: str
    data: Any


def events(server: Server, path: str, rest: Callable[[float], object] = sleep) -> Iterator[ServerEvent]:
    """Yield the events of a stream until it ends; after a lost connection it is opened again.

    Every event has the whole state, so none is missed. rest: waits so many seconds before another attempt.

    Raises ServerError if the server refuses, or cannot be reached for `PATIENCE`.
    """
    waited, pause = 0.0, 1.0
    while True:
        try:
            for event in _connected(server, path):
                yield event
                waited, pause = 0.0, 1.0
            return
        except Unreachable:
            if waited >= PATIENCE:
                raise
            rest(pause)
            waited, pause = waited + pause, min(2 * pause, LONGEST_REST)


def _connected(server: Server, path: str) -> Iterator[ServerEvent]:
    """Yield the events of one connection. Raises Unreachable if it is lost."""
    with server.open("GET", path, headers={"Accept": "text/event-stream"}) as response:
        name, data = "message", []
        while line := response.readline(LONGEST_LINE):
            field, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(":")
            if field == "event":
                name = value.removeprefix(" ")
            elif field == "data":
                data.append(value.removeprefix(" "))
            elif not field and not value and data:
                try:
                    yield ServerEvent(name, json.loads("\n".join(data)))
                except (ValueError, RecursionError):
                    raise ServerError(f"{server.address} sends events that are not an arena's") from None
                name, data = "message", []
