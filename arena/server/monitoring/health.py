"""`/healthz`: whether a server works, for whatever watches it.

It tells everybody no more than that and what stands still; why, which may name folders and bots, it tells who asks on
this machine, and not through a proxy. It is answered before any other part of the site: a database that does not
answer must not keep it waiting.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from time import monotonic
from typing import Any

import trio
from sqlalchemy import func, select
from starlette.datastructures import URL, Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.server.monitoring.progress import Progress, read_progress
from arena.server.requests.middleware import LOOPBACK
from arena.store import Store, StoreError
from arena.store.engine.schema import leagues

PATH = "/healthz"

DATABASE_SECONDS = 2.0
"""How long the database may take to answer."""

KEPT_SECONDS = 1.0
"""How long an answer of the database is good: whoever asks all the time costs nothing."""

PROGRESS_SECONDS = 10.0
"""How long what was read of leagues and hand-ins is good: it takes more queries, and is about minutes."""


class HealthCheck:
    """Answers `/healthz` before a site.

    workers: what must be alive, by name; each is asked at every request.
    """

    def __init__(self, app: ASGIApp, store: Store, workers: Mapping[str, Callable[[], bool]]) -> None:
        self._app = app
        self._store = store
        self._workers = workers
        self._began = datetime.now(UTC)
        self._answers = False
        self._progress: Progress | None = None
        self._read_at = float("-inf")
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
            answers = await self._database_answers()
            response = self._report(scope, {"database": answers})
        await response(scope, receive, send)

    def _report(self, scope: Scope, parts: dict[str, bool]) -> JSONResponse:
        """Return the answer.

        parts: what is known to work already.
        """
        parts |= {name: is_alive() for name, is_alive in self._workers.items()}
        values: dict[str, Any] = {}
        if (progress := self._progress) is not None:
            standstills = {"leagues": progress.are_leagues_failing, "hand_ins": progress.is_queue_failing}
            parts |= {name: parts.get(name, True) and not stands for name, stands in standstills.items() if stands}
            values = {"problems": found} if (found := progress.problems(reasons=_is_on_this_machine(scope))) else {}
        works = all(parts.values())
        words = {name: "ok" if good else "failing" for name, good in parts.items()}
        status = HTTPStatus.OK if works else HTTPStatus.SERVICE_UNAVAILABLE
        values = {"status": "ok" if works else "failing"} | words | values
        return JSONResponse(values, status, {"cache-control": "no-store"})

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
            answers = self._store.query(lambda connection: connection.scalars(select(func.count(leagues.c.id)))) != []
            if monotonic() - self._read_at >= PROGRESS_SECONDS:
                self._progress = read_progress(self._store, self._began)
                self._read_at = monotonic()
            return answers
        except StoreError:
            return False
        finally:
            self._is_stuck = False


def _is_on_this_machine(scope: Scope) -> bool:
    """Return whether a program of this machine asks, and no proxy for somebody else."""
    client, headers = scope.get("client"), Headers(scope=scope)
    is_forwarded = "x-forwarded-for" in headers or "forwarded" in headers
    return client is not None and client[0] in LOOPBACK and URL(scope=scope).hostname in LOOPBACK and not is_forwarded
