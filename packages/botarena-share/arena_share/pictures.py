"""Pictures that were drawn, in turn and kept: whoever asks for thousands of them waits, and nobody else does."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from http import HTTPStatus
from threading import Lock

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from arena.server.access import visitor_of
from arena.server.limits.search_turns import SearchTurns
from arena_share.png import PictureFailed, draws_png

KINDS = {"svg": "image/svg+xml", "png": "image/png"}
"""The media types of pictures, by suffix."""

KEPT_BYTES = 16_000_000
"""Of all pictures that are kept."""


class PictureCache:
    """Pictures by what they show, the last that were asked for; thread-safe."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        self._turns = SearchTurns(most=1, own=1)

    async def answer(
        self, request: Request, kind: str, key: Callable[[], Hashable], draw: Callable[[], bytes]
    ) -> Response:
        """Return a picture that is kept, or draw it and keep it, once it is the turn of whoever asks.

        kind: "svg" or "png".
        key: returns all that the picture depends on, or raises why there is none for whoever asks.

        Raises HTTPException where it cannot be drawn.
        """
        refuse_undrawable(kind)
        try:
            drawn = await self._turns.run(visitor_of(request), lambda: self.of((kind, key()), draw))
        except PictureFailed as error:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        return Response(drawn, media_type=KINDS[kind])

    def of(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """Return a picture that is kept, or draw it and keep it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        drawn = draw()
        with self._lock:
            self._bytes += len(drawn) - len(self._kept.pop(key, b""))
            self._kept[key] = drawn
            while self._bytes > KEPT_BYTES:
                self._bytes -= len(self._kept.popitem(last=False)[1])
        return drawn


def refuse_undrawable(kind: str) -> None:
    """Raise HTTPException if pictures of a kind cannot be drawn here."""
    if kind == "png" and not draws_png():
        raise HTTPException(HTTPStatus.NOT_FOUND, "this server draws no PNG: use picture.svg")
