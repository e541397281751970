"""How much disk the files of unfinished hand-ins may take, and what is said where there is no room for another one."""

import math
import shutil
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select

from arena.bots.hand_in_limits import DEFAULT_MB
from arena.bots.hand_in_queue import queue_places
from arena.bots.hand_in_rows import TooManyHandIns
from arena.store.engine.schema import hand_in_files

MEGABYTE = 1 << 20

RESERVE_MB = 512
"""Megabytes of the disk that hand-ins leave free, for matches and results."""

SOONEST, LATEST = 10, 600
"""Seconds after which another attempt is worth it where there is no room: at least, and at most."""


@dataclass(frozen=True, slots=True)
class HandInSpace:
    """The disk that there is for the files of unfinished hand-ins."""

    megabytes: int = DEFAULT_MB
    """What they take at most."""

    def check(self, connection: Connection, where: str, size: int) -> None:
        """Make sure that there is room for another file.

        where: the file of the database.
        size: in bytes.

        Raises TooManyHandIns.
        """
        used = connection.scalar(select(func.coalesce(func.sum(hand_in_files.c.bytes), 0))) or 0
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
