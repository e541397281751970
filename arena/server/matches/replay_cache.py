"""A cache of replays: each match is replayed once, even if several threads request it at the same time.

A cached replay is used only while the stored match is unchanged and the visitor may still see it: its tournament may
have been continued since, or the match voided.
"""

from collections import OrderedDict
from contextlib import suppress
from threading import Lock

from arena.replay.replay import Replay
from arena.server.access import Access
from arena.store import Store
from arena.values.errors import ArenaError
from arena.values.rows import MatchVersion
from referee.engine.errors import EngineError

KEPT = 16
"""The number of cached replays."""


class ReplayCache:
    """Replays by access and match; thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[Access, int], _CachedReplay] = OrderedDict()
        self._lock = Lock()

    def of(self, access: Access, id: int) -> Replay:
        """Return the replay of a match, without what the visitor may not see.

        Raises MatchWithheld or NoSuchRow; UnknownGame, OptionError or RecordError if the installed rules cannot replay
        it.
        """
        access.check_practice(self._store, id)
        version = self._store.match_version(id)
        key = access, id
        with self._lock:
            entry = self._kept.setdefault(key, _CachedReplay())
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        with entry.lock:
            if entry.replay is None or entry.version != version:
                entry.replay = None  # drop the outdated replay even if the new one fails
                entry.replay, entry.version = Replay(access.match(self._store, id)), version
            return entry.replay

    def prepare(self, access: Access, id: int) -> None:
        """Replay a match whose page was just sent; errors are reported by the next request."""
        with suppress(ArenaError, EngineError):
            self.of(access, id)


class _CachedReplay:
    """A cache entry; the thread that holds its lock computes the replay."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.replay: Replay | None = None
        self.version: MatchVersion | None = None
