"""Routes of the pictures of matches, and of what others show in frames."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.replay.picture.animation import NoSuchRound
from arena.server.access import access_of, visitor_of
from arena.server.matches.replay_cache import ReplayCache
from arena.server.matches.replay_routes import FAR, number_in_query
from arena.server.share import embed
from arena.server.share.pictures import PictureCache
from arena.server.share.png import PictureFailed, draws_png
from arena.server.share.previews import moment_of
from arena.store import Store


class ShareRoutes:
    """The handlers.

    store: the open database.
    replays: recent replays.
    """

    def __init__(self, store: Store, replays: ReplayCache) -> None:
        self._store = store
        self._pictures = PictureCache(store, replays)

    def routes(self) -> list[tuple[str, Callable[[Request], Any]]]:
        """Return the routes as path and handler."""
        return [
            ("/matches/{id:number}/picture.svg", self.svg),
            ("/matches/{id:number}/picture.png", self.png),
            ("/matches/{id:number}/round.svg", self.round),
            ("/embed/matches/{id:number}", self.embed),
        ]

    async def round(self, request: Request) -> Response:
        """Return a round of a match as animated SVG: `round` is its number, from 1."""
        number, seat = number_in_query(request, "round", FAR), moment_of(request).seat
        access, id = access_of(request), request.path_params["id"]
        try:
            drawn = await self._pictures.of_round(visitor_of(request), access, id, number, seat)
        except NoSuchRound as error:
            raise HTTPException(HTTPStatus.NOT_FOUND, str(error)) from error
        return Response(drawn, media_type="image/svg+xml")

    def embed(self, request: Request) -> Response:
        """Return a replay for a frame of another page."""
        match = access_of(request).match(self._store, request.path_params["id"])
        return HTMLResponse(embed.show(match))

    async def svg(self, request: Request) -> Response:
        """Return the table of a match at a moment as SVG."""
        return Response(await self._picture(request, is_png=False), media_type="image/svg+xml")

    async def png(self, request: Request) -> Response:
        """Return the same as PNG, where that can be drawn."""
        if not draws_png():
            raise HTTPException(HTTPStatus.NOT_FOUND, "this server draws no PNG: use picture.svg")
        try:
            drawn = await self._picture(request, is_png=True)
        except PictureFailed as error:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        return Response(drawn, media_type="image/png")

    async def _picture(self, request: Request, *, is_png: bool) -> bytes:
        access, id = access_of(request), request.path_params["id"]
        return await self._pictures.of(visitor_of(request), access, id, moment_of(request), is_png=is_png)
