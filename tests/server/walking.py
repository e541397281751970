"""Asks every address of a site that answers to GET."""

import re
from collections.abc import Mapping
from typing import Any

import trio
from starlette.applications import Starlette
from starlette.routing import Mount, Route

FILLS: dict[str, tuple[str, ...]] = {
    "batch": ("1",), "bot": ("club/owl",), "entry": ("3",), "finding": ("1",), "game": ("cambio",),
    "hand_in": ("1",), "id": ("1", "9", "17"), "league": ("cambio",), "match": ("1", "9", "17"),
    "name": ("club/owl",), "number": ("1", "2", "3"), "place": ("0", "1"), "season": ("1",),
    "tournament": ("1", "2"), "webhook": ("1",), "answer": ("0",), "choice": ("0",), "key": ("none",),
    "seat": ("0",), "secret": ("none",),
}  # fmt: skip
"""What the parameters of paths stand for: a route with another one needs it here."""

QUERIES = {
    "output": ("?seat=0", "?seat=1"), "question": ("?move=1",), "scenario": ("?move=1",), "tables": ("?first=0",),
    "moment": ("?frame=0&other=0",), "round.svg": ("?round=1", "?round=1&seat=0"),
    "picture.svg": ("", "?move=1&seat=0"),
}  # fmt: skip
"""What is asked for besides, by the end of the path."""


def paths_of(site: Starlette) -> dict[str, str]:
    """The paths of all routes that answer to GET, as templates, with their prefix."""
    paths = {}
    for route in site.routes:
        inner, prefix = (route.routes, route.path) if isinstance(route, Mount) else ([route], "")
        for each in inner:
            assert isinstance(each, Route), "another kind of route needs to be asked, too"
            if "GET" in (each.methods or ()):
                paths[prefix + re.sub(r":\w+", "", each.path)] = prefix
    return paths


def addresses(path: str, fills: Mapping[str, tuple[str, ...]] = FILLS) -> list[str]:
    """The addresses that a path may stand for.

    fills: what its parameters stand for.
    """
    filled = [path]
    while (parameter := re.search(r"\{(\w+)\}", filled[0])) is not None:
        values = fills[parameter[1]]
        filled = [one.replace(parameter[0], value) for one in filled for value in values]
    queries = QUERIES.get(path.rpartition("/")[2], ("",))
    return [address + query for address in filled for query in queries]


async def ask(site: Starlette, address: str, headers: dict[str, str]) -> tuple[int, str]:
    """The status and text of an answer, of streams of events the beginning."""
    path, _, query = address.partition("?")
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode()}
    scope |= {"query_string": query.encode(), "client": ("192.0.2.1", 1), "server": ("arena", 80), "scheme": "http"}
    scope |= {"headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    scope |= {"asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1", "root_path": ""}
    status, body = 0, b""
    requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        if (request := next(requests, None)) is None:
            await trio.sleep_forever()
        assert request is not None
        return request

    async def send(message: Any) -> None:
        nonlocal status, body
        status = message.get("status", status)
        body += message.get("body", b"")
        if body and address.partition("?")[0].endswith("/events"):
            answering.cancel()

    with trio.fail_after(30), trio.CancelScope() as answering:
        await site(scope, receive, send)
    return status, body.decode(errors="replace")
