"""The site: its routes and their handlers."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import trio
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route

from arena.checking.hand_in_worker import HandInWorker
from arena.checking.question_export import recorded_question
from arena.errors import ArenaError
from arena.replay.match_verification import check_match
from arena.server_log import report_bug, report_trouble
from arena.store import Store
from arena.store.errors import NoSuchRow, StoreError, StoreUnavailable
from arena.viewer.html import tag
from arena.viewer.json_values import (
    FRAMES_PER_PART,
    opening_values,
    replay_values,
    table_values,
)
from arena.viewer.replay import Replay
from arena.web import files
from arena.web.access import Access, MatchWithheld, access_of
from arena.web.api.application import api
from arena.web.api.operations import PREFIX, is_of_api
from arena.web.api.problems import RETRY_SECONDS, client_problem, server_problem
from arena.web.cache_warmup import warm, warm_leagues
from arena.web.downloads import Downloads
from arena.web.elo_history_cache import EloHistoryCache
from arena.web.errors import PageNotFound
from arena.web.event_streams import EventStream, StreamCounter
from arena.web.hand_in_routes import HandInRoutes
from arena.web.hosted_matches import PlaySessions
from arena.web.invitation_routes import InvitationRoutes
from arena.web.league_cache import LeagueCache
from arena.web.league_routes import LeagueRoutes
from arena.web.live_pages import LivePages
from arena.web.live_tournament import LiveTournaments
from arena.web.middleware import (
    HEADERS,
    Authentication,
    SameOriginOnly,
    SecurityHeaders,
)
from arena.web.pages import bots, failures, matches, tournament, tournaments
from arena.web.pages import replay as replay_page
from arena.web.pages.layout import content, page
from arena.web.play_routes import PlayRoutes
from arena.web.proxy_sign_in import ProxySignIn
from arena.web.ranking_cache import CachedRanking, RankingCache
from arena.web.replay_cache import ReplayCache
from arena.web.session_routes import SessionRoutes
from arena.web.sessions import Sessions
from arena.web.webhook_routes import WebhookRoutes
from arena.webhooks.addresses import AddressRules
from arena.webhooks.worker import WebhookWorker
from referee.engine.errors import EngineError

FAR = 10**9 - 1
"""The largest frame number in a URL; numbers beyond the last frame mean the last frame."""

YEAR = 365 * 24 * 3600
"""Seconds."""

UNAVAILABLE = "the database cannot be read at the moment: try again later"
FAILED = "this page failed: the server's log shows the cause to the organiser"


class Site:
    """The request handlers. Starlette runs the synchronous ones in threads, because the store blocks.

    store: the open database. streams: the counter of open event streams. leagues: as last read. league_routes: their
    pages. playable: whether organisers can play here.
    """

    def __init__(
        self,
        store: Store,
        streams: StreamCounter,
        leagues: LeagueCache,
        league_routes: LeagueRoutes,
        *,
        playable: bool = False,
    ) -> None:
        self.store = store
        self._leagues = leagues
        self._league_routes = league_routes
        self.playable = playable
        self._streams = streams
        self._live = LiveTournaments(store)
        self.rankings = RankingCache(store)
        self._computed: dict[int, tuple[CachedRanking, str]] = {}
        self.elo_histories = EloHistoryCache(store)
        self.replays = ReplayCache(store)

    def home(self, request: Request) -> Response:
        """Return what goes on in leagues, if there are any, and the list of tournaments."""
        leagues = self._league_routes.home_parts()
        return HTMLResponse(tournaments.show(self.store, self.rankings, access_of(request), leagues))

    def tournament(self, request: Request) -> Response:
        """Return the page of a tournament."""
        row = self.store.tournament(request.path_params["number"])
        return HTMLResponse(tournament.show(self.store, row, self.rankings.of(row), access_of(request)))

    def ranking(self, request: Request) -> Response:
        """Return only what is computed from the matches of a tournament, to update open pages."""
        row = self.store.tournament(request.path_params["number"])
        cached = self.rankings.of(row)
        known, parts = self._computed.get(row.id, (None, ""))
        if known is not cached:  # many may have the page open: it is written once
            parts = "".join(map(str, tournament.computed(row, cached)))
            self._computed[row.id] = cached, parts
        return HTMLResponse(parts)

    async def live(self, request: Request) -> Response:
        """Return the progress of a running tournament as server-sent events."""
        number = request.path_params["number"]
        await self._live.progress(number)  # raises NoSuchRow before the stream begins
        return EventStream(self._live.events(number), self._streams)

    def matches(self, request: Request) -> Response:
        """Return the list of matches that pass the filters."""
        return HTMLResponse(matches.show(self.store, self.rankings, dict(request.query_params)))

    def failures(self, request: Request) -> Response:
        """Return the list of process failures."""
        return HTMLResponse(failures.show(self.store, access_of(request), dict(request.query_params)))

    def match(self, request: Request) -> Response:
        """Return the replay player of a match, and load the replay while the browser loads the scripts."""
        access, id = access_of(request), request.path_params["id"]
        match = access.match(self.store, id)
        over = match.tournament_id is None or match.event.finished is not None
        html = replay_page.show(match, playable=self.playable and access.organiser and over)
        return HTMLResponse(html, background=BackgroundTask(self.replays.prepare, access, id))

    def story(self, request: Request) -> Response:
        """Return the frames of a match, all or one seat's; with `move` only those around it, with their tables."""
        replay, seat = self._replay_and_seat(request)
        if "move" in request.query_params:
            return JSONResponse(opening_values(replay, seat, _number(request, "move", FAR)))
        return JSONResponse(replay_values(replay, seat))

    def tables(self, request: Request) -> Response:
        """Return one part of the tables of a match."""
        replay, seat = self._replay_and_seat(request)
        first = _number(request, "first", replay.count(seat) - 1)
        return JSONResponse(table_values(replay, seat, first - first % FRAMES_PER_PART))

    def moment(self, request: Request) -> Response:
        """Return the frame of another perspective that is nearest to a frame."""
        replay, seat = self._replay_and_seat(request)
        other = _seat(request, "other", replay)
        frame = _number(request, "frame", replay.count(seat) - 1)
        return JSONResponse({"frame": replay.nearest_frame(frame, seat, other)})

    def output(self, request: Request) -> Response:
        """Return the output of a bot."""
        replay, seat = self._replay_and_seat(request)
        output = replay.match.outputs.get(seat) if seat is not None else None
        return JSONResponse({"text": output.text if output else "", "truncated": bool(output and output.truncated)})

    def question(self, request: Request) -> Response:
        """Return the file of a recorded question, for `arena ask`. It holds only what its seat saw."""
        match = access_of(request).match(self.store, request.path_params["id"])
        move = _number(request, "move", len(match.row.times) - 1 if match.row.times else FAR)
        headers = {"content-disposition": f'attachment; filename="match-{match.id}-move-{move}.json"'}
        return Response(recorded_question(match, move).to_text(), media_type="application/json", headers=headers)

    def verdict(self, request: Request) -> Response:
        """Verify the record of a match and return the result."""
        result = check_match(access_of(request).match(self.store, request.path_params["id"]))
        return JSONResponse({"wrong": result.wrong, "remarks": result.remarks})

    def bots(self, request: Request) -> Response:
        """Return the list of bots."""
        return HTMLResponse(bots.list_all(self.store))

    def bot(self, request: Request) -> Response:
        """Return the page of a bot."""
        return HTMLResponse(
            bots.show(
                self.store,
                self.rankings,
                self.elo_histories,
                self._leagues,
                request.path_params["name"],
                access_of(request),
            )
        )

    def _replay_and_seat(self, request: Request) -> tuple[Replay, int | None]:
        replay = self.replays.of(access_of(request), request.path_params["id"])
        return replay, _seat(request, "seat", replay)


def _seat(request: Request, name: str, replay: Replay) -> int | None:
    return _number(request, name, replay.seats - 1) if name in request.query_params else None


def _number(request: Request, name: str, most: int) -> int:
    text = request.query_params.get(name, "")
    if not text.isdecimal() or len(text) > 9 or int(text) > most:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"{name} must be a number from 0 to {most}")
    return int(text)


async def _file(request: Request) -> Response:
    bundle = files.bundle(request.path_params["name"])
    if bundle is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such file")
    # A URL with the digest never changes its content, so browsers may cache it for ever.
    is_current = request.query_params.get("v") == bundle.digest
    headers = {"cache-control": f"max-age={YEAR}, immutable" if is_current else "no-cache", "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(bundle.text, media_type=bundle.kind, headers=headers)
    return Response(bundle.packed, media_type=bundle.kind, headers=headers | {"content-encoding": "gzip"})


def _client_error(request: Request, error: Exception) -> Response:
    """Return a page that says why a request cannot be answered."""
    status, sentence = HTTPStatus.UNPROCESSABLE_ENTITY, str(error)
    headers: Mapping[str, str] | None = None
    if isinstance(error, HTTPException):
        status, sentence, headers = HTTPStatus(error.status_code), error.detail, error.headers
        if (status, sentence) == (HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND.phrase):
            sentence = "there is no page at this address"
    elif isinstance(error, PageNotFound):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(error, NoSuchRow):
        status, sentence = HTTPStatus.NOT_FOUND, _missing(request)
    elif isinstance(error, StoreError):  # its message names the database and commands, for the organiser alone
        if isinstance(error, StoreUnavailable):
            report_trouble(error)
            status, sentence = HTTPStatus.SERVICE_UNAVAILABLE, UNAVAILABLE
            headers = {"retry-after": str(RETRY_SECONDS)}
        else:
            report_bug(error)
            status, sentence = HTTPStatus.INTERNAL_SERVER_ERROR, FAILED
    elif isinstance(error, MatchWithheld):
        status = HTTPStatus.FORBIDDEN
    return _error_page(request, status, sentence, headers)


def _missing(request: Request) -> str:
    """Say what a request named that is not in the database."""
    if "league" in request.path_params:
        return f"there is no league {request.path_params['league']}: see the list of leagues"
    if "id" in request.path_params:
        return f"there is no match {request.path_params['id']}"
    tournament = request.path_params.get("number", request.query_params.get("tournament"))
    return "there is nothing at this address" if tournament is None else f"there is no tournament {tournament}"


def _server_error(request: Request, error: Exception) -> Response:
    """Return a page for an internal error; the traceback goes to stderr, for the organiser.

    Also errors of the middleware come here, such as a database that cannot say who is signed in.
    """
    if is_of_api(request.url.path):
        response = client_problem(request, error) if isinstance(error, ArenaError) else server_problem(request, error)
    elif isinstance(error, StoreError):
        response = _client_error(request, error)
    else:
        report_bug(error)
        response = _error_page(request, HTTPStatus.INTERNAL_SERVER_ERROR, FAILED)
    response.headers.update(HEADERS)  # this response does not pass the middleware
    return response


def _error_page(
    request: Request, status: HTTPStatus, sentence: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a sentence as a page, or as JSON for a script."""
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"error": sentence}, status, headers)
    body = content(status.phrase, tag("p", {}, sentence), tag("p", {}, tag("a", {"href": "/"}, "home")))
    return HTMLResponse(page(status.phrase, body), status, headers)


def application(
    store: Store,
    access: Access,
    play_sessions: PlaySessions | None = None,
    hosts: Sequence[str] = (),
    hand_ins: HandInWorker | None = None,
    proxy: ProxySignIn | None = None,
    webhooks: WebhookWorker | None = None,
) -> Starlette:
    """Return the site as an ASGI application.

    access: what visitors see who are not signed in. play_sessions: the matches that people play; None: nobody can
    play. hosts: the accepted host names; empty: any. hand_ins: checks submitted bots; None: nobody signs in.
    proxy: signs people in; None: no proxy does. webhooks: delivers events; None: another program does.
    """
    rules = webhooks.rules if webhooks else AddressRules()
    streams = StreamCounter()
    live = LivePages()
    cache = LeagueCache(store)
    league_routes = LeagueRoutes(store, cache, live, streams)
    site = Site(store, streams, cache, league_routes, playable=play_sessions is not None)
    downloads = Downloads(store, site.rankings)
    sessions = Sessions(store) if hand_ins else None
    routes: list[tuple[str, Callable[[Request], Any]]] = [
        ("/", site.home),
        ("/tournaments/{number:number}", site.tournament),
        ("/tournaments/{number:number}/ranking", site.ranking),
        ("/tournaments/{number:number}/ranking.tex", downloads.latex),
        ("/tournaments/{number:number}/matches.csv", downloads.csv),
        ("/tournaments/{number:number}/matches.parquet", downloads.parquet),
        ("/tournaments/{number:number}/events", site.live),
        ("/matches", site.matches),
        ("/matches/{id:number}", site.match),
        ("/matches/{id:number}/story", site.story),
        ("/matches/{id:number}/tables", site.tables),
        ("/matches/{id:number}/moment", site.moment),
        ("/matches/{id:number}/output", site.output),
        ("/matches/{id:number}/question", site.question),
        ("/matches/{id:number}/verdict", site.verdict),
        ("/failures", site.failures),
        ("/bots", site.bots),
        ("/bots/{name:path}", site.bot),
        ("/static/{name}", _file),
        *league_routes.routes(),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await warm_leagues(cache)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(warm, store, site.rankings)
            if webhooks is not None:
                nursery.start_soon(webhooks.run)
            await nursery.start(live.run)
            yield
            nursery.cancel_scope.cancel()

    method_routes = PlayRoutes(play_sessions, streams).routes() if play_sessions else []
    if hand_ins and sessions:
        method_routes += SessionRoutes(sessions).routes()
        method_routes += InvitationRoutes(store).routes()
        method_routes += HandInRoutes(store, hand_ins, streams).routes()
        method_routes += WebhookRoutes(store, rules).routes()
    site_application = Starlette(
        routes=[
            *(Route(path, answer) for path, answer in routes),
            *(Route(path, answer, methods=[method]) for path, answer, method in method_routes),
            Mount(PREFIX, api(store, access, site.rankings, site.replays, streams, hand_ins, rules)),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(SameOriginOnly, hosts=hosts),
            Middleware(
                Authentication,
                access=access,
                sessions=sessions,
                playable=play_sessions is not None,
                has_leagues=cache.has_any,
                proxy=proxy,
            ),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _client_error,
            ArenaError: _client_error,
            EngineError: _client_error,
            Exception: _server_error,
        },
    )
    site_application.state.streams = streams
    site_application.state.hand_ins = hand_ins
    site_application.state.webhooks = webhooks
    return site_application
