"""Routes of the pictures of rankings."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import Response

from arena.hooks.specifications import Routes
from arena.server.access import access_of
from arena.server.leagues import entry
from arena.server.leagues.cache import LeagueCache
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store
from arena_share import cards
from arena_share.cards import Card
from arena_share.pictures import KINDS, PictureCache, refuse_undrawable
from arena_share.png import png


class RankingRoutes:
    """The handlers.

    store: the database as those see it for whom the pictures are.
    rankings: the rankings of tournaments.
    leagues: those that somebody sees.
    pictures: those that were drawn.
    """

    def __init__(self, store: Store, rankings: RankingCache, leagues: LeagueCache, pictures: PictureCache) -> None:
        self._store = store
        self._rankings = rankings
        self._leagues = leagues
        self._pictures = pictures

    def routes(self) -> Routes:
        """Return the routes as path, handler and method."""
        pages = (
            ("/tournaments/{number:number}", self.tournament),
            ("/leagues/{league}", self.board),
            ("/leagues/{league}/entries/{number:number}", self.entry),
        )
        return [(f"{page}/picture.{kind}", partial(handler, kind), "GET") for page, handler in pages for kind in KINDS]

    async def tournament(self, kind: str, request: Request) -> Response:
        """Return the picture of the ranking of a tournament."""

        def card() -> Card:
            row = self._store.tournament(request.path_params["number"])
            return cards.tournament_card(row, self._rankings.of(row))

        return await self._answer(kind, request, card)

    async def board(self, kind: str, request: Request) -> Response:
        """Return the picture of a board."""
        name, access = request.path_params["league"], access_of(request)
        return await self._answer(kind, request, lambda: cards.board_card(self._leagues.of(name, access).view()))

    async def entry(self, kind: str, request: Request) -> Response:
        """Return the picture of an entry among its neighbours."""
        name, access, number = request.path_params["league"], access_of(request), request.path_params["number"]

        def card() -> Card:
            view = self._leagues.of(name, access).view()
            return cards.entry_card(view, entry.find_row(view, number))

        return await self._answer(kind, request, card)

    async def _answer(self, kind: str, request: Request, card: Callable[[], Card]) -> Response:
        refuse_undrawable(kind)
        svg = await run_sync(lambda: cards.draw(card()))
        if kind == "svg":
            return Response(svg, media_type=KINDS[kind])
        return await self._pictures.answer(request, kind, sha256(svg.encode()).digest, lambda: png(svg))
