"""Runs in a database: how they were begun, their iterations, and which process plays them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from arena.store import Store
from arena.store.engine.errors import NoSuchRow, StoreError
from arena.store.matches.runs import SILENCE_SECONDS, Run, is_living
from arena.values.definition import Definition
from arena.values.rows import now_ms, utc_now
from arena_tune.course import Course
from arena_tune.errors import TuneError
from arena_tune.parameters import Values
from arena_tune.plan import TunePlan
from arena_tune.searches import new_search
from arena_tune.spsa import Proposal
from arena_tune.tables import TABLES, tune_iterations, tune_runs


@dataclass(frozen=True, slots=True)
class IterationRow:
    """A finished iteration.

    wins, draws, losses: of the first bot, in matches.
    """

    number: int
    proposal: Proposal
    first_deal: int
    wins: int
    draws: int
    losses: int
    result: float
    """Wins less losses; where more than two play, by pairs of seats."""
    faults: int
    """Of both bots."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of a database."""

    id: int
    created: str
    finished: str | None
    game: str
    definition: Definition
    """Of the matches of an iteration: its field are the two bots, with placeholders in their commands."""
    plan: TunePlan
    secret: bytes
    seed: str | None
    iterations: tuple[IterationRow, ...]
    """Those that have ended, by their numbers."""
    player: Run | None
    """The process that plays it; None if none does."""

    def course(self) -> Course:
        """Return its search as it stands after the stored iterations.

        Raises TuneError if that is not the search that they were played by, ExtraMissing without its library.
        """
        course = Course(new_search(self.plan, self.secret), self.plan.iterations, self.plan.side_by_side)
        for row in self.iterations:
            if dict(course.open()).get(row.number) != row.proposal:
                raise TuneError(
                    f"iteration {row.number + 1} of run {self.id} was played with other values than its search gives "
                    "now: go on with the version of arena and its libraries that began it, or begin a new run"
                )
            course.finish(row.number, row.result)
        return course


class TuneRuns:
    """The runs of a database. Their tables are made when the first is stored."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, game: str, definition: Definition, plan: TunePlan, secret: bytes, seed: int | None) -> int:
        """Store a run before its first iteration, and return its number, from 1."""
        TABLES.make_in(self._store)
        with self._store.write(numbers=True) as connection:
            number = 1 + (connection.scalar(select(func.max(tune_runs.c.id))) or 0)
            row = {
                "id": number,
                "created": utc_now(),
                "game": game,
                "definition": definition.text,
                "plan": plan.to_text(),
                "secret": secret.hex(),
                "seed": None if seed is None else str(seed),
                "worker": "",
                "began": "",
                "heard_ms": 0,
            }
            connection.execute(insert(tune_runs).values(row))
        return number

    def load(self, number: int) -> StoredRun:
        """Return a run. Raises NoSuchRow if there is none, StoreError where it cannot be read."""
        if TABLES.are_in(self._store):
            with self._store.read() as connection:
                row = connection.execute(select(tune_runs).where(tune_runs.c.id == number)).first()
                if row is not None:
                    found = select(tune_iterations).where(tune_iterations.c.run_id == number)
                    iterations = connection.execute(found.order_by(tune_iterations.c.number)).all()
                    return _stored_run(row, iterations, self._store.where)
        raise NoSuchRow(f"the database {self._store.where} has no run {number}: arena tune list lists them")

    def all(self) -> list[StoredRun]:
        """Return all runs, by their numbers."""
        if not TABLES.are_in(self._store):
            return []
        with self._store.read() as connection:
            numbers = connection.execute(select(tune_runs.c.id).order_by(tune_runs.c.id)).scalars().all()
        return [self.load(number) for number in numbers]

    def save(self, number: int, row: IterationRow, run: Run) -> None:
        """Store a finished iteration, once. Raises TuneError where another process has taken the run over."""
        with self._store.write() as connection:
            if _current(connection, number) != run:
                raise TuneError(f"another process has taken over run {number}: this one was not heard of for too long")
            values = {
                "run_id": number,
                "number": row.number,
                "signs": "".join("+" if sign > 0 else "-" for sign in row.proposal.signs),
                "one": json.dumps(row.proposal.one),
                "other": json.dumps(row.proposal.other),
                "first_deal": row.first_deal,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "result": row.result,
                "faults": row.faults,
                "ended": utc_now(),
            }
            key = (tune_iterations.c.run_id == number) & (tune_iterations.c.number == row.number)
            connection.execute(delete(tune_iterations).where(key))  # of an attempt that nobody heard the end of
            connection.execute(insert(tune_iterations).values(values))
            connection.execute(update(tune_runs).where(tune_runs.c.id == number).values(heard_ms=now_ms()))

    def finish(self, number: int) -> None:
        """Note that all iterations of a run have ended."""
        with self._store.write() as connection:
            connection.execute(update(tune_runs).where(tune_runs.c.id == number).values(finished=utc_now()))

    def begin(self, number: int, run: Run) -> None:
        """Note that a process plays a run. Raises TuneError where another does; to repeat it changes nothing."""
        with self._store.write() as connection:
            other = _current(connection, number)
            if other is not None and other != run:
                raise TuneError(
                    f"run {number} is being played by {other}: wait until it is finished, or stop that process, which "
                    "loses the iterations under way alone; if it was killed on another machine, it counts as gone "
                    f"after {SILENCE_SECONDS:.0f} s"
                )
            values = {"worker": run.worker, "began": run.began, "heard_ms": now_ms()}
            connection.execute(update(tune_runs).where(tune_runs.c.id == number).values(values))

    def hear(self, number: int, run: Run) -> None:
        """Note that the process lives."""
        with self._store.write() as connection:
            mine = (tune_runs.c.id == number) & (tune_runs.c.worker == run.worker) & (tune_runs.c.began == run.began)
            connection.execute(update(tune_runs).where(mine).values(heard_ms=now_ms()))

    def end(self, number: int, run: Run) -> None:
        """Note that the process plays it no more."""
        with self._store.write() as connection:
            mine = (tune_runs.c.id == number) & (tune_runs.c.worker == run.worker) & (tune_runs.c.began == run.began)
            connection.execute(update(tune_runs).where(mine).values(worker=""))


def _current(connection: Connection, number: int) -> Run | None:
    """Return which process plays a run, and lock its row where a write would not lock the whole database."""
    query = select(tune_runs.c.worker, tune_runs.c.began, tune_runs.c.heard_ms).where(tune_runs.c.id == number)
    row = connection.execute(query.with_for_update()).first()
    return None if row is None else _living(*row)


def _living(worker: str, began: str, heard_ms: int) -> Run | None:
    """Return who plays a run; None if nobody does who lives."""
    run = Run(worker, began)
    return run if worker and is_living(run, heard_ms) else None


def _stored_run(row: Row[Any], iterations: Sequence[Row[Any]], where: str) -> StoredRun:
    """Return a run from its rows. Raises StoreError for what no version wrote."""
    try:
        definition, plan = Definition.read(json.loads(row.definition)), TunePlan.from_text(row.plan)
        return StoredRun(
            row.id,
            row.created,
            row.finished,
            row.game,
            definition,
            plan,
            bytes.fromhex(row.secret),
            row.seed,
            tuple(map(_iteration, iterations)),
            _living(row.worker, row.began, row.heard_ms),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"run {row.id} of {where} cannot be read ({error}): restore it from a backup") from None


def _iteration(row: Row[Any]) -> IterationRow:
    signs = tuple(1 if sign == "+" else -1 for sign in row.signs)
    proposal = Proposal(_values(row.one), _values(row.other), signs)
    return IterationRow(row.number, proposal, row.first_deal, row.wins, row.draws, row.losses, row.result, row.faults)


def _values(text: str) -> Values:
    return tuple(float(value) for value in json.loads(text))
