"""Plays the leagues of a database until it is stopped.

Everything that must not be lost is in the database: a batch is drawn, leased and stored in transactions of their own.
After a kill at any moment, starting again is just starting: the leases of a runner that is gone are taken over.
"""

import math
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from logging import INFO

import trio

from arena.league.run.backlog import LeagueBacklog
from arena.league.run.batch_play import BatchPlay
from arena.league.run.idle_watch import LOOK_SECONDS, IdleWatch
from arena.league.run.league_work import LeagueWork
from arena.league.run.lease_keeper import LEASE_SECONDS, LeaseKeeper, lost_lately
from arena.league.run.live_matches import LiveMatches
from arena.league.run.note_expiry import NoteExpiry
from arena.league.run.practice_turns import PracticeTurns
from arena.league.run.quiet_hours import QuietHours
from arena.league.run.run_reports import RunReports
from arena.league.run.scheduler import LeagueScheduler, Leased
from arena.league.run.season_archives import SeasonArchives
from arena.league.run.unfit_batches import REST_SECONDS
from arena.league.store.batches import Batches
from arena.league.store.league_rows import Outcome
from arena.run.awaited_writes import AwaitedWrites, awaited_writes
from arena.run.database_retry import DatabaseRetry
from arena.run.exception_groups import unwrap_group
from arena.run.executor import WATCH_SECONDS, Executor, Local
from arena.run.hosting import Hosting
from arena.run.stop_signals import stop_signals
from arena.store import NoSuchRow, Store
from arena.store.engine.worker_name import worker_name
from arena.values.errors import ArenaError
from arena.values.rows import MatchRow, now_ms
from arena.values.server_log import Notice, log_event
from arena.values.tournament_errors import RefereeError
from referee.process.awake_clock import AwakeClock, awake_clock, run_awake

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
"""Before another attempt where referees cannot start."""

DECAY = 0.999
"""The factor by which the seconds that a league has used count less at each look, so that a new league does not have
all cores."""

UPDATE_SECONDS = 0.5
"""Between two looks at what was handed in, decided or drawn meanwhile, while batches are under way."""

FINISHING = "no more batches begin, and those under way end; Ctrl-C again stops at once"
"""What people read after the first Ctrl-C."""

CHECKS_SECONDS = 1.0
"""Between two looks for checks of hand-ins, while any is under way on this machine."""


@dataclass(slots=True)
class LeagueRun:
    """What a run has played."""

    batches: int = 0
    matches: int = 0
    decisions: int = 0
    seconds: float = 0.0
    stopped: signal.Signals | None = None
    """The signal that ended the run; None where it had nothing more to do."""


def run_leagues(runner: "LeagueRunner", jobs: int) -> LeagueRun:
    """Play leagues with up to `jobs` referees until a signal, or until all are closed.

    Raises StoreError where the database refuses, or cannot be used for an hour.
    """
    try:
        return run_awake(runner.run, jobs)
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


class LeagueRunner:
    """Plays leagues, once."""

    def __init__(
        self,
        store: Store,
        schedulers: Sequence[LeagueScheduler],
        hosting: Hosting,
        say: Callable[[str], None],
        executor: Executor | None = None,
        *,
        find: Callable[[], Sequence[LeagueScheduler]] | None = None,
        most_batches: int | None = None,
        stops_on_signals: bool = True,
        beat: Callable[[], object] = lambda: None,
        checks_here: Callable[[], int] = lambda: 0,
        quiet: QuietHours | None = None,
        note_days: int = 0,
        archives: SeasonArchives | None = None,
        live: LiveMatches | None = None,
        practice: PracticeTurns | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        """Prepare a run.

        hosting: how bots are run.
        say: is told what people should read.
        executor: where referees work; by default on this machine.
        find: returns leagues that were created meanwhile; the run then goes on without any.
        most_batches: ends the run after so many stored batches; None: no limit.
        stops_on_signals: whether it ends in good order on Ctrl-C or a polite kill; otherwise the caller cancels it.
        beat: called in each round of looking for what is new, so that others see that it goes on.
        checks_here: returns how many hand-ins are checked on this machine, to each of which a core is left.
        quiet: hours in which no batch begins.
        note_days: as `days` of `NoteExpiry`.
        archives: writes the files of seasons that have ended; None: nobody does.
        live: is told of matches under way while somebody watches, where referees run on this machine; None: nobody
            watches.
        practice: which practice leagues are played, and when; None: none is.
        clock: returns the time; by default that of the machine.
        """
        self._find = find
        self._stops_on_signals = stops_on_signals
        self._beat = beat
        self._checks_here = checks_here
        self._quiet = quiet
        self._archives = archives
        self._live = live
        self._practice = practice
        self._clock = clock or partial(datetime.now, UTC)
        self._is_quiet = False
        self._is_finishing = False
        self._store = store
        self._schedulers = {scheduler.id: scheduler for scheduler in schedulers}
        self._hosting = hosting
        self._say = say
        self._executor = executor or Local()
        self._most = most_batches
        self._name = worker_name()
        self._retry = DatabaseRetry(store, say)
        self._result = LeagueRun()
        self._failure: ArenaError | None = None
        self._awake: AwakeClock | None = None
        self._scope = trio.CancelScope()
        self._playing = trio.CancelScope()
        self._trouble: RefereeError | None = None
        self._slots = 0
        self._changed, self._checked = trio.Event(), trio.Event()
        self._backlog = LeagueBacklog(self._lease)
        self._work = LeagueWork(self._backlog, hosting, self._ended, say, self._fail, self._overran, live)
        self._leases = LeaseKeeper(store, self._retry, self._work, self._schedulers)
        writes = store.writes
        self._updates, self._offers, self._checks = IdleWatch(writes), IdleWatch(writes), IdleWatch(writes)
        self._reports = RunReports(store, self._retry, self._name)
        self._notes = NoteExpiry(store, self._retry, note_days, self._fail)

    async def run(self, jobs: int) -> LeagueRun:
        """Play with up to `jobs` referees until a signal, or until all leagues are closed."""
        patience = self._store.patience
        try:
            return await self._run(jobs)
        finally:
            self._store.patience = patience

    async def _run(self, jobs: int) -> LeagueRun:
        began = trio.current_time()
        self._awake = awake_clock()
        await self._retry.call(self._leases.take_over)
        for scheduler in self._schedulers.values():
            if self._find is not None:
                self._say_running(scheduler)
            await self._retry.call(self._update, scheduler)
        try:
            with self._scope, awaited_writes(self._store.writes) as writes:
                async with trio.open_nursery() as nursery:
                    if self._stops_on_signals:
                        nursery.start_soon(self._heed_signals)
                    nursery.start_soon(self._leases.keep)
                    nursery.start_soon(self._keep_noticing, writes)
                    nursery.start_soon(self._keep_updating)
                    nursery.start_soon(self._notes.keep)
                    if self._archives is not None:
                        nursery.start_soon(self._archives.keep)
                    if isinstance(self._executor, Local):
                        await self._leave_room(jobs)
                        nursery.start_soon(self._keep_room, jobs)
                        if self._live is not None:
                            nursery.start_soon(self._keep_watching, self._executor, self._live)
                    await self._play(jobs)
                    nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await self._leases.give_back_all()
        for scheduler in self._schedulers.values():
            await self._retry.call(scheduler.rate)
        if self._archives is not None and self._result.stopped is None:
            await self._archives.write_missing()  # of a league that was closed with its last season
        self._result.seconds = trio.current_time() - began
        if self._failure is not None:
            raise self._failure
        return self._result

    async def _play(self, jobs: int) -> None:
        """Have the executor play until the run is stopped; where referees cannot start, try again after a while."""
        pause = FIRST_PAUSE_SECONDS
        self._backlog.referees = jobs
        while not self._backlog.is_stopped:
            played = self._result.batches
            self._trouble = None
            with trio.CancelScope() as self._playing:
                await self._executor.play(self._work, jobs)
            if self._trouble is None:
                return
            with trio.CancelScope(shield=True):
                await self._leases.give_back_all()
            pause = FIRST_PAUSE_SECONDS if self._result.batches > played else min(2 * pause, LONGEST_PAUSE_SECONDS)
            for scheduler in self._schedulers.values():
                scheduler.problems.add("play", str(self._trouble))
            self._say(Notice(f"{self._trouble}; the next attempt is in {pause:.0f} s", "referees_failed"))
            await trio.sleep(pause)

    async def _heed_signals(self) -> None:
        with trio.open_signal_receiver(*stop_signals()) as received:
            async for number in received:
                is_first = self._result.stopped is None
                self._result.stopped = signal.Signals(number)
                if is_first and number == signal.SIGINT and self._work.plays and not self._retry.is_waiting:
                    self._is_finishing = True
                    self._say(FINISHING)
                    self._changed.set()
                    continue
                self._retry.stop()
                self._stop()

    def _stop(self) -> None:
        self._backlog.is_stopped = True
        self._scope.cancel()

    def _fail(self, error: ArenaError) -> None:
        """End the run with an error; where it is one of the referees, only what is under way."""
        if isinstance(error, RefereeError):
            self._trouble = error
            self._playing.cancel()
        else:
            self._failure = self._failure or error
            self._stop()

    async def _keep_noticing(self, writes: AwaitedWrites) -> None:
        """Have all who wait for something new look, as soon as anything was written."""
        while True:
            await writes.wait(math.inf)
            self._checked.set()
            if not self._work.plays:  # else it looks anyway
                self._changed.set()
            self._backlog.wake()

    async def _keep_updating(self) -> None:
        """Draw batches, enter what was accepted, and rate what was stored, until all leagues are closed."""
        try:
            while True:
                self._beat()
                self._changed = trio.Event()
                if (self._work.plays or self._updates.has_changed()) and await self._look():
                    return self._stop()
                if self._is_finishing and not self._work.plays:
                    return self._stop()
                with trio.move_on_after(UPDATE_SECONDS if self._work.plays else LOOK_SECONDS):
                    await self._changed.wait()
        except ArenaError as error:
            self._fail(error)

    async def _look(self) -> bool:
        """Take one look at all leagues; return whether all are closed, and the run is over."""
        await self._work.close_failed()
        if self._find is not None:
            await self._add_new(self._find)
        drawn = False
        for scheduler in [scheduler for scheduler in self._schedulers.values() if not scheduler.is_practice]:
            drawn |= await self._retry.call(self._update, scheduler)
            scheduler.seconds *= DECAY
        if self._practice is not None:
            others = [play for play in self._work.plays.values() if not self._schedulers[play.row.league].is_practice]
            self._practice.is_idle = not drawn and not others  # what is under way may lead to the next draw
            drawn |= await self._look_at_practice(self._practice)
        self._offers.reset()
        if drawn:
            self._backlog.wake()
        is_quiet = self._heeds_quiet()
        await self._reports.write(self._schedulers.values(), self._work.progress, is_quiet=is_quiet)
        if self._find is not None:
            self._drop_closed()
            return False
        return all(scheduler.is_over for scheduler in self._schedulers.values()) and not self._work.plays

    async def _look_at_practice(self, turns: PracticeTurns) -> bool:
        """Look at the practice leagues whose turn it is; return whether anything was drawn."""
        drawn = False
        for scheduler in await self._retry.call(turns.look, self._schedulers, list(self._work.plays.values())):
            try:
                drawn |= await self._retry.call(self._update, scheduler)
            except NoSuchRow:  # removed just now
                self._schedulers.pop(scheduler.id)
        return drawn

    async def _keep_room(self, jobs: int) -> None:
        try:
            while True:
                self._checked = trio.Event()
                await self._leave_room(jobs)
                with trio.move_on_after(LOOK_SECONDS if self._backlog.limit == math.inf else CHECKS_SECONDS):
                    await self._checked.wait()
        except ArenaError as error:
            self._fail(error)

    async def _keep_watching(self, referees: Local, live: LiveMatches) -> None:
        """Have referees report matches under way as long as somebody watches."""
        while True:
            if live.is_wanted:
                referees.watch(WATCH_SECONDS)
            live.tidy()
            await trio.sleep(WATCH_SECONDS / 2)

    async def _leave_room(self, jobs: int) -> None:
        """Leave a core to each check of a hand-in on this machine, as its owner waits, but keep one."""
        if self._backlog.limit == math.inf and not self._checks.has_changed():
            return
        checks = await self._retry.call(self._checks_here)
        before, self._backlog.limit = self._backlog.limit, max(jobs - checks, 1) if checks else math.inf
        if self._backlog.limit > before:
            self._backlog.wake()

    async def _add_new(self, find: Callable[[], Sequence[LeagueScheduler]]) -> None:
        """Play the leagues that were created meanwhile, too."""
        for scheduler in await self._retry.call(find):
            self._schedulers[scheduler.id] = scheduler
            self._say_running(scheduler)

    def _say_running(self, scheduler: LeagueScheduler) -> None:
        self._say(Notice(f"running {scheduler.name}", "league_run", level=INFO, league=scheduler.name))

    def _drop_closed(self) -> None:
        """Forget the leagues that are closed, with all that is kept for draws and ratings."""
        played = {play.row.league for play in self._work.plays.values()}
        for scheduler in list(self._schedulers.values()):
            if scheduler.is_over and scheduler.id not in played:
                del self._schedulers[scheduler.id]

    async def _lease(self, with_slow: bool) -> BatchPlay | None:
        """Lease the next batch: of the league that has used the cores least, as far as this run knows.

        with_slow: as in `LeagueScheduler.lease`.
        """
        if self._is_finishing or self._heeds_quiet() or self._has_enough() or not self._offers.has_changed():
            return None
        for scheduler in self._in_turn():
            held = [play.row.number for play in self._work.plays.values() if play.row.league == scheduler.id]
            leased = await self._retry.call(self._lease_of, scheduler, held, with_slow)
            if leased is not None:
                self._offers.reset()
                self._slots += 1
                if self._practice is not None:
                    self._practice.note_lease(scheduler)
                self._schedulers[scheduler.id] = scheduler  # its league may have been closed, and dropped, meanwhile
                hosting = replace(self._hosting, secrets=leased.secrets)
                play = BatchPlay(
                    self._slots,
                    leased.row,
                    leased.definition,
                    leased.secret,
                    hosting,
                    self._backlog,
                    self._say,
                    is_slow=bool(leased.slow),
                    slow_entries=leased.slow,
                    pace=leased.pace,
                )
                self._changed.set()
                return play
        if not with_slow:
            self._offers.reset()
        return None

    def _in_turn(self) -> list[LeagueScheduler]:
        """Return the leagues of which a batch may be leased now, in this order."""
        if self._practice is not None and not self._backlog.has_slow:
            return self._practice.in_turn(self._schedulers)
        others = [scheduler for scheduler in self._schedulers.values() if not scheduler.is_practice]
        return sorted(others, key=lambda scheduler: scheduler.seconds)

    def _has_enough(self) -> bool:
        """Return whether the last batches of a limited run are under way."""
        if self._most is None:
            return False
        under_way = sum(not play.is_closed for play in self._work.plays.values())
        return self._result.batches + under_way >= self._most

    def _heeds_quiet(self) -> bool:
        """Return whether these are quiet hours, and say when they begin and end."""
        is_quiet = self._quiet is not None and self._quiet.contains(self._clock())
        if is_quiet != self._is_quiet and self._quiet is not None:
            until = f"no batch begins before {self._quiet.end:%H:%M}"
            self._say(f"quiet hours: {until}" if is_quiet else "quiet hours are over")
        self._is_quiet = is_quiet
        return is_quiet

    def _lease_of(self, scheduler: LeagueScheduler, held: list[int], with_slow: bool) -> Leased | None:
        now, until = now_ms(-lost_lately(self._awake)), now_ms(LEASE_SECONDS)
        return scheduler.lease(self._name, now, until, held, with_slow=with_slow)

    def _update(self, scheduler: LeagueScheduler) -> bool:
        return scheduler.update(lost_lately(self._awake))

    async def _ended(self, play: BatchPlay) -> None:
        """Store a batch that is complete, or give back one that has failed."""
        scheduler, number = self._schedulers[play.row.league], play.row.number
        name = f"batch {number} of {scheduler.name}"
        notice = partial(Notice, league=scheduler.name, batch=number)
        if self._practice is not None:
            await self._retry.call(self._practice.note_end, scheduler, play)
        result = None if play.failed else await trio.to_thread.run_sync(play.result)
        problem = None if result is None else scheduler.start_problem(play.row, result)
        if result is None or problem is not None:
            reason, anchors = (play.failed, ()) if problem is None else (problem.sentence, problem.anchors)
            is_unfit = bool(anchors) or play.is_unfit
            outcome: Outcome = "failed" if not is_unfit or scheduler.unfit.add(number, anchors) else "released"
            rests = f"; it rests, for {REST_SECONDS:.0f} s at most" if is_unfit else ""
            sentence = f"{name} came to no result: {reason}"
            scheduler.problems.add("play", sentence)
            self._say(notice(f"{sentence}{rests}", "batch_failed"))
            await self._retry.call(Batches(self._store).give_back, play.lease, outcome, reason)
        else:
            scheduler.problems.end("play")
            scheduler.unfit.note_stored(number, play.row.entries)
            if await self._retry.call(Batches(self._store).finish, play.lease, result) is None:
                self._say(notice(f"{name} is not stored: its lease went to another runner", "lease_lost"))
            else:
                sentence = f"{name} is stored: {len(result.rows)} matches"
                log_event("batch_stored", sentence, league=scheduler.name, batch=number)
                scheduler.seconds += result.seconds
                self._count(result.rows)
        self._changed.set()

    def _overran(self, play: BatchPlay) -> None:
        """Note that a batch takes much longer than it should, so that its slow bots are in no other one meanwhile."""
        scheduler = self._schedulers[play.row.league]
        scheduler.note_overrun(play.row.number, play.unheard_of.difference(scheduler.anchors))
        log_event(
            "batch_overruns",
            f"batch {play.row.number} of {scheduler.name} takes much longer than it should: others are played beside "
            "it",
            league=scheduler.name,
            batch=play.row.number,
        )

    def _count(self, rows: Sequence[MatchRow]) -> None:
        self._result.batches += 1
        self._result.matches += len(rows)
        self._result.decisions += sum(seat.decisions for row in rows for seat in row.seats)
        if self._most is not None and self._result.batches >= self._most:
            self._stop()
