"""How the runs of leagues get on: each writes it again and again, whoever watches a server reads it."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import NamedTuple

from sqlalchemy import delete, insert, or_, select, tuple_

from arena.store import Store
from arena.store.engine.schema import batches, league_runs


class BatchProgress(NamedTuple):
    """How far a batch is that a run plays."""

    batch: int
    """Its number."""
    attempt: int
    played: int
    """How many of its matches have ended."""
    expected: str | None
    """When it should end, in UTC, ISO 8601, as far as known."""


@dataclass(frozen=True, slots=True)
class LeagueRunRow:
    """What a run says of a league.

    began, heard, failing_since: times in UTC, ISO 8601.
    """

    league_id: int
    runner: str
    """The process that runs it, as `arena.store.engine.worker_name` names it."""
    began: str
    heard: str
    """When it last wrote."""
    is_quiet: bool = False
    """Whether no batch begins, as these are its quiet hours."""
    failing_since: str | None = None
    """Since when it can neither draw nor play; None while it does, or has nothing to do."""
    problem: str = ""
    """Why; empty where it can."""
    under_way: str = "[]"
    """How far the batches are that it plays: the values of `BatchProgress` of each, as JSON."""


class LeagueRuns:
    """The runs of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, league: int) -> list[LeagueRunRow]:
        """Return what the runs of a league have written last, the ones that have ended too."""
        columns = league_runs.c
        query = select(league_runs).where(columns.league_id == league).order_by(columns.began, columns.runner)
        with self._store.read() as connection:
            return [LeagueRunRow(**row._mapping) for row in connection.execute(query)]

    def progress(self, league: int) -> dict[int, BatchProgress]:
        """Return how far the batches of a league are that are played, by number, as far as their runs have told."""
        is_leased = (batches.c.league_id == league) & (batches.c.state == "leased")
        query = select(batches.c.number, batches.c.attempt, league_runs.c.under_way).where(
            is_leased, league_runs.c.league_id == league, league_runs.c.runner == batches.c.runner
        )
        with self._store.read() as connection:
            rows = connection.execute(query).all()
        reports = [(row, BatchProgress(*values)) for row in rows for values in json.loads(row.under_way)]
        return {
            row.number: report for row, report in reports if (report.batch, report.attempt) == (row.number, row.attempt)
        }

    def write(self, rows: Iterable[LeagueRunRow], forgotten: str) -> None:
        """Store what a run says of its leagues, in the place of what it said before.

        forgotten: what was heard before this moment is deleted.
        """
        values = [asdict(row) for row in rows]
        keys = [(row["league_id"], row["runner"]) for row in values]
        with self._store.write() as connection:
            is_written = tuple_(league_runs.c.league_id, league_runs.c.runner).in_(keys)
            connection.execute(delete(league_runs).where(or_(is_written, league_runs.c.heard < forgotten)))
            if values:
                connection.execute(insert(league_runs), values)
