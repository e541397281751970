"""Counts and times the requests of a site, and logs them where that is asked for.

Paths and queries may hold secrets and are without number, so requests are named by their route.
"""

from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from time import perf_counter
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.server.live.event_streams import VIEWER
from arena.store import StoreUnavailable
from arena.values.server_log import log_event

NO_ROUTE = "none"
"""Instead of a route, for requests that have none: they were refused before, or there is nothing at their address."""


CLIENT_GONE = 499
"""The status, by the custom of proxies, of a request that was given up before its response began."""


class FinishedRequest(NamedTuple):
    """A request that was answered."""

    method: str
    route: str
    """The route as the site declares it."""
    status: int
    seconds: float | None
    """How long it took until the response was sent; None for a stream of events, which ends when the browser leaves."""
    account: str
    """The account that was signed in; empty: none was."""


class RequestWatch:
    """Tells what becomes of each request.

    finished: called with each request that has been answered.
    names: the names of routes, by what answers them.
    """

    def __init__(
        self, app: ASGIApp, finished: Sequence[Callable[[FinishedRequest], None]], names: dict[Any, str]
    ) -> None:
        self._app = app
        self._finished = finished
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        status: int | None = None
        is_stream = False

        async def watch(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                is_stream = Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream")
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception as error:  # it is answered further out
            if status is None:
                is_away = isinstance(error, StoreUnavailable)
                status = int(HTTPStatus.SERVICE_UNAVAILABLE if is_away else HTTPStatus.INTERNAL_SERVER_ERROR)
            raise
        finally:
            route = self._names.get(scope.get("endpoint"), NO_ROUTE)
            seconds = None if is_stream else perf_counter() - began
            for tell in self._finished:
                tell(FinishedRequest(scope["method"], route, status or CLIENT_GONE, seconds, _account(scope)))


def _account(scope: Scope) -> str:
    """Return who sent a request, by a session or by a token of the API; empty: nobody is known."""
    access, viewer = scope.get("access"), scope.get(VIEWER)
    if access is not None and access.account is not None:
        return str(access.account.name)
    return "" if viewer is None else str(viewer.account)


def route_names(site: Starlette) -> dict[Any, str]:
    """Return the path of each route of a site, by what answers it."""
    return dict(_named(site.routes, ""))


def _named(routes: Sequence[BaseRoute], prefix: str) -> Iterator[tuple[Any, str]]:
    for route in routes:
        if isinstance(route, Mount):
            yield from _named(route.routes, prefix + route.path)
        elif isinstance(route, Route):
            yield route.endpoint, prefix + route.path_format


def log_request(request: FinishedRequest) -> None:
    """Log a request."""
    took = "a stream" if request.seconds is None else f"{1000 * request.seconds:.0f} ms"
    log_event("request", f"{request.method} {request.route} {request.status}, {took}", account=request.account)
