"""The site as an application: all routes, and what they share."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from arena.bots.hand_in_worker import HandInWorker
from arena.hooks.plugins import plugins
from arena.hooks.specifications import SitePart, SiteShared
from arena.league.run.practice_turns import NO_PRACTICE, PracticeTerms
from arena.server import files
from arena.server.access import Access, access_of
from arena.server.accounts.invitation_routes import InvitationRoutes
from arena.server.accounts.proxy_sign_in import ProxySignIn
from arena.server.accounts.session_routes import SessionRoutes
from arena.server.accounts.sessions import Sessions
from arena.server.api.application import api
from arena.server.api.operations import PREFIX
from arena.server.bots.routes import BotRoutes
from arena.server.cache_warmup import warm, warm_leagues
from arena.server.hand_ins.routes import HandInRoutes
from arena.server.join import JoinRoutes
from arena.server.leagues.announcements import AnnouncementRoutes
from arena.server.leagues.dates_routes import DatesRoutes
from arena.server.leagues.entry_routes import EntryRoutes
from arena.server.leagues.league_list import LeagueHome
from arena.server.leagues.routes import LeagueRoutes
from arena.server.limits.search_turns import SearchTurns
from arena.server.live.event_streams import StreamCounter
from arena.server.matches.routes import MatchRoutes
from arena.server.play.hosted_matches import PlaySessions
from arena.server.play.routes import PlayRoutes
from arena.server.practice.routes import PracticeRoutes
from arena.server.process_settings import process_settings, return_memory
from arena.server.readings import Reading, Readings
from arena.server.requests.error_pages import client_error, server_error
from arena.server.requests.middleware import (
    Authentication,
    LanguageChoice,
    NoNulCharacters,
    SameOriginOnly,
    SecurityHeaders,
)
from arena.server.rules import rules_of_game
from arena.server.status.recent_notices import RecentNotices
from arena.server.status.routes import StatusRoutes
from arena.server.tournaments.ranking_cache import RankingCache
from arena.server.tournaments.routes import TournamentRoutes
from arena.server.watch.routes import WatchRoutes
from arena.server.watch.watched_league import NOTHING_LIVE, Watching
from arena.store import Store
from arena.values.errors import ArenaError
from arena.values.server_log import log_line
from referee.engine.errors import EngineError

YEAR = 365 * 24 * 3600
"""Seconds."""


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
    parts: Sequence[SitePart] | None = None,
    watching: Watching | None = NOTHING_LIVE,
    practice: PracticeTerms = NO_PRACTICE,
) -> Starlette:
    """Return the site as an ASGI application.

    access: what visitors see who are not signed in.
    play_sessions: the matches that people play; None: nobody can play.
    hosts: the accepted host names; empty: any.
    hand_ins: checks submitted bots; None: nobody signs in.
    proxy: signs people in; None: no proxy does.
    parts: the parts of packages, which work as long as the site is up; None: those of all packages, whose work another
        program does.
    watching: what may be watched of leagues; None: they have no live page.
    practice: what practice leagues may take here.
    """
    does_work = parts is not None
    if parts is None:
        parts = plugins().hook.arena_site(store=store, options={}, say=log_line, public_url=None)
    shown = [part for part in parts if hand_ins or not part.needs_accounts]
    works = shown if does_work else []
    streams = StreamCounter()
    readings = Readings(Reading.of(store, watching), Reading.of(store.for_visitors(), watching))
    leagues = readings.of(access).leagues
    notices = RecentNotices()
    rankings, searches = RankingCache(store), SearchTurns()
    sessions = Sessions(store) if hand_ins else None

    def league_home(asking: Access) -> LeagueHome:
        reading = readings.of(asking)
        routes = LeagueRoutes(reading.store, reading.leagues, reading.live, streams, reading.watched)
        return routes.home(organiser=asking.organiser)

    def pages(reading: Reading) -> list[tuple[str, Callable[[Request], Any]]]:
        read = reading.store, reading.leagues, reading.live, streams
        playable = play_sessions is not None
        return [
            *MatchRoutes(reading.store, rankings, reading.replays, searches, playable=playable).routes(),
            *BotRoutes(reading.store, rankings, reading.leagues, searches).routes(),
            *LeagueRoutes(*read, reading.watched).routes(),
            *(WatchRoutes(*read, reading.watched).routes() if reading.watched is not None else ()),
        ]

    def changing_pages(reading: Reading) -> list[tuple[str, Callable[[Request], Any], str]]:
        hosting = play_sessions.hosting if play_sessions else None
        shared = SiteShared(reading.store, rankings, reading.leagues, reading.replays, hosting, sessions)
        routes = [route for part in shown for route in part.routes(shared)]
        routes += AnnouncementRoutes(reading.store, reading.leagues).routes()
        routes += DatesRoutes(reading.store, reading.leagues).routes()
        if hand_ins:
            routes += HandInRoutes(reading.store, hand_ins, streams).routes()
            routes += EntryRoutes(store, reading.leagues).routes()
        return routes

    routes = [
        *TournamentRoutes(store, rankings, league_home, streams).routes(),
        *readings.routes(pages),
        *JoinRoutes(
            lambda request: readings.of(access_of(request)).leagues.views(),
            has_accounts=hand_ins is not None,
            sign_in_links=[link for part in parts for link in part.sign_in_links] if hand_ins else [],
        ).routes(),
        ("/rules/{game}", rules_of_game),
        ("/static/{name}", _file),
        *StatusRoutes(store, notices).routes(),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        with process_settings(), notices.listening():
            await warm_leagues(leagues)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(return_memory)
                nursery.start_soon(warm, store, rankings)
                for part in works:
                    if part.run is not None:
                        nursery.start_soon(part.run)
                for reading in readings:
                    await nursery.start(reading.live.run)
                yield
                nursery.cancel_scope.cancel()

    method_routes = list(readings.routes(changing_pages))
    if play_sessions:
        method_routes += PlayRoutes(play_sessions, streams).routes()
    if hand_ins and sessions:
        links = [("/practice", "practice")] if practice.cpu_per_day else []
        links += [link for part in parts for link in part.links]
        sign_in_links = [link for part in parts for link in part.sign_in_links]
        method_routes += SessionRoutes(store, sessions, links, sign_in_links).routes()
        method_routes += InvitationRoutes(store).routes()
        method_routes += PracticeRoutes(store, practice).routes()
    site_application = Starlette(
        routes=[
            *(Route(path, answer) for path, answer in routes),
            *(Route(path, answer, methods=[method]) for path, answer, method in method_routes),
            Mount(
                PREFIX,
                api(
                    readings,
                    access,
                    rankings,
                    searches,
                    streams,
                    hand_ins,
                    parts,
                    practises=practice.cpu_per_day > 0,
                ),
            ),
        ],
        middleware=[
            Middleware(SecurityHeaders, framed=tuple(path for part in shown for path in part.framed)),
            Middleware(NoNulCharacters),
            Middleware(
                SameOriginOnly, hosts=hosts, cross_site=tuple(path for part in shown for path in part.cross_site)
            ),
            Middleware(LanguageChoice),
            Middleware(
                Authentication,
                access=access,
                sessions=sessions,
                playable=play_sessions is not None,
                has_leagues=leagues.has_any,
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
    site_application.state.parts = works
    return site_application
