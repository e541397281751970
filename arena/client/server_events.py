"""Server-sent events as values: https://html.spec.whatwg.org/multipage/server-sent-events.html."""

import json
from collections.abc import Callable, Iterator
from time import sleep
from typing import Any, NamedTuple

from arena.client.answers import Shape, checked
from arena.client.connection import Server
from arena.client.errors import ServerError, Unreachable

LONGEST_EVENT = 16 * 1024 * 1024
"""Bytes."""

PATIENCE = 300.0
"""Seconds without a connection after which a stream is given up."""

LONGEST_REST = 30.0
"""Seconds between two attempts to connect."""


class ServerEvent(NamedTuple):
    """A server-sent event."""

    name: str
    data: Any
    """The JSON values of its data."""


def events(
    server: Server,
    path: str,
    shape: Shape,
    is_last: Callable[[Any], bool],
    rest: Callable[[float], object] = sleep,
) -> Iterator[ServerEvent]:
    """Yield the events of a stream until the last one; a stream that ended before, or was lost, is opened again.

    Every event has the whole state, so none is missed, and one that says nothing new is left out. Pauses grow as long
    as nothing new comes.

    shape: of the events' data; see `checked`.
    is_last: returns whether data is that of the last event.
    rest: waits so many seconds before another attempt.

    Raises ServerError if the server refuses, is no arena, or sends nothing for `PATIENCE` of pauses.
    """
    waited, pause, latest = 0.0, 1.0, None
    while True:
        lost = Unreachable(f"{server.address} ends its events again and again: is something between you and it?")
        try:
            for event in _connected(server, path):
                waited = 0.0
                if event == latest:
                    continue
                pause, latest = 1.0, event
                yield ServerEvent(event.name, checked(event.data, shape))
                if is_last(event.data):
                    return
        except Unreachable as error:
            lost = error
        if waited >= PATIENCE:
            raise lost
        rest(pause)
        waited, pause = waited + pause, min(2 * pause, LONGEST_REST)


def _connected(server: Server, path: str) -> Iterator[ServerEvent]:
    """Yield the events of one connection. Raises Unreachable if it is lost."""
    with server.open("GET", path, headers={"Accept": "text/event-stream"}) as response:
        name, data, size = "message", [], 0
        while line := response.readline(LONGEST_EVENT + 1):
            field, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(":")
            if field == "event":
                name = value.removeprefix(" ")
            elif field == "data":
                data.append(value.removeprefix(" "))
                size += len(line)
                if size > LONGEST_EVENT:
                    raise ServerError(f"{server.address} sends events that are not an arena's")
            elif not field and not value and data:
                try:
                    yield ServerEvent(name, json.loads("\n".join(data)))
                except (ValueError, RecursionError):
                    raise ServerError(f"{server.address} sends events that are not an arena's") from None
                name, data, size = "message", [], 0
