"""Plays all matches of a tournament that are not stored yet.

What is missing is the difference of two sets of numbers, so going on after anything, a Ctrl-C, a
kill, a power cut, is the same as beginning. Records are stored in the order in which they come; no
table depends on that order. What an organiser decides meanwhile, in another process, stands in the
tournament's log: where it bears upon matches under way these are given up, and all begins anew from
what is stored.

Where the database cannot be used for a while, records wait in memory and what it did not do is tried again
(`database_retry`); once too many wait, no more matches are handed out.
"""

import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import trio

from arena.plan.decisions import Decisions
from arena.plan.formats import format_of
from arena.plan.schedule import Plan
from arena.run.backlog import Backlog
from arena.run.busy_machine import BusyMachine
from arena.run.capacity import allocate
from arena.run.database_retry import DatabaseRetry
from arena.run.dispatcher import Live, ResultBatch, StageWork
from arena.run.executor import WATCH_SECONDS, Executor, Invite, Local
from arena.run.hosting import USUAL, Hosting
from arena.run.played_tournament import PlayedTournament
from arena.run.record_buffer import RecordBuffer
from arena.run.startup_check import Startup
from arena.run.stop_signals import StopSource, stop_on_signals
from arena.run.work_units import WorkUnit, rounds_together, units
from arena.store import StoreError, StoreUnavailable
from arena.store.matches.runs import HEARD_SECONDS, SILENCE_SECONDS, Run
from arena.store.matches.summaries import BATCH
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import DecisionRow, MatchRow, VerdictRow
from arena.values.tournament_errors import PlayedError
from referee.process.awake_clock import run_awake

LOG_SECONDS = 0.5
"""Between two looks at the log, for what an organiser has decided meanwhile."""

FINISHING = "no more matches begin, and those under way end; Ctrl-C again stops at once"
"""What people read after the first Ctrl-C."""

BATCH_SECONDS = 0.1
"""How long records may wait for each other: a transaction costs as much as many rows."""


class Watcher(Protocol):
    """Who is told how it goes."""

    def stored(self, rows: Sequence[MatchRow]) -> None:
        """Learn which matches are stored now. Called in a thread of its own, one call after the other."""

    def failed(self, rows: Sequence[ProcessFailureRow]) -> None:
        """Learn which processes of bots failed, as is stored now. Called as `stored` is, before it."""

    def say(self, line: str) -> None:
        """Learn something that people should read."""

    def recount(self, stored: int) -> None:
        """Learn how many matches are stored, after some were void."""

    def stands(self, how: str) -> None:
        """Learn how the tournament stands, in a few words: which stage is played, or how a test that may end it is."""


@dataclass(slots=True)
class RunResult:
    """What one run has played.

    matches, decisions: how many this run has stored.
    """

    matches: int = 0
    decisions: int = 0
    seconds: float = 0.0
    """The time from its first moment to its last, in seconds."""
    stopped: signal.Signals | None = None
    """The signal that ended it early; None if none did."""
    verdict: VerdictRow | None = None
    """What ended the tournament before its last round; None if nothing did."""
    paused: DecisionRow | None = None
    """The entry of the log by which the tournament was paused; None if it was not."""


def run(
    tournament: PlayedTournament,
    definition: Definition,
    jobs: int,
    watcher: Watcher,
    hosting: Hosting = USUAL,
    invite: Invite | None = None,
    executor: Executor | None = None,
    busy_limit: float | None = None,
    stop_source: StopSource = stop_on_signals,
    *,
    lets_matches_end: bool = False,
    live: Live | None = None,
) -> RunResult:
    """Play what is missing with up to `jobs` referee processes; return when it is done or was stopped by a signal.

    hosting: how bots are run.
    invite: where remote bots take part, who brings them to the referee. They are then played by one referee, unit after
        unit: a bot that holds few matches at a time must not be asked by two.
    executor: where the referees work; by default on this machine.
    busy_limit: in mode clock, after how many seconds on a machine that is too busy for fair clocks to give up; None:
        never.
    stop_source: what stops it; signals reach only the main thread.
    lets_matches_end: whether a first Ctrl-C ends the run only once the matches under way are over; a second one, and
        any other signal, ends it at once.
    live: is called with the rows of matches under way, as far as they are, once a second at most, where referees run on
        this machine; None: nobody watches.

    Raises StoreError where the database refuses, or cannot be used for an hour, RefereeError where referees cannot
    work, PlayedError where another process plays the tournament.
    """
    store, patience = tournament.store, tournament.store.patience
    try:
        busy = BusyMachine(busy_limit)
        chosen = executor or Local(invite)
        runner = _Runner(tournament, definition, watcher, hosting, chosen, busy, stop_source, lets_matches_end, live)
        return run_awake(runner.run, 1 if invite is not None else jobs)
    finally:
        store.patience = patience


def refuse_second_run(tournament: int, other: Run | None) -> None:
    """Raise PlayedError if another process plays a tournament."""
    if other is not None:
        raise PlayedError(
            f"tournament {tournament} is being played by {other}: wait until it is finished, or stop that process, "
            f"which loses nothing; if it was killed on another machine, it counts as gone after {SILENCE_SECONDS:.0f} s"
        )


class _Runner:
    def __init__(
        self,
        tournament: PlayedTournament,
        definition: Definition,
        watcher: Watcher,
        hosting: Hosting,
        executor: Executor,
        busy: BusyMachine,
        stop_source: StopSource,
        lets_matches_end: bool,
        live: Live | None,
    ) -> None:
        self._store = store = tournament.store
        self._id = tournament.id
        self._secret = tournament.row.mixed_secret
        self._began = definition
        self._tournament = tournament
        self._watcher = watcher
        self._hosting = hosting
        self._executor = executor
        self._busy = busy
        self._stop_source = stop_source
        self._lets_matches_end = lets_matches_end
        self._live = live
        self._is_finishing = False
        self._backlog: Backlog | None = None
        """The units of the stage under way; None between stages."""
        self._result = RunResult()
        self._unsummed = 0
        self._failure: ArenaError | None = None
        self._said: set[str] = set()
        self._work = trio.CancelScope()
        self._records = RecordBuffer()
        self._own_run = Run.new()
        self._retry = DatabaseRetry(store, watcher.say)

    def _read_log(self) -> None:
        """Begin anew from what is stored: the log, and the matches."""
        self._tournament = tournament = self._tournament.reload()
        self._decisions = Decisions.of(self._began, tournament.log)
        self._definition = self._decisions.apply(self._began)
        self._played = self._store.played(self._id)
        self._withdrawn = set(self._store.withdrawn(self._id))
        self._format = format_of(self._definition, self._secret, self._decisions)
        self._stop_monitor = tournament.run_monitor()
        self._outdated = False
        self._result.paused = self._decisions.pause

    async def run(self, jobs: int) -> RunResult:
        """Play until all is stored, or it was stopped, which it may be as long as it waits for the database, too."""
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_source, self._stop)
            try:
                await self._begin_run()
                nursery.start_soon(self._show_life)
                await self._run(jobs)
            except ArenaError as error:
                self._fail(error)
            finally:
                with suppress(StoreError):  # then this process counts as gone once it has ended
                    self._store.runs.end(self._id, self._own_run)
            nursery.cancel_scope.cancel()
        self._result.seconds = trio.current_time() - began
        if self._failure is not None:
            raise self._failure
        return self._result

    async def _begin_run(self) -> None:
        """Become the one that plays the tournament. Raises PlayedError where another does, and changes nothing then."""
        refuse_second_run(self._id, await self._retry.call(self._store.runs.begin, self._id, self._own_run))
        await self._retry.call(self._read_log)
        self._startup = Startup(self._definition.field, self._withdrawn, played=bool(self._played))

    async def _run(self, jobs: int) -> None:
        """Play one stage after the other."""
        await self._retry.call(self._tournament.summarise)
        await self._look()
        stage = 0
        while self._result.stopped is None and self._failure is None and self._result.paused is None:
            plan = None
            if self._result.verdict is None:
                plan = await self._retry.call(self._format.plan, stage, self._tournament.results)
            if plan is not None:
                await self._play(plan, stage, jobs)
                stage += 1
            elif await self._retry.call(self._store.finish_tournament, self._id, len(self._decisions.log)):
                await self._retry.call(self._sum_up)
                break
            else:
                self._outdated = True
            if self._outdated:
                await self._retry.call(self._read_log)
                self._watcher.recount(len(self._played))
                self._result.verdict = None
                stage = 0
                await self._look()

    def _sum_up(self) -> None:
        """Leave behind what rankings ask of a tournament that is finished."""
        tournament = self._tournament.reload()
        tournament.save_verdict(self._stop_monitor.evaluate if self._stop_monitor else None)
        tournament.summarise(is_over=True)

    async def _play(self, plan: Plan, stage: int, jobs: int) -> None:
        """Play what is missing of one stage, and store it."""
        numbers = range(plan.offset.match, plan.offset.match + plan.matches)
        played = self._played | self._decisions.skipped(plan)
        if self._is_finishing and not all(number in played for number in numbers):
            self._result.stopped = signal.SIGINT
            return
        if self._format.is_multi_stage and not await self._begin_leg(self._format.leg_of(stage, plan.offset.round)):
            return
        if all(number in played for number in numbers):
            return
        if name := await self._retry.call(self._format.stage_name, stage, self._tournament.results):
            self._watcher.stands(name)
        self._work = trio.CancelScope()
        if not self._goes_on:
            return
        first = await self._retry.call(self._store.next_phase, self._id)
        allocation = allocate(plan.processes, plan.seats, jobs, self._executor.capacity())
        jobs = allocation.jobs
        together = rounds_together(self._definition)
        order = units(plan, played, jobs, first, allocation.most_bots, together)
        backlog = Backlog(order, partial(self._begin_unit, stage))
        self._records = RecordBuffer()
        work = StageWork(
            self._definition,
            self._secret,
            self._hosting,
            backlog,
            keep=self._records.put,
            withdrawn=self._withdrawn,
            say=self._say,
            fail=self._fail,
            busy=self._busy,
            overlap=allocation.overlap,
            live=self._live,
        )
        async with trio.open_nursery() as storing:
            storing.start_soon(self._keep)
            try:
                self._backlog = backlog
                if self._is_finishing:  # since this stage was planned
                    backlog.close()
                with self._work:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._heed_organiser)
                        if self._live is not None and isinstance(self._executor, Local):
                            nursery.start_soon(self._keep_watching, self._executor)
                        await self._executor.play(work, jobs)
                        nursery.cancel_scope.cancel()
            finally:
                self._backlog = None
                self._records.close()
        if self._is_finishing and self._goes_on:
            self._played = await self._retry.call(self._store.played, self._id)
            if not all(number in self._played or number in played for number in numbers):
                self._result.stopped = signal.SIGINT

    @property
    def _goes_on(self) -> bool:
        """Whether neither a signal nor an error ends the run at once."""
        return self._result.stopped is None and self._failure is None

    def _stop(self, number: signal.Signals) -> None:
        is_first = number == signal.SIGINT and self._lets_matches_end and not self._is_finishing
        if is_first and not self._retry.is_waiting:
            self._is_finishing = True
            if self._backlog is not None:
                self._backlog.close()
            self._watcher.say(FINISHING)
            return
        self._result.stopped = number
        self._retry.stop()
        self._work.cancel()

    async def _show_life(self) -> None:
        """Let others see that this process plays the tournament, and stop if another one took it over."""
        try:
            await trio.sleep(HEARD_SECONDS)
            while await self._retry.call(self._store.runs.hear, self._id, self._own_run):
                await trio.sleep(HEARD_SECONDS)
            raise PlayedError(
                f"another process has taken tournament {self._id} over, as nothing was heard of this one for "
                f"{SILENCE_SECONDS:.0f} s; what is stored is kept"
            )
        except ArenaError as error:
            self._fail(error)

    async def _heed_organiser(self) -> None:
        """Stop what is under way as soon as the log says something that bears upon it."""
        try:
            while True:
                await trio.sleep(LOG_SECONDS)
                known = len(self._decisions.log)
                if await self._retry.call(self._store.decision_count, self._id) > known:
                    log = await self._retry.call(self._store.decisions, self._id)
                    if Decisions.of(self._began, log).affects_running_matches(len(self._decisions.log)):
                        self._outdated = True
                        self._work.cancel()
        except ArenaError as error:
            self._fail(error)

    async def _keep_watching(self, referees: Local) -> None:
        """Have referees report matches under way."""
        while True:
            referees.watch(WATCH_SECONDS)
            await trio.sleep(WATCH_SECONDS / 2)

    async def _begin_unit(self, stage: int, unit: WorkUnit) -> bool:
        """Have the log say that the leg of a unit begins; return whether the unit may be played.

        None may of a leg before the log says so, and none once its field has changed.
        """
        try:
            return await self._begin_leg(self._format.leg_of(stage, next(iter(unit.left.values())).deal.round))
        except ArenaError as error:
            self._fail(error)
            return False

    async def _begin_leg(self, leg: int) -> bool:
        """Have the log say that a leg begins; return whether it does so with the field that is known."""
        if leg < self._decisions.next_leg:
            return not self._outdated
        return await self._retry.call(self._note_leg, leg)

    def _note_leg(self, leg: int) -> bool:
        while leg >= self._decisions.next_leg:
            known = self._decisions
            entry = self._store.append_decision(self._id, "arena", "leg", {"leg": leg}, seen=len(known.log))
            log = self._store.decisions(self._id) if entry is None else (*known.log, entry)
            self._decisions = Decisions.of(self._began, log)
            fields = known.participants(leg), self._decisions.participants(leg)
            if fields[0] != fields[1] or self._decisions.affects_running_matches(len(known.log)):
                self._outdated = True
                return False
        return not self._outdated

    async def _keep(self) -> None:
        """Store batches until the buffer is closed, several to a transaction."""
        try:
            while batches := await self._records.take(BATCH_SECONDS):
                if ready := self._startup.release(batches):
                    await self._take(ready)
                self._records.stored(batches)
                if self._startup.error is not None:
                    raise self._startup.error
            if self._result.stopped is None and (rest := self._startup.release_all()):
                await self._take(rest)
        except StoreError as error:
            self._fail(self._unstored(error))
        except ArenaError as error:
            self._fail(error)

    async def _take(self, batches: Sequence[ResultBatch]) -> None:
        """Store what came, and look whether it ends the tournament."""
        await self._retry.call(self._store_batches, batches)
        rows = [row for batch in batches for row in batch.rows]
        await trio.to_thread.run_sync(self._watcher.stored, rows)
        self._result.matches += len(rows)
        self._result.decisions += sum(seat.decisions for row in rows for seat in row.seats)
        if self._stop_monitor is not None and self._stop_monitor.add(row.number for row in rows):
            await self._look()
            if self._result.verdict is not None:
                self._work.cancel()

    def _unstored(self, error: StoreError) -> StoreError:
        """Return the error that ends the tournament, with what becomes of the matches that wait in memory."""
        count = self._records.matches
        if not count:
            return error
        lost = f"{count:,} finished {'match is' if count == 1 else 'matches are'} not stored and will be played again"
        if isinstance(error, StoreUnavailable):
            return StoreUnavailable(f"{error.problem}; {lost}", error.remedy)
        return StoreError(f"{error}; {lost}")

    async def _look(self) -> None:
        """Look whether what is stored ends the tournament."""
        monitor = self._stop_monitor
        if monitor is not None:
            self._result.verdict = await self._retry.call(monitor.evaluate)
            if monitor.status:
                self._watcher.stands(monitor.status)

    def _store_batches(self, batches: Sequence[ResultBatch]) -> None:
        rows = [row for batch in batches for row in batch.rows]
        outputs = [row for batch in batches for row in batch.outputs]
        contention = [row for batch in batches for row in batch.contention]
        failures = [row for batch in batches for row in batch.failures]
        if rows or outputs or contention or failures:
            self._store.add_matches(self._id, rows, outputs, contention, failures)
        for batch in batches:
            for entrant, reason in batch.withdrawn.items():
                self._store.mark_withdrawn(self._id, entrant, reason)
        if self._unsummed + len(rows) >= BATCH:
            self._tournament.summarise()
            self._unsummed = 0
        else:
            self._unsummed += len(rows)
        if failures:
            self._watcher.failed(failures)

    def _fail(self, error: ArenaError) -> None:
        """Stop, and raise `error` once everything has ended."""
        self._failure = self._failure or error
        self._work.cancel()

    def _say(self, line: str) -> None:
        """Pass on a line once, however many referees say it."""
        if line not in self._said:
            self._said.add(line)
            self._watcher.say(line)
