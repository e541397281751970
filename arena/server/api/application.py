"""The API as an application of its own, which the site mounts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from http import HTTPStatus
from itertools import groupby

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_worker import HandInWorker
from arena.hooks.specifications import ApiPart, SitePart
from arena.server.access import Access
from arena.server.api.authentication import TokenAuthentication
from arena.server.api.bot_operations import BotOperations
from arena.server.api.dispatch import Dispatcher
from arena.server.api.entry_operations import EntryOperations
from arena.server.api.event_feeds import Feeds
from arena.server.api.hand_in_operations import HandInOperations
from arena.server.api.league_operations import LeagueOperations
from arena.server.api.match_operations import MatchOperations
from arena.server.api.openapi import openapi
from arena.server.api.operations import JSON, Operation, operations_of
from arena.server.api.practice_operations import PracticeOperations
from arena.server.api.problems import client_problem, server_problem
from arena.server.api.token_operations import TokenOperations
from arena.server.limits.search_turns import SearchTurns
from arena.server.live.event_streams import StreamCounter
from arena.server.readings import Reading, Readings, either
from arena.server.tournaments.ranking_cache import RankingCache
from arena.values.errors import ArenaError
from referee.engine.errors import EngineError

DOCUMENT = "/openapi.json"


def api(
    readings: Readings,
    access: Access,
    rankings: RankingCache,
    searches: SearchTurns,
    streams: StreamCounter,
    hand_ins: HandInWorker | None,
    parts: Sequence[SitePart],
    *,
    practises: bool = False,
) -> Starlette:
    """Return the API as an ASGI application.

    readings: what organisers and all others see.
    access: what requests without a token may see.
    searches: the turns of searches, which pages take too.
    hand_ins: checks what is handed in; None: accounts do not count here.
    parts: what packages add to the site.
    practises: whether practice leagues are played here.
    """
    store = readings.whole.store
    tokens = TokenAuthentication(store, access, accounts=hand_ins is not None)
    places = hand_ins.places if hand_ins else HandInPlaces(store)
    added = [part.api(tokens) for part in parts if part.api]

    def handlers(reading: Reading) -> tuple[object, ...]:
        feeds = Feeds(reading.store, streams, places)
        return (
            LeagueOperations(reading.store, reading.leagues, feeds),
            EntryOperations(store, reading.leagues),
            MatchOperations(reading.store, rankings, reading.replays, searches),
            BotOperations(reading.store),
            TokenOperations(reading.store),
            HandInOperations(reading.store, tokens, feeds, places, hand_ins),
            PracticeOperations(store, is_on=practises),
        )

    operations = [
        replace(whole, answer=either(whole.answer, shown.answer, lambda call: call.access.organiser))
        for both in zip(handlers(readings.whole), handlers(readings.shown), strict=True)
        for whole, shown in zip(*map(operations_of, both), strict=True)
    ]
    operations += [operation for part in added for operation in part.operations]
    return Starlette(
        routes=[*_routes(operations, Dispatcher(tokens)), _document(operations, added)],
        exception_handlers={
            HTTPException: client_problem,
            ArenaError: client_problem,
            EngineError: client_problem,
            Exception: server_problem,
        },
    )


def _routes(operations: Iterable[Operation], dispatcher: Dispatcher) -> list[Route]:
    """Return a route for each path, so that a method that it lacks is answered with all those that it has."""
    by_path = {path: list(group) for path, group in groupby(operations, lambda operation: operation.path)}
    return [
        Route(path, dispatcher.endpoint(group), methods=[operation.method for operation in group])
        for path, group in by_path.items()
    ]


def _document(operations: list[Operation], added: Sequence[ApiPart]) -> Route:
    @cache  # made when it is first asked for, in a thread of the request, as a server is up sooner without it
    def content() -> bytes:
        return msgspec.json.encode(openapi(operations, added))

    def answer(_request: Request) -> Response:
        return Response(content(), HTTPStatus.OK, {"cache-control": "no-cache"}, JSON)

    return Route(DOCUMENT, answer)
