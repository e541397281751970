"""Routes of the pages on why a bot loses, and to have its costliest decisions searched."""

from collections.abc import Callable, Hashable
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

import trio
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from arena.language.languages import ENGLISH, speaking
from arena.replay.html import Element
from arena.results.stored_tournament import StoredTournament
from arena.server.access import PRIVATE, Access, MatchWithheld, access_of, signed_in
from arena.server.errors import PageNotFound
from arena.server.leagues.cache import LeagueCache
from arena.server.leagues.entry import find_row
from arena.server.leagues.league_parts import entry_link, trail
from arena.server.templates import TEMPLATES
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store
from arena_insight import weakness_pages as weaknesses
from arena_insight.analysis_queue import AnalysisQueue
from arena_insight.analysis_routes import UNCACHED, may_analyse
from arena_insight.analysis_tasks import CostlyDecisionsTask
from arena_insight.report_words import report_words
from arena_insight.weakness_cache import ReportKey, WeaknessCache
from arena_insight.weaknesses.contest import Contest
from arena_insight.weaknesses.loading import league_contest, tournament_contest

MOST_WAITING = 16
"""Requests that wait for a report which is not cached; further ones are refused."""


class _Page(NamedTuple):
    """A page to be made.

    key, version, load: as `WeaknessCache.of` takes them.
    name, above, here, game, is_first: as the page takes them.
    """

    key: ReportKey
    version: Hashable
    load: Callable[[], Contest]
    path: str
    """The path of the page."""
    name: str
    above: Element | str
    here: str
    game: str
    is_first: bool


class WeaknessRoutes:
    """The handlers.

    rankings, leagues: the rankings and leagues as they were read last.
    analyses: the queue of searches.
    """

    def __init__(self, store: Store, rankings: RankingCache, leagues: LeagueCache, analyses: AnalysisQueue) -> None:
        self._store = store
        self._analyses = analyses
        self._rankings = rankings
        self._leagues = leagues
        self._reports = WeaknessCache(store)
        # A thread of its own: however many reports are asked for, all other pages have theirs.
        self._thread = trio.CapacityLimiter(1)

    def routes(self) -> list[tuple[str, Callable[[Request], Any], str]]:
        """Return the routes as path, handler and method."""
        return [
            route
            for path, find in (
                ("/tournaments/{number:number}/why/{place:number}", self._of_tournament),
                ("/leagues/{league}/entries/{number:number}/why", self._of_entry),
            )
            for route in (
                (path, partial(self._show, find), "GET"),
                (f"{path}/costly", partial(self._state, find), "GET"),
                (f"{path}/costly", partial(self._search, find), "POST"),
            )
        ]

    async def _show(self, find: Callable[[Request], _Page], request: Request) -> Response:
        """Return a report. Raises MatchWithheld where the matches of the bot are hidden."""
        return await self._answer(await run_sync(find, request), access_of(request))

    async def _search(self, find: Callable[[Request], _Page], request: Request) -> Response:
        """Queue the search of the costliest decisions of a bot, and lead back to its report."""
        access = access_of(request)
        if not may_analyse(access):
            signed_in(request)
        asked = await run_sync(find, request)
        self._analyses.add(asked.key, access, CostlyDecisionsTask(self._store, self._reports, asked.key, asked.load))
        if "text/html" in request.headers.get("accept", ""):  # a browser without scripts
            return RedirectResponse(asked.path, HTTPStatus.SEE_OTHER)
        return JSONResponse(self._analyses.state(asked.key), HTTPStatus.ACCEPTED, UNCACHED)

    async def _state(self, find: Callable[[Request], _Page], request: Request) -> Response:
        """Return how far a search is, how many analyses come before, or why it failed."""
        asked = await run_sync(find, request)
        found = "none" if self._reports.costly(asked.key) is None else "stored"
        return JSONResponse(self._analyses.state(asked.key) or {"state": found}, headers=UNCACHED)

    async def _answer(self, asked: _Page, access: Access) -> Response:
        """Return a page. Raises HTTPException where too many wait for theirs."""
        parts = await run_sync(self._reports.find, asked.key, asked.version)
        if parts is None:
            if self._thread.statistics().tasks_waiting >= MOST_WAITING:
                sentence = "too many reports are being computed: try again in a minute"
                raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, sentence, {"retry-after": "60"})
            compute = partial(self._reports.of, asked.key, asked.version, asked.load)
            parts = await trio.to_thread.run_sync(compute, limiter=self._thread)
        search = weaknesses.Search(
            f"{asked.path}/costly" if may_analyse(access) else None,
            self._analyses.state(asked.key),
            self._reports.costly(asked.key),
        )
        show = partial(
            weaknesses.show,
            asked.name,
            asked.above,
            parts,
            search,
            here=asked.here,
            game=asked.game,
            is_first=asked.is_first,
        )
        return HTMLResponse(await run_sync(show), headers=PRIVATE if may_analyse(access) else None)

    def _of_tournament(self, request: Request) -> _Page:
        number, place = request.path_params["number"], request.path_params["place"]
        row = self._store.tournament(number)
        if not access_of(request).organiser and row.finished is None:
            raise MatchWithheld(f"why bots lose is shown once tournament {number} is over: its deals are still in play")
        if place >= len(row.entrants):
            raise PageNotFound(f"tournament {number} has no bot {place}: see its ranking")
        ranked = self._rankings.of(row)
        elo = {rated.bot: rated.elo for rated in ranked.standings.table.rows}
        return _Page(
            ("tournament", row.key, place),
            (ranked.count, ranked.decided),
            lambda: tournament_contest(StoredTournament(self._store, row), elo, place),
            request.url.path.removesuffix("/costly"),
            row.names[place],
            TEMPLATES.macro("macros.html", "tournament_link", english=True)(number),
            "/",
            row.game,
            any(rated.bot == row.names[place] and rated.rank == 1 for rated in ranked.standings.table.rows),
        )

    def _of_entry(self, request: Request) -> _Page:
        cached = self._leagues.of(request.path_params["league"], access_of(request))
        number = request.path_params["number"]
        view = cached.view()
        found = find_row(view, number)
        entry, is_first = found.entry, found.rank == 1
        with speaking(ENGLISH):  # as the page
            here = report_words(is_first=is_first)
        return _Page(
            ("entry", cached.id, number, view.board.hidden),  # what was hidden since is in no report
            (view.board.results, view.pulse.ratings),
            lambda: league_contest(self._store, view.board, cached.played.newest(number), number),
            request.url.path.removesuffix("/costly"),
            entry.name,
            trail(cached.name, entry_link(cached.name, entry), here),
            "/leagues",
            view.definition.game,
            is_first,
        )
