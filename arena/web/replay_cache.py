"""The matches that are looked at, kept ready: each is played again once, however many ask for it at the same time.

What is kept is told for as long as the store has the match as it was, and they may still look at it: its tournament
may go on after it was over, and the match be void.
"""

from collections import OrderedDict
from contextlib import suppress
from threading import Lock

from arena.errors import ArenaError
from arena.store import Store
from arena.store.rows import MatchVersion
from arena.viewer.replay import Replay
from arena.web.access import Access
from referee.engine.errors import EngineError

KEPT = 16
"""How many are kept."""


class ReplayCache:
    """Matches of a store by who looks at them; safe to be asked from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[Access, int], _CachedReplay] = OrderedDict()
        self._lock = Lock()

    def of(self, access: Access, id: int) -> Replay:
        """Return a match as somebody may have it.

        Raises MatchWithheld or NoSuchRow; UnknownGame, OptionError or RecordError if the installed rules cannot replay
        it.
        """
        edition = self._store.match_version(id)
        key = access, id
        with self._lock:
            once = self._kept.setdefault(key, _CachedReplay())
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        with once.lock:
            if once.replay is None or once.edition != edition:
                once.replay = None  # whether or not there is another
                once.replay, once.edition = Replay(access.match(self._store, id)), edition
            return once.replay

    def prepare(self, access: Access, id: int) -> None:
        """Make a match ready for who has just been sent its page; what is wrong is told when it is asked for."""
        with suppress(ArenaError, EngineError):
            self.of(access, id)


class _CachedReplay:
    """A match that is ready, or being made so by whoever holds the lock."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.replay: Replay | None = None
        self.edition: MatchVersion | None = None
