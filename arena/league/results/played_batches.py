"""Which batches each entry of a league has played lately."""

from collections import defaultdict, deque
from threading import Lock

from arena.league.store.batches import Batches
from arena.league.store.league_rows import PlayedBatch
from arena.store import Store

KEPT = 50
"""Batches that are kept of each entry."""

MOST = 5000
"""Batches that are read at first, the newest; an entry that played in none of them is not known."""


class PlayedBatches:
    """Reads the stored batches of a league as they come; safe to be asked from several threads.

    results: the place of the newest that was read; 0: none.
    """

    def __init__(self, store: Store, league: int) -> None:
        self._store = store
        self._league = league
        self.results = 0
        self._of: dict[int, deque[PlayedBatch]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._lock = Lock()

    def update(self) -> list[PlayedBatch]:
        """Read what was stored since; return it, the oldest first."""
        with self._lock:
            limit = None if self.results else MOST
            played = Batches(self._store).played(self._league, after=self.results, limit=limit)
            for batch in played:
                for entry in batch.entries:
                    self._of[entry].append(batch)
            if played:
                self.results = played[-1].result
            return played

    def newest(self, entry: int) -> list[PlayedBatch]:
        """Return the batches that an entry played, as of the last update, the newest first."""
        with self._lock:
            return list(reversed(self._of.get(entry, ())))

    def last(self, entry: int) -> PlayedBatch | None:
        """Return the last batch that an entry played; None if it is not known."""
        return next(iter(self.newest(entry)), None)
