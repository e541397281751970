"""`/healthz`: whether a server works, for whatever watches it.

It tells nothing but that, so that everybody may ask, and is answered before any other part of the site: a database
that does not answer must not keep it waiting.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus

import trio
from sqlalchemy import func, select
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.store import Store, StoreError
from arena.store.engine.schema import leagues

PATH = "/healthz"

DATABASE_SECONDS = 2.0
"""How long the database may take to answer."""

KEPT_SECONDS = 1.0
"""How long an answer of the database is good: whoever asks all the time costs nothing."""


class HealthCheck:
    """Answers `/healthz` before a site.

    workers: what must be alive, by name; each is asked at every request.
    """

    def __init__(self, app: ASGIApp, store: Store, workers: Mapping[str, Callable[[], bool]]) -> None:
        self._app = app
        self._store = store
        self._workers = workers
        self._answers = False
        self._asked_at = float("-inf")
        self._asking: trio.Event | None = None
        self._is_stuck = False
        self._threads = trio.CapacityLimiter(1)  # of its own: other work that fills all threads is no failing database

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            response = JSONResponse({"error": "use GET"}, HTTPStatus.METHOD_NOT_ALLOWED, {"allow": "GET, HEAD"})
        else:
            parts = {"database": await self._database_answers()}
            parts |= {name: is_alive() for name, is_alive in self._workers.items()}
            works = all(parts.values())
            status = HTTPStatus.OK if works else HTTPStatus.SERVICE_UNAVAILABLE
            values = {"status": "ok" if works else "failing"}
            values |= {name: "ok" if good else "failing" for name, good in parts.items()}
            response = JSONResponse(values, status, {"cache-control": "no-store"})
        await response(scope, receive, send)

    async def _database_answers(self) -> bool:
        """Return whether the database answers. One request asks it at a time, and the others wait for its answer."""
        while trio.current_time() - self._asked_at >= KEPT_SECONDS:
            if self._asking is not None:
                await self._asking.wait()
                continue
            self._asking = trio.Event()
            try:
                answers = False
                if not self._is_stuck:
                    with trio.move_on_after(DATABASE_SECONDS):
                        answers = await trio.to_thread.run_sync(
                            self._ask, abandon_on_cancel=True, limiter=self._threads
                        )
                self._answers = answers
                self._asked_at = trio.current_time()
            finally:  # also where whoever asked is gone: then another request asks
                self._asking.set()
                self._asking = None
        return self._answers

    def _ask(self) -> bool:
        self._is_stuck = True  # until there is an answer: no further thread waits for it
        try:
            return self._store.query(lambda connection: connection.scalars(select(func.count(leagues.c.id)))) != []
        except StoreError:
            return False
        finally:
            self._is_stuck = False
