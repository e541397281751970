"""Plays a run: the iterations that are not stored yet, until all are or it is stopped."""

import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import trio

from arena.run.busy_machine import BusyMachine
from arena.run.capacity import allocate
from arena.run.database_retry import DatabaseRetry
from arena.run.dispatcher import ResultBatch
from arena.run.executor import Executor
from arena.run.hosting import Hosting
from arena.run.stop_signals import StopSource, stop_on_signals
from arena.store import Store, StoreError
from arena.store.matches.runs import HEARD_SECONDS, Run
from arena.values.errors import ArenaError
from arena.values.texts import printable
from arena_tune.course import Course
from arena_tune.errors import TuneError
from arena_tune.iteration_work import IterationBacklog, Iterations, IterationSums, IterationWork
from arena_tune.parameters import texts
from arena_tune.plan import SPSA
from arena_tune.stored_runs import IterationRow, StoredRun, TuneRuns
from referee.process.awake_clock import run_awake


@dataclass(slots=True)
class TuneResult:
    """What one process has played of a run."""

    iterations: int = 0
    matches: int = 0
    seconds: float = 0.0
    stopped: signal.Signals | None = None
    """The signal that ended it early; None if none did."""


Watch = Callable[[Course], None]
"""Called after each iteration that was told."""


def play(
    store: Store,
    stored: StoredRun,
    executor: Executor,
    jobs: int,
    hosting: Hosting,
    say: Callable[[str], None],
    watch: Watch = lambda _: None,
    busy_limit: float | None = None,
    stop_source: StopSource = stop_on_signals,
) -> TuneResult:
    """Play the iterations of a run that are missing, with up to `jobs` referees.

    executor: where the referees work.
    hosting: how the bots are run.
    say: is told what people should read.
    watch: is told of each iteration.
    busy_limit: in mode clock, after how many seconds on a machine that is too busy to give up; None: never.

    Raises TuneError where another process plays it, where its bot fails at once, or where its search has changed;
    RefereeError where referees cannot work; StoreError where the database refuses.
    """
    patience = store.patience
    try:
        runner = _Runner(store, stored, executor, hosting, say, watch, BusyMachine(busy_limit), stop_source)
        return run_awake(runner.run, jobs)
    finally:
        store.patience = patience


class _Runner:
    def __init__(
        self,
        store: Store,
        stored: StoredRun,
        executor: Executor,
        hosting: Hosting,
        say: Callable[[str], None],
        watch: Watch,
        busy: BusyMachine,
        stop_source: StopSource,
    ) -> None:
        self._runs = TuneRuns(store)
        self._stored = stored
        self._executor = executor
        self._hosting = hosting
        self._say = say
        self._watch = watch
        self._busy = busy
        self._stop_source = stop_source
        self._own_run = Run.new()
        self._retry = DatabaseRetry(store, say)
        self._result = TuneResult()
        self._failure: ArenaError | None = None
        self._scope = trio.CancelScope()
        self._has_failed = False

    async def run(self, jobs: int) -> TuneResult:
        """Play until all is stored, or it was stopped."""
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_source, self._stop)
            try:
                await self._retry.call(self._runs.begin, self._stored.id, self._own_run)
                self._stored = await self._retry.call(self._runs.load, self._stored.id)
                nursery.start_soon(self._show_life)
                await self._play(jobs)
            except ArenaError as error:
                self._fail(error)
            finally:
                with suppress(StoreError), trio.CancelScope(shield=True):  # otherwise it is gone once it has ended
                    await trio.to_thread.run_sync(self._runs.end, self._stored.id, self._own_run)
            nursery.cancel_scope.cancel()
        self._result.seconds = trio.current_time() - began
        if self._failure is not None:
            raise self._failure
        return self._result

    async def _play(self, jobs: int) -> None:
        stored = self._stored
        self._course = course = stored.course()
        if course.is_over or self._result.stopped is not None:
            return
        plan = stored.plan
        self._iterations = iterations = Iterations(
            stored.definition, plan, stored.secret, has_common_deals=plan.search != SPSA
        )
        allocation = allocate(iterations.processes, stored.definition.seats, jobs, self._executor.capacity())
        self._backlog = IterationBacklog()
        self._work = IterationWork(
            stored.definition,
            stored.secret,
            self._hosting,
            self._backlog,
            keep=self._take,
            withdrawn=set(),
            say=self._say,
            fail=self._fail,
            busy=self._busy,
            overlap=allocation.overlap,
            rotations=iterations.rotations,
            jobs=allocation.jobs,
            _failing={0, 1},  # whose failures are told here
        )
        self._begin_open()
        with self._scope:
            await self._executor.play(self._work, allocation.jobs)
        if course.is_over and self._failure is None:
            await self._retry.call(self._runs.finish, stored.id)

    def _begin_open(self) -> None:
        """Hand out the iterations that are open and not under way; close the backlog after the last."""
        for number, proposal in self._course.open():
            if number not in self._work.open:
                sums, units = self._iterations.begin(number, proposal)
                self._work.open[number] = sums
                self._backlog.add(units)
        if self._course.is_over:
            self._backlog.close()

    async def _take(self, batch: ResultBatch) -> None:
        """Add up what came, and store the iterations that are complete."""
        try:
            await self._add(batch)
        except ArenaError as error:
            self._fail(error)

    async def _add(self, batch: ResultBatch) -> None:
        touched = set[int]()
        for row in batch.rows:
            number = row.number // self._iterations.matches
            self._work.open[number].rows.append(row)
            touched.add(number)
        if batch.failures and not self._has_failed:
            self._has_failed = True
            failure = batch.failures[0]
            sums = self._work.open.get(failure.phase // self._iterations.rotations)
            what = f"{self._named(sums, failure.entrant)}: {printable(failure.last_words)}"
            if not self._stored.iterations and not self._result.iterations:
                raise TuneError(f"{what}; nothing is tuned with a bot that fails in its first matches (`arena check`)")
            self._say(f"{what}; such matches count as lost, and the run goes on")
        for number in sorted(touched):
            sums = self._work.open[number]
            if sums.is_complete:
                await self._finish(sums)

    async def _finish(self, sums: IterationSums) -> None:
        """Store an iteration, tell the search, and begin those that follow from it."""
        if not self._stored.iterations and not self._result.iterations:
            self._check_first(sums)
        wins, draws, losses = sums.counts
        row = IterationRow(sums.number, sums.proposal, sums.first_deal, wins, draws, losses, sums.result, sums.faults)
        await self._retry.call(self._runs.save, self._stored.id, row, self._own_run)
        self._result.iterations += 1
        self._result.matches += sums.matches
        self._course.finish(row.number, row.result)
        self._begin_open()
        del self._work.open[sums.number]
        self._watch(self._course)

    def _check_first(self, sums: IterationSums) -> None:
        """Raise TuneError if there is a forfeit in each match of the first iteration."""
        if all(any(seat.forfeit for seat in row.seats) for row in sums.rows):
            fault = next(fault for row in sums.rows for fault in row.faults if fault.forfeit)
            raise TuneError(
                f"{self._named(sums, None)} forfeits each match, the first by a fault of the kind {fault.kind} "
                f"({printable(fault.sentence)}): `arena match` with the same bot shows why"
            )

    def _named(self, sums: IterationSums | None, entrant: int | None) -> str:
        """Return what a bot played with, as the beginning of a sentence."""
        name = self._stored.plan.name
        if sums is None or entrant is None:
            return name
        values = sums.proposal.one if entrant == 0 else sums.proposal.other
        given = ", ".join(f"{key} = {text}" for key, text in texts(self._stored.plan.parameters, values).items())
        return f"{name} fails with {given}"

    def _stop(self, number: signal.Signals) -> None:
        self._result.stopped = number
        self._retry.stop()
        self._scope.cancel()

    async def _show_life(self) -> None:
        """Let others see that this process plays the run."""
        while True:
            await trio.sleep(HEARD_SECONDS)
            try:
                await self._retry.call(self._runs.hear, self._stored.id, self._own_run)
            except ArenaError as error:
                self._fail(error)

    def _fail(self, error: ArenaError) -> None:
        """Stop, and raise `error` once everything has ended."""
        self._failure = self._failure or error
        self._scope.cancel()
