"""How much disk the files of hand-ins may take, and what is said where there is no room for another one.

Files of hand-ins that were refused, or could not be checked, are kept for a while, so that they can be checked again.
They have the room that those leave that wait: the oldest go first.
"""

import math
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, delete, func, select

from arena.bots.hand_in_limits import DEFAULT_DAYS, DEFAULT_MB
from arena.bots.hand_in_queue import queue_places
from arena.bots.hand_in_rows import UNFINISHED, TooManyHandIns
from arena.store.engine.schema import hand_in_files, hand_ins

MEGABYTE = 1 << 20

RESERVE_MB = 512
"""Megabytes of the disk that hand-ins leave free, for matches and results."""

SOONEST, LATEST = 10, 600
"""Seconds after which another attempt is worth it where there is no room: at least, and at most."""


@dataclass(frozen=True, slots=True)
class HandInSpace:
    """The disk that there is for the files of hand-ins."""

    megabytes: int = DEFAULT_MB
    """What they take at most."""
    days: int = DEFAULT_DAYS
    """How long those of hand-ins are kept that were refused."""

    def check(self, connection: Connection, where: str, size: int) -> None:
        """Make sure that there is room for another file.

        where: the file of the database.
        size: in bytes.

        Raises TooManyHandIns.
        """
        of_hand_in = hand_ins.c.id == hand_in_files.c.hand_in
        waiting = select(func.sum(hand_in_files.c.bytes)).join(hand_ins, of_hand_in)
        used = connection.scalar(waiting.where(hand_ins.c.state.in_(UNFINISHED))) or 0
        if used + size > self.megabytes * MEGABYTE:
            seconds = _seconds_to_room(connection)
            raise TooManyHandIns(
                f"the hand-ins that wait for their check fill the {self.megabytes:,} MB that this server keeps for "
                f"them: try again in {_words(seconds)}, when more of them are checked",
                seconds,
            )
        free = free_bytes(connection, where)
        if free is not None and free - size < RESERVE_MB * MEGABYTE:
            raise TooManyHandIns(
                f"the disk of this server is nearly full ({free // MEGABYTE:,} MB are free): tell the organiser, "
                f"and try again in {_words(LATEST)}",
                LATEST,
            )
        self._make_room(connection, self.megabytes * MEGABYTE - size)

    def drop_old(self, connection: Connection) -> None:
        """Drop the files of hand-ins that ended longer ago than they are kept."""
        last = (datetime.now(UTC) - timedelta(days=self.days)).isoformat(timespec="seconds")
        old = select(hand_ins.c.id).join(hand_in_files, hand_in_files.c.hand_in == hand_ins.c.id)
        old = old.where(hand_ins.c.state.not_in(UNFINISHED), hand_ins.c.ended <= last)
        connection.execute(delete(hand_in_files).where(hand_in_files.c.hand_in.in_(old)))

    def _make_room(self, connection: Connection, most: int) -> None:
        """Drop files of finished hand-ins, those that ended first, until all take no more than `most` bytes."""
        excess = (connection.scalar(select(func.sum(hand_in_files.c.bytes))) or 0) - most
        if excess <= 0:
            return
        finished = select(hand_ins.c.id, hand_in_files.c.bytes).join(
            hand_in_files, hand_in_files.c.hand_in == hand_ins.c.id
        )
        finished = finished.where(hand_ins.c.state.not_in(UNFINISHED)).order_by(hand_ins.c.ended, hand_ins.c.id)
        dropped = []
        for id, size in connection.execute(finished):
            if excess <= 0:
                break
            dropped.append(id)
            excess -= size
        connection.execute(delete(hand_in_files).where(hand_in_files.c.hand_in.in_(dropped)))


def free_bytes(connection: Connection, where: str) -> int | None:
    """Return the free bytes of the disk of a database; None where a server has it.

    where: the file of the database.
    """
    if connection.dialect.name != "sqlite":
        return None
    return shutil.disk_usage(Path(where).absolute().parent).free


def _seconds_to_room(connection: Connection) -> int:
    """Return the seconds until the next check is expected to end."""
    places = queue_places(connection).values()
    soonest = min((place.seconds for place in places if place.seconds is not None), default=LATEST / 10)
    return min(max(math.ceil(soonest), SOONEST), LATEST)


def _words(seconds: int) -> str:
    return f"{seconds} seconds" if seconds < 120 else f"{round(seconds / 60)} minutes"
