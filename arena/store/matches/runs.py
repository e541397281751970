"""Which process plays a tournament, so that no other one plays it as well.

A process that plays writes its name and, again and again, the time. It counts as gone once it is known to be dead or,
where that cannot be known, once nothing was heard of it for `SILENCE_SECONDS`. So nobody has to remove a lock.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from arena.store.engine.errors import NoSuchRow
from arena.store.engine.schema import events, runs
from arena.store.engine.worker_name import host_and_process, is_alive, worker_name
from arena.values.rows import now_ms

HEARD_SECONDS = 10.0
"""Between two signs of life."""

SILENCE_SECONDS = 60.0
"""After which a process of another machine counts as gone: longer than a busy machine or database keeps it waiting."""


class Run(NamedTuple):
    """A process that plays a tournament."""

    worker: str
    """The name of the process."""
    began: str
    """When it began, in UTC, as ISO 8601 with microseconds."""

    @classmethod
    def new(cls) -> Self:
        """Return a run of this process that begins now."""
        return cls(worker_name(), datetime.now(UTC).isoformat(timespec="microseconds"))

    def __str__(self) -> str:
        """Return who that is, for people."""
        host, process = host_and_process(self.worker)
        return f"process {process} of {host}, since {self.began[:19]} UTC"


class Runs:
    """The processes that play tournaments, as `Store.runs`."""

    def __init__(
        self,
        read: Callable[[], AbstractContextManager[Connection]],
        write: Callable[[], AbstractContextManager[Connection]],
    ) -> None:
        self._read = read
        self._write = write

    def current(self, tournament: int) -> Run | None:
        """Return who plays a tournament; None if nobody does who lives."""
        with self._read() as connection:
            return _current(connection, _event(connection, tournament))

    def begin(self, tournament: int, run: Run) -> Run | None:
        """Note that a run begins; if another lives, change nothing and return that. To repeat it changes nothing."""
        with self._write() as connection:
            event = _event(connection, tournament)
            found = _current(connection, event)
            if found is None:
                connection.execute(delete(runs).where(runs.c.event_id == event))
                values = {"event_id": event, "worker": run.worker, "began": run.began, "heard_ms": now_ms()}
                connection.execute(insert(runs).values(values))
            return None if found == run else found

    def hear(self, tournament: int, run: Run) -> bool:
        """Note that a run lives; return whether it is still the one that plays the tournament."""
        with self._write() as connection:
            heard = update(runs).where(_is_run(_event(connection, tournament), run)).values(heard_ms=now_ms())
            return connection.execute(heard).rowcount > 0

    def end(self, tournament: int, run: Run) -> None:
        """Note that a run is over."""
        with self._write() as connection:
            connection.execute(delete(runs).where(_is_run(_event(connection, tournament), run)))


def _event(connection: Connection, tournament: int) -> int:
    """Return the key of a tournament's event, and lock its row where a write would not lock the whole database."""
    query = select(events.c.id).where(events.c.tournament == tournament).with_for_update(key_share=True)
    event = connection.scalar(query)
    if event is None:
        raise NoSuchRow(f"there is no tournament {tournament}")
    return int(event)


def _is_run(event: int, run: Run) -> ColumnElement[bool]:
    return (runs.c.event_id == event) & (runs.c.worker == run.worker) & (runs.c.began == run.began)


def _current(connection: Connection, event: int) -> Run | None:
    row = connection.execute(select(runs).where(runs.c.event_id == event)).first()
    if row is None or not is_living(run := Run(row.worker, row.began), row.heard_ms):
        return None
    return run


def is_living(run: Run, heard_ms: int) -> bool:
    """Return whether a run is not over.

    heard_ms: when it was last heard of, in milliseconds since 1970.
    """
    lives = is_alive(run.worker) if run.worker != worker_name() else None
    return abs(now_ms() - heard_ms) < SILENCE_SECONDS * 1000 if lives is None else lives
