"""The API as an application of its own, which the site mounts."""

from collections.abc import Iterable
from http import HTTPStatus
from itertools import groupby

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.checking.hand_in_worker import HandInWorker
from arena.errors import ArenaError
from arena.store import Store
from arena.web.access import Access
from arena.web.api.authentication import TokenAuthentication
from arena.web.api.bot_operations import BotOperations
from arena.web.api.dispatch import Dispatcher
from arena.web.api.entry_operations import EntryOperations
from arena.web.api.event_feeds import Feeds
from arena.web.api.hand_in_operations import HandInOperations
from arena.web.api.league_operations import LeagueOperations
from arena.web.api.match_operations import MatchOperations
from arena.web.api.openapi import openapi
from arena.web.api.operations import JSON, Operation
from arena.web.api.problems import client_problem, server_problem
from arena.web.api.token_operations import token_operations
from arena.web.api.webhook_operations import WebhookOperations
from arena.web.event_streams import StreamCounter
from arena.web.league_cache import LeagueCache
from arena.web.ranking_cache import RankingCache
from arena.web.replay_cache import ReplayCache
from arena.web.search_turns import SearchTurns
from arena.webhooks.addresses import AddressRules
from referee.engine.errors import EngineError

DOCUMENT = "/openapi.json"


def api(
    store: Store,
    access: Access,
    rankings: RankingCache,
    replays: ReplayCache,
    searches: SearchTurns,
    leagues: LeagueCache,
    streams: StreamCounter,
    hand_ins: HandInWorker | None,
    webhooks: AddressRules,
) -> Starlette:
    """Return the API as an ASGI application.

    access: of requests without a token. searches: the turns of searches, as pages take. hand_ins: checks what is
    handed in; None: accounts do not count here. webhooks: which URLs they may have.
    """
    tokens = TokenAuthentication(store, access, accounts=hand_ins is not None)
    feeds = Feeds(store, streams, hand_ins.jobs if hand_ins else 1)
    operations = [
        *LeagueOperations(store, leagues, feeds).operations(),
        *EntryOperations(store, leagues).operations(),
        *MatchOperations(store, rankings, replays, searches).operations(),
        *BotOperations(store).operations(),
        *token_operations(),
        *HandInOperations(store, tokens, feeds, hand_ins).operations(),
        *WebhookOperations(store, tokens, webhooks).operations(),
    ]
    return Starlette(
        routes=[*_routes(operations, Dispatcher(tokens)), _document(operations)],
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


def _document(operations: list[Operation]) -> Route:
    content = msgspec.json.encode(openapi(operations))

    def answer(_request: Request) -> Response:
        return Response(content, HTTPStatus.OK, {"cache-control": "no-cache"}, JSON)

    return Route(DOCUMENT, answer)
