"""Routes of the live page of a league."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.language.languages import LANGUAGE
from arena.language.page_words import script_name
from arena.replay.readable import game_codes
from arena.replay.renderer import table_scripts
from arena.server.access import access_of, visitor_of
from arena.server.files import art_address
from arena.server.leagues.cache import CachedLeague, LeagueCache
from arena.server.leagues.hidden import hidden_note
from arena.server.leagues.league_parts import league_path
from arena.server.live.event_streams import EventStream, StreamCounter
from arena.server.live.live_pages import LivePage, LivePages
from arena.server.requests.parameters import parse_number
from arena.server.templates import TEMPLATES
from arena.server.watch.watched_league import MOST, WatchedLeague, WatchedLeagues
from arena.store import Store

USUAL = 4
"""Tables of a page for which no number is asked."""

COUNTS = (1, 2, 4, 6, MOST)
"""Numbers of tables that the page offers."""

SCRIPTS = ("source.js", "live-page.js", "watch.js")
"""The scripts of tables that are watched, besides those that draw them."""


class WatchRoutes:
    """The handlers.

    cache: the leagues.
    live: the pages that are watched.
    streams: counts open streams.
    watched: their tables.
    """

    def __init__(
        self, store: Store, cache: LeagueCache, live: LivePages, streams: StreamCounter, watched: WatchedLeagues
    ) -> None:
        self._watched = watched
        self._store = store
        self._cache = cache
        self._live = live
        self._streams = streams

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [("/leagues/{league}/live", self.page), ("/leagues/{league}/live/events", self.events)]

    def page(self, request: Request) -> Response:
        """Return the page with the tables of a league."""
        cached, count = self._cache.of(request.path_params["league"]), _count(request)
        watched, organiser = self._of(cached), access_of(request).organiser
        parts = watched.parts(count, organiser=organiser)
        self._live.remember(_page(cached, watched, count, organiser=organiser).key, parts)
        view = cached.view()
        game = view.definition.game
        return HTMLResponse(
            TEMPLATES.page(
                "watch/watch.html",
                translated=True,
                league=cached.name,
                game=game,
                hidden=hidden_note(view),
                art=art_address(game),
                codes=game_codes(game),
                parts=parts,
                events=f"{league_path(cached.name)}/live/events?tables={count}",
                count=count,
                counts=COUNTS,
                shown=[table for table in watched.tables(count, organiser=organiser) if table is not None],
                now=round(time.time() * 1000),
                scripts=["words.js", *script_name(LANGUAGE.get()), *table_scripts(game), *SCRIPTS],
            )
        )

    async def events(self, request: Request) -> Response:
        """Return what the tables show, whenever it changes, as server-sent events."""
        cached = await run_sync(self._cache.of, request.path_params["league"])
        count = _count(request)
        page = _page(cached, self._of(cached), count, organiser=access_of(request).organiser)
        digest = request.headers.get("last-event-id") or request.query_params.get("has", "")
        return EventStream(self._live.events(page, digest, visitor_of(request)), self._streams)

    def _of(self, cached: CachedLeague) -> WatchedLeague:
        return self._watched.of(cached.id, cached.name)


def _page(cached: CachedLeague, watched: WatchedLeague, count: int, *, organiser: bool) -> LivePage:
    name = f"{count}, everything" if organiser else f"{count}"
    return LivePage(("tables", cached.id), name, watched.pulse, partial(watched.parts, count, organiser=organiser))


def _count(request: Request) -> int:
    """Return how many tables a page has: what is asked for, within what is possible."""
    return min(max(parse_number(request.query_params.get("tables", "")) or USUAL, 1), MOST)
