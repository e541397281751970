"""The site: its routes and their handlers."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any

import trio
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route

from arena.checking.hand_in_worker import HandInWorker
from arena.checking.question_export import recorded_question
from arena.errors import ArenaError
from arena.replay.played_rules import rules as rules_of
from arena.store import Store
from arena.viewer.replay import Replay
from arena.web import files
from arena.web.access import Access, access_of, visitor_of
from arena.web.analysis_queue import AnalysisQueue
from arena.web.analysis_routes import AnalysisRoutes, may_analyse
from arena.web.api.application import api
from arena.web.api.operations import PREFIX
from arena.web.cache_warmup import warm, warm_leagues
from arena.web.compare_routes import CompareRoutes, matches_of_deal
from arena.web.downloads import Downloads
from arena.web.elo_history_cache import EloHistoryCache
from arena.web.entry_routes import EntryRoutes
from arena.web.error_pages import client_error, server_error
from arena.web.event_streams import EventStream, StreamCounter
from arena.web.hand_in_routes import HandInRoutes
from arena.web.hosted_matches import PlaySessions
from arena.web.invitation_routes import InvitationRoutes
from arena.web.league_cache import LeagueCache
from arena.web.league_routes import LeagueRoutes
from arena.web.live_pages import LivePages
from arena.web.live_tournament import LiveTournaments
from arena.web.middleware import Authentication, LanguageChoice, NoNulCharacters, SameOriginOnly, SecurityHeaders
from arena.web.pages import bot_list, bots, failures, matches, tournament, tournaments
from arena.web.pages import replay as replay_page
from arena.web.play_routes import PlayRoutes
from arena.web.proxy_sign_in import ProxySignIn
from arena.web.ranking_cache import CachedRanking, RankingCache
from arena.web.replay_cache import ReplayCache
from arena.web.replay_routes import FAR, ReplayRoutes, number_in_query
from arena.web.rule_routes import rules_of_game
from arena.web.search_turns import SearchTurns
from arena.web.session_routes import SessionRoutes
from arena.web.sessions import Sessions
from arena.web.weakness_routes import WeaknessRoutes
from arena.web.webhook_routes import WebhookRoutes
from arena.web.what_if_matches import WhatIfMatches, stand_ins
from arena.web.what_if_routes import WhatIfRoutes
from arena.webhooks.addresses import AddressRules
from arena.webhooks.worker import WebhookWorker
from referee.engine.errors import EngineError

YEAR = 365 * 24 * 3600
"""Seconds."""


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
        self._computed: dict[int, tuple[CachedRanking, str | None, str]] = {}
        self.elo_histories = EloHistoryCache(store)
        self.replays = ReplayCache(store)
        self.searches = SearchTurns()

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
        known, finished, parts = self._computed.get(row.id, (None, None, ""))
        if known is not cached or finished != row.finished:  # many may have the page open: it is written once
            parts = "".join(map(str, tournament.computed(row, cached)))
            self._computed[row.id] = cached, row.finished, parts
        return HTMLResponse(parts)

    async def live(self, request: Request) -> Response:
        """Return the progress of a running tournament as server-sent events."""
        number = request.path_params["number"]
        await self._live.progress(number)  # raises NoSuchRow before the stream begins
        return EventStream(self._live.events(number), self._streams)

    async def matches(self, request: Request) -> Response:
        """Return the list of matches that pass the filters."""
        show = partial(matches.show, self.store, self.rankings, dict(request.query_params))
        return HTMLResponse(await self.searches.run(visitor_of(request), show))

    def failures(self, request: Request) -> Response:
        """Return the list of process failures."""
        return HTMLResponse(failures.show(self.store, access_of(request), dict(request.query_params)))

    def match(self, request: Request) -> Response:
        """Return the replay player of a match, and load the replay while the browser loads the scripts."""
        access, id = access_of(request), request.path_params["id"]
        match = access.match(self.store, id)
        over = match.tournament_id is None or match.event.finished is not None
        html = replay_page.show(
            match,
            matches_of_deal(self.store, match),
            playable=self.playable and access.organiser and over,
            analysable=may_analyse(access),
            stand_ins=stand_ins(access) if self.playable and match.event.finished is not None else None,
        )
        return HTMLResponse(html, background=BackgroundTask(self.replays.prepare, access, id))

    def chances(self, replay: Replay, seat: int | None) -> dict[str, Any] | None:
        """Return the stored chances to win of a match from a perspective, if there are any."""
        return self.store.chances.best(replay.match, seat, rules_of(replay.match).game.behaviour)

    def question(self, request: Request) -> Response:
        """Return the file of a recorded question, for `arena ask`. It holds only what its seat saw."""
        match = access_of(request).match(self.store, request.path_params["id"])
        move = number_in_query(request, "move", len(match.row.times) - 1 if match.row.times else FAR)
        headers = {"content-disposition": f'attachment; filename="match-{match.id}-move-{move}.json"'}
        return Response(recorded_question(match, move).to_text(), media_type="application/json", headers=headers)

    def replay_of(self, request: Request) -> Replay:
        """Return the replay of a match, without what the visitor may not see."""
        return self.replays.of(access_of(request), request.path_params["id"])

    def bots(self, request: Request) -> Response:
        """Return the list of bots."""
        return HTMLResponse(bot_list.show(self.store, request.query_params.get("name", "")))

    async def bot(self, request: Request) -> Response:
        """Return the page of a bot."""
        show = partial(
            bots.show,
            self.store,
            self.rankings,
            self.elo_histories,
            self._leagues,
            request.path_params["name"],
            access_of(request),
        )
        return HTMLResponse(await self.searches.run(visitor_of(request), show))


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
    analyses = AnalysisQueue()
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
        ("/matches/{id:number}/question", site.question),
        ("/rules/{game}", rules_of_game),
        ("/failures", site.failures),
        ("/bots", site.bots),
        ("/bots/{name:path}", site.bot),
        ("/static/{name}", _file),
        *ReplayRoutes("/matches/{id:number}", site.replay_of, site.chances).routes(),
        *CompareRoutes(store).routes(),
        *league_routes.routes(),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await warm_leagues(cache)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(warm, store, site.rankings)
            nursery.start_soon(analyses.run)
            if webhooks is not None:
                nursery.start_soon(webhooks.run)
            await nursery.start(live.run)
            yield
            nursery.cancel_scope.cancel()

    method_routes = AnalysisRoutes(store, analyses).routes()
    method_routes += WeaknessRoutes(store, site.rankings, cache, analyses).routes()
    if play_sessions:
        method_routes += PlayRoutes(play_sessions, streams).routes()
        method_routes += WhatIfRoutes(WhatIfMatches(store, play_sessions.hosting)).routes()
    if hand_ins and sessions:
        method_routes += SessionRoutes(sessions).routes()
        method_routes += InvitationRoutes(store).routes()
        method_routes += HandInRoutes(store, hand_ins, streams).routes()
        method_routes += WebhookRoutes(store, rules).routes()
        method_routes += EntryRoutes(store, cache).routes()
    site_application = Starlette(
        routes=[
            *(Route(path, answer) for path, answer in routes),
            *(Route(path, answer, methods=[method]) for path, answer, method in method_routes),
            Mount(
                PREFIX, api(store, access, site.rankings, site.replays, site.searches, cache, streams, hand_ins, rules)
            ),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(NoNulCharacters),
            Middleware(SameOriginOnly, hosts=hosts),
            Middleware(LanguageChoice),
            Middleware(
                Authentication,
                access=access,
                sessions=sessions,
                playable=play_sessions is not None,
                has_leagues=cache.has_any,
                proxy=proxy,
            ),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=7),
        ],
        lifespan=lifespan,
        exception_handlers={
            HTTPException: client_error,
            ArenaError: client_error,
            EngineError: client_error,
            Exception: server_error,
        },
    )
    site_application.state.streams = streams
    site_application.state.hand_ins = hand_ins
    site_application.state.webhooks = webhooks
    return site_application
