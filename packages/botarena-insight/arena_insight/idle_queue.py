"""The matches that wait to be analysed in idle time, and what that has used on a day, in the database."""

from collections.abc import Sequence
from datetime import datetime
from time import time

from sqlalchemy import delete, func, insert, select, update

from arena.bots.hand_in_queue import IS_UNDER_WAY, next_waiting
from arena.store import Store
from arena.store.engine.schema import batches, hand_ins
from arena.values.rows import utc_now
from arena_insight.tables import IDLE_TABLES, idle_use, opened

MOST_WAITING = 64
"""Matches that wait; where more are opened, those that were opened longest ago go."""


class IdleQueue:
    """The queue of a database. Its tables are made when the first match is added."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, matches: Sequence[int]) -> None:
        """Add matches that somebody has opened just now; those that failed stay as they are."""
        IDLE_TABLES.make_in(self._store)
        now = utc_now()
        with self._store.write() as connection:
            for match in matches:
                again = update(opened).where(opened.c.match_id == match).values(opened=now)
                if not connection.execute(again).rowcount:
                    connection.execute(insert(opened).values(match_id=match, opened=now, failed=0))
            newest = select(opened.c.match_id).order_by(opened.c.opened.desc(), opened.c.match_id).limit(MOST_WAITING)
            kept = connection.scalars(newest).all()
            connection.execute(delete(opened).where(opened.c.match_id.not_in(kept)))

    def next(self) -> int | None:
        """Return the match that was opened last; None if none waits."""
        if not IDLE_TABLES.are_in(self._store):
            return None
        query = select(opened.c.match_id).where(opened.c.failed == 0)
        with self._store.read() as connection:
            return connection.scalar(query.order_by(opened.c.opened.desc(), opened.c.match_id).limit(1))

    def count(self) -> int:
        """Return how many matches wait."""
        if not IDLE_TABLES.are_in(self._store):
            return 0
        with self._store.read() as connection:
            return connection.scalar(select(func.count()).select_from(opened).where(opened.c.failed == 0)) or 0

    def remove(self, match: int, *, failed: bool = False) -> None:
        """Take a match out.

        failed: its analysis failed: it is remembered, so that it is not tried again.
        """
        of_match = opened.c.match_id == match
        with self._store.write() as connection:
            change = update(opened).where(of_match).values(failed=1) if failed else delete(opened).where(of_match)
            connection.execute(change)

    def used_seconds(self, now: datetime) -> float:
        """Return what analyses in idle time have used of a core on a day."""
        if not IDLE_TABLES.are_in(self._store):
            return 0.0
        of_day = select(idle_use.c.used_ms).where(idle_use.c.day == now.date().isoformat())
        with self._store.read() as connection:
            return (connection.scalar(of_day) or 0) / 1000

    def add_use(self, now: datetime, seconds: float) -> None:
        """Add to what they have used on a day; days before are forgotten."""
        day, used = now.date().isoformat(), round(1000 * seconds)
        with self._store.write() as connection:
            connection.execute(delete(idle_use).where(idle_use.c.day != day))
            add = update(idle_use).where(idle_use.c.day == day).values(used_ms=idle_use.c.used_ms + used)
            if not connection.execute(add).rowcount:
                connection.execute(insert(idle_use).values(day=day, used_ms=used))

    def is_idle(self) -> bool:
        """Return whether no league plays a batch, and no hand-in waits or is checked."""
        leased = (batches.c.state == "leased") & (batches.c.lease_until > 1000 * time())
        with self._store.read() as connection:
            is_playing = connection.scalar(select(batches.c.number).where(leased).limit(1)) is not None
            is_checking = connection.scalar(select(hand_ins.c.id).where(IS_UNDER_WAY).limit(1)) is not None
            return not is_playing and not is_checking and next_waiting(connection) is None
