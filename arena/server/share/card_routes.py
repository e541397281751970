"""Routes of the pictures of rankings."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from threading import Lock
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from arena.language.languages import ENGLISH, speaking
from arena.server.access import access_of, visitor_of
from arena.server.leagues import entry
from arena.server.leagues.cache import LeagueCache
from arena.server.limits.search_turns import SearchTurns
from arena.server.share import cards
from arena.server.share.cards import Card
from arena.server.share.png import PictureFailed, draws_png, png
from arena.server.tournaments.ranking_cache import RankingCache
from arena.store import Store

KINDS = ("svg", "png")
KEPT = 64
"""How many PNG files are kept."""


class _CardPictures:
    """Answers with pictures of rankings; PNG is drawn in turn and kept."""

    def __init__(self) -> None:
        self._turns = SearchTurns(most=1, own=1)
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    async def answer(self, kind: str, request: Request, card: Callable[[], Card]) -> Response:
        """Return the picture of a ranking.

        kind: "svg" or "png".
        """
        is_png = kind == "png"
        if is_png and not draws_png():
            raise HTTPException(HTTPStatus.NOT_FOUND, "this server draws no PNG: use picture.svg")
        svg = await run_sync(lambda: cards.draw(card()))
        if not is_png:
            return Response(svg, media_type="image/svg+xml")
        try:
            drawn = await self._turns.run(visitor_of(request), lambda: self._png(svg))
        except PictureFailed as error:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        return Response(drawn, media_type="image/png")

    def _png(self, svg: str) -> bytes:
        key = sha256(svg.encode()).digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        drawn = png(svg)
        with self._lock:
            self._kept[key] = drawn
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return drawn


class TournamentPictures:
    """The handler for tournaments.

    store: the open database.
    rankings: the rankings of tournaments.
    """

    def __init__(self, store: Store, rankings: RankingCache) -> None:
        self._store = store
        self._rankings = rankings
        self._pictures = _CardPictures()

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [(f"/tournaments/{{number:number}}/picture.{kind}", partial(self.tournament, kind)) for kind in KINDS]

    async def tournament(self, kind: str, request: Request) -> Response:
        """Return the picture of the ranking of a tournament."""

        def card() -> Card:
            row = self._store.tournament(request.path_params["number"])
            with speaking(ENGLISH):
                return cards.tournament_card(row, self._rankings.of(row))

        return await self._pictures.answer(kind, request, card)


class LeaguePictures:
    """The handlers for leagues.

    leagues: those that somebody sees.
    """

    def __init__(self, leagues: LeagueCache) -> None:
        self._leagues = leagues
        self._pictures = _CardPictures()

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [
            *((f"/leagues/{{league}}/picture.{kind}", partial(self.board, kind)) for kind in KINDS),
            *(
                (f"/leagues/{{league}}/entries/{{number:number}}/picture.{kind}", partial(self.entry, kind))
                for kind in KINDS
            ),
        ]

    async def board(self, kind: str, request: Request) -> Response:
        """Return the picture of a board."""
        name, access = request.path_params["league"], access_of(request)
        return await self._pictures.answer(
            kind, request, lambda: cards.board_card(self._leagues.of(name, access).view())
        )

    async def entry(self, kind: str, request: Request) -> Response:
        """Return the picture of an entry among its neighbours."""
        name, access, number = request.path_params["league"], access_of(request), request.path_params["number"]

        def card() -> Card:
            view = self._leagues.of(name, access).view()
            return cards.entry_card(view, entry.find_row(view, number))

        return await self._pictures.answer(kind, request, card)
