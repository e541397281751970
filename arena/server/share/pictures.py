"""Pictures of matches, drawn in turn and kept: whoever asks for thousands of them waits, and nobody else does."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from arena.language.languages import LANGUAGE
from arena.replay.picture.animation import animation
from arena.replay.picture.picture import Moment, picture
from arena.replay.replay import Replay
from arena.server.access import Access
from arena.server.limits.search_turns import SearchTurns
from arena.server.matches.replay_cache import ReplayCache
from arena.server.share.png import png
from arena.store import Store
from arena.values.rows import MatchVersion

KEPT_BYTES = 16_000_000
"""Of all pictures that are kept."""


class _Key(NamedTuple):
    access: Access
    match: int
    moment: Moment
    language: str
    is_png: bool
    round: int | None = None


class PictureCache:
    """Pictures of matches by access and moment; thread-safe.

    store: the database as those see it for whom the pictures are.
    replays: recent replays.
    """

    def __init__(self, store: Store, replays: ReplayCache) -> None:
        self._store = store
        self._replays = replays
        self._kept: OrderedDict[_Key, tuple[MatchVersion, bytes]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        self._turns = SearchTurns(most=1, own=1)

    async def of_round(self, visitor: str, access: Access, id: int, number: int, seat: int | None) -> bytes:
        """Return a round of a match as animated SVG, once it is the turn of a visitor.

        Raises what `ReplayCache.of` does, and NoSuchRound.
        """

        def draw(replay: Replay) -> bytes:
            return animation(replay, number, seat).encode()

        key = _Key(access, id, Moment(seat=seat), LANGUAGE.get(), is_png=False, round=number)
        return await self._turns.run(visitor, lambda: self._kept_or(key, draw))

    async def of(self, visitor: str, access: Access, id: int, moment: Moment, *, is_png: bool) -> bytes:
        """Return the picture of a match at a moment, once it is the turn of a visitor.

        Raises what `ReplayCache.of` does, and PictureFailed.
        """
        return await self._turns.run(visitor, lambda: self._of(access, id, moment, is_png))

    def _of(self, access: Access, id: int, moment: Moment, is_png: bool) -> bytes:
        def draw(replay: Replay) -> bytes:
            svg = picture(replay, moment)
            return png(svg) if is_png else svg.encode()

        return self._kept_or(_Key(access, id, moment, LANGUAGE.get(), is_png), draw)

    def _kept_or(self, key: _Key, draw: Callable[[Replay], bytes]) -> bytes:
        """Return a picture that is kept, or draw it and keep it."""
        key.access.check_practice(self._store, key.match)
        version = self._store.match_version(key.match)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept[0] == version:
                self._kept.move_to_end(key)
                return kept[1]
        drawn = draw(self._replays.of(key.access, key.match))
        with self._lock:
            self._keep(key, version, drawn)
        return drawn

    def _keep(self, key: _Key, version: MatchVersion, drawn: bytes) -> None:
        before = self._kept.pop(key, None)
        self._bytes += len(drawn) - (len(before[1]) if before else 0)
        self._kept[key] = version, drawn
        while self._bytes > KEPT_BYTES:
            _, (_version, oldest) = self._kept.popitem(last=False)
            self._bytes -= len(oldest)
