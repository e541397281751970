"""Where hand-ins are in the queue, read from the database once for all who ask."""

from threading import Lock
from time import perf_counter

from arena.bots.hand_in_rows import HandInRow, QueuePlace
from arena.bots.hand_ins import HandIns
from arena.store import Store

HOLDS = 1.0
"""Seconds for which the places of a queue are shown: at a deadline hundreds of owners look at theirs."""


class HandInPlaces:
    """The places in the queue of a database. Threads may share it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._places: dict[int, QueuePlace] = {}
        self._until = 0.0

    def of(self, row: HandInRow) -> QueuePlace | None:
        """Return the place of a hand-in; None if it is finished.

        What happened to others within `HOLDS` may be missing in it.
        """
        if row.is_finished:
            return None
        with self._lock:
            place = self._places.get(row.id)
            # One that was handed in, claimed or sent back meanwhile is not what its own row says.
            if perf_counter() >= self._until or place is None or (place.place > 0) != row.is_waiting:
                self._places = HandIns(self._store).queue_places()
                self._until = perf_counter() + HOLDS
                place = self._places.get(row.id)
            return place

    def forget(self) -> None:
        """Read the places again for whoever looks next, as something has changed."""
        with self._lock:
            self._until = 0.0
