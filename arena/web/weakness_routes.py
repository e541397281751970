"""Routes of the pages on why a bot loses."""

from collections.abc import Callable, Hashable
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

import trio
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.store import Store
from arena.tournament.results.stored_tournament import StoredTournament
from arena.viewer.html import Child
from arena.weaknesses.contest import Contest
from arena.weaknesses.loading import league_contest, tournament_contest
from arena.web.access import MatchWithheld, access_of
from arena.web.errors import PageNotFound
from arena.web.league_cache import LeagueCache
from arena.web.pages import weaknesses
from arena.web.pages.entry import find_row
from arena.web.pages.layout import tournament_link
from arena.web.pages.league_parts import entry_link, trail
from arena.web.ranking_cache import RankingCache
from arena.web.weakness_cache import WeaknessCache

MOST_WAITING = 16
"""Requests that wait for a report which is not cached; further ones are refused."""


class _Page(NamedTuple):
    """A page to be made. key, version, load: as `WeaknessCache.of` takes them. name, above, here: as the page does."""

    key: Hashable
    version: Hashable
    load: Callable[[], Contest]
    name: str
    above: Child
    here: str


class WeaknessRoutes:
    """The handlers. rankings, leagues: as last read."""

    def __init__(self, store: Store, rankings: RankingCache, leagues: LeagueCache) -> None:
        self._store = store
        self._rankings = rankings
        self._leagues = leagues
        self._reports = WeaknessCache(store)
        # A thread of its own: however many reports are asked for, all other pages have theirs.
        self._thread = trio.CapacityLimiter(1)

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [
            ("/tournaments/{number:number}/why/{place:number}", self.tournament),
            ("/leagues/{league}/entries/{number:number}/why", self.entry),
        ]

    async def tournament(self, request: Request) -> Response:
        """Return the report on a bot of a tournament. Raises MatchWithheld where its matches are hidden."""
        return await self._answer(await run_sync(self._of_tournament, request))

    async def entry(self, request: Request) -> Response:
        """Return the report on an entry of a league."""
        return await self._answer(await run_sync(self._of_entry, request))

    async def _answer(self, asked: _Page) -> Response:
        """Return a page. Raises HTTPException where too many wait for theirs."""
        parts = await run_sync(self._reports.find, asked.key, asked.version)
        if parts is None:
            if self._thread.statistics().tasks_waiting >= MOST_WAITING:
                sentence = "too many reports are being computed: try again in a minute"
                raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, sentence, {"retry-after": "60"})
            compute = partial(self._reports.of, asked.key, asked.version, asked.load)
            parts = await trio.to_thread.run_sync(compute, limiter=self._thread)
        return HTMLResponse(await run_sync(partial(weaknesses.show, asked.name, asked.above, parts, here=asked.here)))

    def _of_tournament(self, request: Request) -> _Page:
        number, place = request.path_params["number"], request.path_params["place"]
        row = self._store.tournament(number)
        if not access_of(request).organiser and row.finished is None:
            raise MatchWithheld(f"why bots lose is shown once tournament {number} is over: its deals are still in play")
        if place >= len(row.entrants):
            raise PageNotFound(f"tournament {number} has no bot {place}: see its ranking")
        ranked = self._rankings.of(row)
        elo = {each.bot: each.elo for each in ranked.standings.table.rows}
        return _Page(
            ("tournament", row.key, place),
            (ranked.count, ranked.decided),
            lambda: tournament_contest(StoredTournament(self._store, row), elo, place),
            row.names[place],
            tournament_link(number),
            "/",
        )

    def _of_entry(self, request: Request) -> _Page:
        cached, number = self._leagues.of(request.path_params["league"]), request.path_params["number"]
        view = cached.view()
        entry = find_row(view, number).entry
        return _Page(
            ("entry", cached.id, number),
            (view.board.results, view.pulse.ratings),
            lambda: league_contest(self._store, view.board, cached.played.newest(number), number),
            entry.name,
            trail(cached.name, entry_link(cached.name, entry), "why it loses"),
            "/leagues",
        )
