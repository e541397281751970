"""Routes of the list of bots, of their pages and of process failures."""

from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.server.access import access_of, visitor_of
from arena.server.bots import bot, bot_list, failures
from arena.server.bots.elo_history_cache import EloHistoryCache
from arena.server.leagues.cache import LeagueCache
from arena.server.limits.search_turns import SearchTurns
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store


class BotRoutes:
    """The handlers. Starlette runs the synchronous ones in threads, because the store blocks.

    store: the open database.
    rankings: the rankings of tournaments.
    leagues: the leagues as they were read last.
    searches: the turns of searches.
    """

    def __init__(self, store: Store, rankings: RankingCache, leagues: LeagueCache, searches: SearchTurns) -> None:
        self._store = store
        self._rankings = rankings
        self._leagues = leagues
        self._searches = searches
        self._elo_histories = EloHistoryCache(store)

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [("/failures", self.failures), ("/bots", self.bots), ("/bots/{name:path}", self.bot)]

    def failures(self, request: Request) -> Response:
        """Return the list of process failures."""
        return HTMLResponse(failures.show(self._store, access_of(request), dict(request.query_params)))

    def bots(self, request: Request) -> Response:
        """Return the list of bots."""
        return HTMLResponse(bot_list.show(self._store, request.query_params.get("name", "")))

    async def bot(self, request: Request) -> Response:
        """Return the page of a bot."""
        show = partial(
            bot.show,
            self._store,
            self._rankings,
            self._elo_histories,
            self._leagues,
            request.path_params["name"],
            access_of(request),
        )
        return HTMLResponse(await self._searches.run(visitor_of(request), show))
