"""Routes of the pages of leagues."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from arena.language.languages import ENGLISH, LANGUAGE, speaking
from arena.league.results.board import Board, load_board
from arena.league.results.board_output import board_csv, board_json
from arena.league.results.health import problem_of
from arena.league.results.season_report import report_season
from arena.league.store.leagues import Leagues
from arena.server.access import access_of, visitor_of
from arena.server.errors import PageNotFound
from arena.server.leagues import batch, batches, board, divisions, entry, season
from arena.server.leagues import league_list as leagues
from arena.server.leagues.cache import CachedLeague, LeagueCache
from arena.server.leagues.feed import league_feed
from arena.server.leagues.groups import GroupChoice, choose
from arena.server.live.event_streams import EventStream, StreamCounter
from arena.server.live.live_pages import LivePage, LivePages
from arena.server.live.page_parts import PageParts
from arena.server.pages.previews import preview_of
from arena.server.requests.parameters import parse_number
from arena.server.requests.proxies import site_address
from arena.server.watch.watched_league import WatchedLeagues
from arena.store import NoSuchRow, Store


class LeagueRoutes:
    """The handlers.

    cache: the leagues.
    live: the pages that are watched.
    streams: counts open streams.
    watched: their tables; None: they have no page on which these are watched.
    """

    def __init__(
        self,
        store: Store,
        cache: LeagueCache,
        live: LivePages,
        streams: StreamCounter,
        watched: WatchedLeagues | None = None,
    ) -> None:
        self._watched = watched
        self._has_live_page = watched is not None
        self._store = store
        self._cache = cache
        self._live = live
        self._streams = streams

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [
            ("/leagues", self.list_all),
            ("/leagues/events", self.follow_home),
            ("/leagues/{league}", self.board),
            ("/leagues/{league}/events", self.follow_board),
            ("/leagues/{league}/board.json", self.board_json),
            ("/leagues/{league}/board.csv", self.board_csv),
            ("/leagues/{league}/divisions", self.divisions),
            ("/leagues/{league}/feed.atom", self.feed),
            ("/leagues/{league}/entries/{number:number}", self.entry),
            ("/leagues/{league}/entries/{number:number}/events", self.follow_entry),
            ("/leagues/{league}/batches", self.batches),
            ("/leagues/{league}/batches/events", self.follow_batches),
            ("/leagues/{league}/batches/{number:number}", self.batch),
            ("/leagues/{league}/batches/{number:number}/events", self.follow_batch),
            ("/leagues/{league}/seasons/{number:number}", self.season),
            ("/leagues/{league}/snapshots/{number:number}", self.snapshot),
        ]

    def list_all(self, request: Request) -> Response:
        """Return the list of leagues."""
        return HTMLResponse(leagues.list_all(self._cache.views()))

    def board(self, request: Request) -> Response:
        """Return the board of a league."""
        cached = self._league(request)
        view = cached.view()
        names, choice = self._names(request), self._choice(request, view.board)
        page = _page(request, f"board{choice.page}")
        parts = self._remembered(cached, page, board.board_parts(view, names, choice))
        access = access_of(request)
        html = board.show(
            view,
            parts,
            request.query_params,
            names,
            _account(request),
            problem_of(self._store, cached.name) if access.organiser else "",
            choice,
            has_live_page=self._has_live_page,
            organiser=access.organiser and access.account is not None,
            preview=preview_of(request, view),
        )
        return HTMLResponse(html)

    def board_json(self, request: Request) -> Response:
        """Return the board as JSON; with `all`, entries that are no longer active too."""
        return JSONResponse(board_json(self._board(request), self._names(request)))

    def board_csv(self, request: Request) -> Response:
        """Return the board as CSV."""
        return Response(board_csv(self._board(request), self._names(request)), media_type="text/csv; charset=utf-8")

    def divisions(self, request: Request) -> Response:
        """Return the divisions of a league."""
        return HTMLResponse(divisions.show(self._store, self._league(request), _account(request), self._names(request)))

    def feed(self, request: Request) -> Response:
        """Return the Atom feed of a league."""
        cached = self._league(request)
        choice = self._choice(request, cached.view().board)
        with speaking(ENGLISH):
            feed = league_feed(self._store, cached, site_address(request), choice)
        return Response(feed, media_type="application/atom+xml; charset=utf-8")

    def entry(self, request: Request) -> Response:
        """Return the page of an entry."""
        cached, number = self._league(request), request.path_params["number"]
        view = cached.view()
        row = entry.find_row(view, number)
        entry_parts = entry.entry_parts(self._store, cached, number, self._names(request))
        parts = self._remembered(cached, _page(request, f"entry {number}"), entry_parts)
        preview = preview_of(request, view, row)
        return HTMLResponse(entry.show(self._store, view, row, parts, access_of(request), preview))

    def batches(self, request: Request) -> Response:
        """Return the queue and the batches that were played."""
        cached, before = self._league(request), parse_number(request.query_params.get("before", ""))
        view = cached.view()
        if before is not None:
            return HTMLResponse(batches.show_older(self._store, view, before))
        parts = self._remembered(cached, "batches", batches.batches_parts(self._store, view))
        return HTMLResponse(batches.show(view, parts))

    def batch(self, request: Request) -> Response:
        """Return the page of a batch."""
        cached, number = self._league(request), request.path_params["number"]
        view = cached.view()
        row = batch.stored_batch(self._store, view, number)
        parts = self._remembered(cached, f"batch {number}", batch.batch_parts(self._store, view, number))
        shown = self._has_live_page and view.league.owner is None
        return HTMLResponse(batch.show(view, row, parts, has_live_page=shown))

    def season(self, request: Request) -> Response:
        """Return the page of a season."""
        cached, number = self._league(request), request.path_params["number"]
        try:
            report = report_season(self._store, cached.view().league, number)
        except NoSuchRow:
            raise PageNotFound(f"the league {cached.name} has no season {number}") from None
        return HTMLResponse(season.show(report, self._names(request)))

    def snapshot(self, request: Request) -> Response:
        """Return the ratings from which batches were drawn, as JSON."""
        cached, number = self._league(request), request.path_params["number"]
        try:
            text = Leagues(self._store).snapshot(cached.id, number)
        except NoSuchRow:
            hidden = ", or they are hidden until the season ends" if cached.view().board.hidden is not None else ""
            raise PageNotFound(f"the league {cached.name} has no ratings {number} for draws{hidden}") from None
        return Response(text, media_type="application/json")

    async def follow_home(self, request: Request) -> Response:
        """Return the changing parts of the home page as server-sent events."""
        access = access_of(request)
        shown = await run_sync(self._shown_table, request.query_params.get("watch", ""), access.organiser)
        return self._stream(request, self._home_page(shown, LANGUAGE.get()))

    async def follow_board(self, request: Request) -> Response:
        """Return the changing parts of a board as server-sent events."""
        cached = await run_sync(self._league, request)
        choice = await run_sync(lambda: self._choice(request, cached.view().board))
        if choice.chosen not in ("", *choice.names):  # whoever asks for groups that nobody has opens no pages for them
            raise PageNotFound(f"the league {cached.name} has no such group: see its board")

        def parts() -> PageParts:
            view = cached.view()
            return board.board_parts(view, self._names(request), self._choice(request, view.board))

        return self._follow(request, cached, _page(request, f"board{choice.page}"), parts)

    async def follow_entry(self, request: Request) -> Response:
        """Return the changing parts of the page of an entry as server-sent events."""
        cached, number = await run_sync(self._league, request), request.path_params["number"]
        await run_sync(lambda: entry.find_row(cached.view(), number))
        return self._follow(
            request,
            cached,
            _page(request, f"entry {number}"),
            lambda: entry.entry_parts(self._store, cached, number, self._names(request)),
        )

    async def follow_batches(self, request: Request) -> Response:
        """Return the changing parts of the list of batches as server-sent events."""
        cached = await run_sync(self._league, request)
        return self._follow(request, cached, "batches", lambda: batches.batches_parts(self._store, cached.view()))

    async def follow_batch(self, request: Request) -> Response:
        """Return the changing parts of the page of a batch as server-sent events."""
        cached, number = await run_sync(self._league, request), request.path_params["number"]
        await run_sync(lambda: batch.stored_batch(self._store, cached.view(), number))
        return self._follow(
            request, cached, f"batch {number}", lambda: batch.batch_parts(self._store, cached.view(), number)
        )

    def home(self, *, organiser: bool) -> leagues.LeagueHome:
        """Return what the home page shows of leagues: a table of the one that played last, and a part for each.

        organiser: whether whoever looks runs the arena.
        """
        playing = leagues.playing(self._cache.views()) if self._watched is not None else None
        shown = self._shown_table("" if playing is None else playing.league.name, organiser)
        page = self._home_page(shown, LANGUAGE.get())
        parts = page.read()
        self._live.remember(page.key, parts)
        if shown is None or playing is None:
            return leagues.LeagueHome(parts, None)
        tables = [table for table in shown.watched.tables(1, organiser=organiser) if table is not None]
        return leagues.LeagueHome(parts, playing if tables else None, tables)

    def _shown_table(self, league: str, organiser: bool) -> leagues.HomeTable | None:
        """Return the table of a league that the home page shows; None where there is none."""
        view = next((view for view in self._cache.views() if view.league.name == league), None)
        if view is None or self._watched is None:
            return None
        return leagues.HomeTable(league, self._watched.of(view.league.id, league), organiser)

    def _home_page(self, shown: leagues.HomeTable | None, language: str) -> LivePage:
        def pulse() -> tuple[object, ...]:
            return (*self._pulses(), shown.watched.pulse() if shown is not None else None)

        read = partial(_read_in, language, lambda: leagues.home_parts(self._cache.views(), shown))
        name = f"{language} {shown.name if shown is not None else ''}"
        return LivePage(("home", shown.league if shown is not None else ""), name, pulse, read)

    def _remembered(self, cached: CachedLeague, page: str, parts: PageParts) -> PageParts:
        """Keep what a browser is about to get, so that its events bring only what has changed since."""
        self._live.remember((cached.id, f"{page} {LANGUAGE.get()}"), parts)
        return parts

    def _pulses(self) -> tuple[object, ...]:
        return tuple((cached.id, cached.pulse()) for cached in self._cache.all())

    def _names(self, request: Request) -> Mapping[str, str]:
        return access_of(request).display_names(self._store)

    def _choice(self, request: Request, whole: Board) -> GroupChoice:
        return choose(self._store, whole, access_of(request), request.query_params)

    def _league(self, request: Request) -> CachedLeague:
        return self._cache.of(request.path_params["league"], access_of(request))

    def _board(self, request: Request) -> Board:
        cached = self._league(request)
        past = "all" in request.query_params
        whole = load_board(
            self._store, cached.name, past=past, history=cached.history, played=cached.played, practice=True
        )
        return self._choice(request, whole).board

    def _follow(self, request: Request, cached: CachedLeague, page: str, read: Callable[[], PageParts]) -> Response:
        """Return the changing parts of a page, in the language of the request, as server-sent events."""
        language = LANGUAGE.get()
        live = LivePage(cached.id, f"{page} {language}", cached.pulse, partial(_read_in, language, read))
        return self._stream(request, live)

    def _stream(self, request: Request, page: LivePage) -> Response:
        digest = request.headers.get("last-event-id") or request.query_params.get("has", "")
        visitor = visitor_of(request)
        return EventStream(self._live.events(page, digest, visitor), self._streams)


def _read_in(language: str, read: Callable[[], PageParts]) -> PageParts:
    """Read the parts of a page in a language, whoever asked for them first."""
    with speaking(language):
        return read()


def _page(request: Request, name: str) -> str:
    """Return the name of a live page, which is another one for those who see display names."""
    return f"{name} with names" if access_of(request).sees_names else name


def _account(request: Request) -> str | None:
    """Return the owner for whom whoever is signed in acts."""
    account = access_of(request).account
    return account.owner if account is not None else None
