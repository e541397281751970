"""Who checks hand-ins: each program that does writes it again and again, whoever watches a server reads it.

A program on another machine may lack what the server has: a game, its version of the rules, a compiler. Bots must not
be refused for that. So servers write what they have, and a program that lacks any of it checks nothing.
"""

import shutil
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select

import arena
from arena.packs.build import BuildTerms
from arena.store import Store
from arena.store.engine.row_map import CLEANED, TUPLE, RowMap
from arena.store.engine.schema import hand_in_workers
from arena.store.engine.worker_name import is_dead
from arena.values.definition import TimeControl
from referee.engine import registry

SILENT = timedelta(minutes=1)
"""After which a program that has written nothing counts as gone."""

FORGOTTEN = timedelta(days=7)
"""After which a program that is gone is forgotten."""

PROGRAMS = ("c++", "cargo", "cc", "cmake", "g++", "go", "java", "javac", "make", "mvn", "node", "npm", "protoc", "uv")
"""The programs with which bots are built or run, as far as arena knows them."""


@dataclass(frozen=True, slots=True)
class HandInWorkerRow:
    """What a program that checks hand-ins says of itself.

    began, heard: times in UTC, ISO 8601.
    """

    worker: str
    """The process, as `arena.store.engine.worker_name` names it."""
    is_server: bool
    """Whether it is a server, whose equipment all others must have."""
    began: str
    heard: str
    """When it last wrote."""
    jobs: int
    """How many hand-ins it checks side by side."""
    equipment: tuple[str, ...]
    """What it has that checks may need, in words."""
    start_ms: int
    ready_ms: int
    """How long bots may take to start and to get ready, at least, in milliseconds."""
    problem: str = ""
    """Why it checks nothing; empty where it does."""

    def is_alive(self, now: datetime) -> bool:
        """Return whether it has written lately, and its process is not known to be dead."""
        return now - datetime.fromisoformat(self.heard) < SILENT and not is_dead(self.worker)

    def is_checking(self, now: datetime) -> bool:
        """Return whether it lives and checks hand-ins."""
        return self.jobs > 0 and not self.problem and self.is_alive(now)


class ServerTerms(NamedTuple):
    """What the checks of servers are made with."""

    equipment: frozenset[str]
    start_ms: int
    ready_ms: int

    def lacking(self, equipment: Collection[str]) -> str:
        """Return in words what is missing in some equipment; empty if nothing is."""
        return ", ".join(sorted(self.equipment.difference(equipment)))

    def limits(self, own: TimeControl) -> tuple[int, int]:
        """Return how long bots may take to start and to get ready, where own limits count, too; 0: no limit."""
        ready = (own.ready_time_ms, self.ready_ms)
        return max(own.start_time_ms, self.start_ms), max(ready) if all(ready) else 0


_ROW = RowMap(HandInWorkerRow, hand_in_workers, worker=CLEANED, equipment=TUPLE, problem=CLEANED)


class HandInWorkers:
    """The programs that check the hand-ins of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> list[HandInWorkerRow]:
        """Return what all have written last, also those that are gone; the oldest first."""
        with self._store.read() as connection:
            return _rows(connection)

    def write(self, row: HandInWorkerRow) -> None:
        """Store what a program says, in the place of what it said before, and forget what went long ago."""
        forgotten = (datetime.fromisoformat(row.heard) - FORGOTTEN).isoformat(timespec="seconds")
        is_replaced = or_(hand_in_workers.c.worker == row.worker, hand_in_workers.c.heard < forgotten)
        with self._store.write() as connection:
            connection.execute(delete(hand_in_workers).where(is_replaced))
            connection.execute(insert(hand_in_workers).values(_ROW.values(row)))

    def remove(self, worker: str) -> None:
        """Forget a program that has ended in good order."""
        with self._store.write() as connection:
            connection.execute(delete(hand_in_workers).where(hand_in_workers.c.worker == worker))

    def server_terms(self) -> ServerTerms | None:
        """Return what the servers have together that were heard last; None if none ever was.

        Also where all of them are gone: one that is restarted comes back with the same.
        """
        servers = [row for row in self.all() if row.is_server]
        if not servers:
            return None
        last = max(datetime.fromisoformat(row.heard) for row in servers)
        rows = [row for row in servers if last - datetime.fromisoformat(row.heard) < SILENT]
        rows = [row for row in rows if not is_dead(row.worker)] or rows
        equipment = frozenset(part for row in rows for part in row.equipment)
        ready = [row.ready_ms for row in rows]
        return ServerTerms(equipment, max(row.start_ms for row in rows), max(ready) if all(ready) else 0)


def checking_jobs(connection: Connection) -> list[int]:
    """Return how many hand-ins each program checks side by side; those that check none are left out."""
    now = datetime.now(UTC)
    return [row.jobs for row in _rows(connection) if row.is_checking(now)]


def machine_equipment(terms: BuildTerms) -> tuple[str, ...]:
    """Return what this machine has that checks may need, in words.

    terms: what builds may do.
    """
    games, _ = registry.installed()
    return (
        f"arena {arena.__version__}",
        "Python {}.{}".format(*sys.version_info),
        *(f"the game {game.name} with version {game.behaviour} of its rules" for game in games),
        *(f"the games {name}" for name in registry.family_names()),
        *(f"the program {name}" for name in PROGRAMS if shutil.which(name)),
        *(["the network for builds (--build-network)"] if terms.network else []),
    )


def _rows(connection: Connection) -> list[HandInWorkerRow]:
    query = select(*_ROW.columns).order_by(hand_in_workers.c.began, hand_in_workers.c.worker)
    return [_ROW.load(row) for row in connection.execute(query)]


def lanes(jobs: Sequence[int]) -> tuple[int, int]:
    """Return how many hand-ins are checked side by side, and how many of these are kept for quick ones.

    jobs: as `checking_jobs` returns it; none: as if one were checked at a time.
    """
    return sum(jobs) or 1, sum(count > 1 for count in jobs)
