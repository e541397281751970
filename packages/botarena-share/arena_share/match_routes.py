"""Routes of the pictures of matches, and of what others show in frames."""

from collections.abc import Hashable
from functools import partial
from http import HTTPStatus
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.hooks.specifications import Routes
from arena.language.languages import LANGUAGE
from arena.replay.picture.animation import NoSuchRound, animation
from arena.replay.picture.picture import Moment, picture
from arena.server.access import Access, access_of
from arena.server.matches.replay_cache import ReplayCache
from arena.server.matches.replay_routes import FAR, number_in_query
from arena.store import Store
from arena.values.rows import MatchVersion
from arena_share import embed
from arena_share.pictures import KINDS, PictureCache
from arena_share.png import png
from arena_share.previews import moment_of

EMBED = "/embed/"
"""With what the paths of pages for frames begin."""


class _Shown(NamedTuple):
    """What a picture of a match depends on."""

    access: Access
    match: int
    version: MatchVersion
    moment: Moment
    language: str
    round: int | None = None


class MatchRoutes:
    """The handlers.

    store: the database as those see it for whom the pictures are.
    replays: recent replays.
    pictures: those that were drawn.
    """

    def __init__(self, store: Store, replays: ReplayCache, pictures: PictureCache) -> None:
        self._store = store
        self._replays = replays
        self._pictures = pictures

    def routes(self) -> Routes:
        """Return the routes as path, handler and method."""
        return [
            *(("/matches/{id:number}/picture." + kind, partial(self.picture, kind), "GET") for kind in KINDS),
            ("/matches/{id:number}/round.svg", self.round, "GET"),
            (EMBED + "matches/{id:number}", self.embed, "GET"),
        ]

    def embed(self, request: Request) -> Response:
        """Return a replay for a frame of another page."""
        match = access_of(request).match(self._store, request.path_params["id"])
        return HTMLResponse(embed.show(match))

    async def picture(self, kind: str, request: Request) -> Response:
        """Return the table of a match at a moment."""
        access, id, moment = access_of(request), request.path_params["id"], moment_of(request)

        def draw() -> bytes:
            svg = picture(self._replays.of(access, id), moment)
            return png(svg) if kind == "png" else svg.encode()

        return await self._pictures.answer(request, kind, lambda: self._shown(access, id, moment), draw)

    async def round(self, request: Request) -> Response:
        """Return a round of a match as animated SVG: `round` is its number, from 1."""
        number, moment = number_in_query(request, "round", FAR), Moment(seat=moment_of(request).seat)
        access, id = access_of(request), request.path_params["id"]

        def draw() -> bytes:
            return animation(self._replays.of(access, id), number, moment.seat).encode()

        try:
            return await self._pictures.answer(request, "svg", lambda: self._shown(access, id, moment, number), draw)
        except NoSuchRound as error:
            raise HTTPException(HTTPStatus.NOT_FOUND, str(error)) from error

    def _shown(self, access: Access, id: int, moment: Moment, round: int | None = None) -> Hashable:
        """Return what a picture depends on. Raises what `ReplayCache.of` does."""
        access.check_practice(self._store, id)
        return _Shown(access, id, self._store.match_version(id), moment, LANGUAGE.get(), round)
