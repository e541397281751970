"""Routes to have the chances to win in a match estimated, and to follow that."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.record.played_rules import rules
from arena.server.access import Access, access_of, signed_in
from arena.server.requests.parameters import parse_number
from arena.server.requests.request_body import form
from arena.store import Store
from arena_insight.analysis_queue import AnalysisQueue
from arena_insight.analysis_tasks import ChancesTask
from arena_insight.stored_chances import StoredChances, is_whole

Key = tuple[int, int | None]
"""A match, and the seat whose knowledge is kept; None: the whole match."""

UNCACHED = {"cache-control": "no-store"}


def may_analyse(access: Access) -> bool:
    """Return whether a visitor may have matches analysed: organisers, and whoever is signed in."""
    return access.organiser or access.account is not None


class AnalysisRoutes:
    """The handlers. Who may see a match may see its chances, and how far an analysis is.

    queue: what computes the analyses.
    """

    def __init__(self, store: Store, queue: AnalysisQueue) -> None:
        self._store = store
        self._queue = queue

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            ("/matches/{id:number}/analysis", self.show, "GET"),
            ("/matches/{id:number}/analysis", self.add, "POST"),
        ]

    async def add(self, request: Request) -> Response:
        """Queue an analysis, unless the result is stored."""
        if not may_analyse(access_of(request)):
            signed_in(request)
        key = await run_sync(self._key, request, (await form(request)).get("seat", ""))
        if not await run_sync(self._is_stored, key):
            self._queue.add(key, access_of(request), ChancesTask(self._store, *key))
        return await self._state(key, HTTPStatus.ACCEPTED)

    async def show(self, request: Request) -> Response:
        """Return the state of an analysis, how many frames are estimated, and how many analyses come before."""
        return await self._state(await run_sync(self._key, request, request.query_params.get("seat", "")))

    async def _state(self, key: Key, status: HTTPStatus = HTTPStatus.OK) -> Response:
        values = self._queue.state(key)
        if values is None:
            state = "stored" if await run_sync(self._is_stored, key) else "none"
            return JSONResponse({"state": state}, HTTPStatus.OK, UNCACHED)
        return JSONResponse(values, HTTPStatus.OK if values["state"] == "failed" else status, UNCACHED)

    def _key(self, request: Request, seat: str) -> Key:
        """Return what a request is about. Raises MatchWithheld, NoSuchRow or HTTPException."""
        match = access_of(request).match(self._store, request.path_params["id"])
        number = parse_number(seat)
        if seat and (number is None or number >= len(match.row.seats)):
            raise HTTPException(
                HTTPStatus.BAD_REQUEST, f"seat must be a number from 0 to {len(match.row.seats) - 1}, or empty"
            )
        return match.id, number

    def _is_stored(self, key: Key) -> bool:
        match = self._store.match(key[0])
        return is_whole(StoredChances(self._store).best(match, key[1], rules(match).game.behaviour))
