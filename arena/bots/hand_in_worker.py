"""Checks hand-ins: claims them from the database, has each checked in a process of its own, and stores the outcome.

Nothing is kept in memory only. A worker that is killed leaves its claim behind, and the next worker takes the hand-in
up again; a worker that is stopped returns it to the queue. Pages read the rows, so it does not matter which process
checks.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Condition, Event, Lock, Thread
from typing import Any, ParamSpec, TypeVar

from msgspec.structs import replace

from arena.bots.check_processes import CLEANUP_SECONDS, core_shares, interrupts_held, start_fork_server
from arena.bots.hand_in_check import HandInOutcome, HandInTask, PlayedPhase, run_check
from arena.bots.hand_in_limits import DEFAULT_DAYS, DEFAULT_MB, LeagueLimits
from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_queue import QUICK_SECONDS
from arena.bots.hand_in_rows import ACCEPTED, BUSY, ClaimedHandIn, HandInEnd, HandInStep
from arena.bots.hand_in_space import HandInSpace
from arena.bots.hand_in_workers import HandInWorkerRow, HandInWorkers, machine_equipment
from arena.bots.hand_ins import HandIns, recheck_sentence
from arena.bots.intake import IntakeResult
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.store import Store, StoreUnavailable
from arena.store.engine.worker_name import worker_name
from arena.store.people.submissions import SubmissionRow
from arena.values.definition import TimeControl
from arena.values.rows import utc_now
from arena.values.server_log import Notice, log_event, log_format, report_bug
from referee.process.awake_clock import AwakeClock

LEASE_SECONDS = 60.0
"""How long a claim holds unless it is renewed; after that another worker takes over."""

RENEW_SECONDS = 3.0
"""Between two renewals, each of which notices that the hand-in was cancelled."""

GRACE_SECONDS = 3 * RENEW_SECONDS
"""How long claims hold that ran out in a pause of the machine, or as its clock was set: their workers live."""

POLL_SECONDS = 1.0
"""Between two attempts to use a database that cannot be used."""

LOOK_SECONDS = 10.0
"""Between two looks at a queue while nothing is written to the database: pauses end, leases run out."""

REPORT_SECONDS = 20.0
"""Between two reports that it checks, and between two looks at what servers have."""

DROP_SECONDS = 3600.0
"""Between two looks for files that were kept for long enough."""

STOP_POLL_SECONDS = 0.2
"""Between two looks whether the worker is to stop, while a check is under way."""

CHECK_SECONDS = 1800.0
"""How long a check may take beside its build, unless limits are longer than usual.

Its steps have limits of their own; this one is for our mistakes.
"""

CORES_OF_CHECK = 2
"""For each so many cores a hand-in is checked, unless the organiser says otherwise: leagues and pages have the rest."""

FEWEST_JOBS = 2
"""How many are checked side by side at least: the check of a bot that thinks takes minutes, and quick ones pass it."""

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")


def usual_jobs(cores: int) -> int:
    """Return how many hand-ins a machine with so many cores checks side by side, unless the organiser says."""
    return max(FEWEST_JOBS, cores // CORES_OF_CHECK)


class HandInWorker:
    """Checks hand-ins in the background, from `start` to `close`.

    jobs: how many hand-ins are checked side by side; 0: others check them.
    per_day: how many an author may hand in on a day (UTC); None: no limit.
    space: the disk that there is for their files.
    places: where they are in the queue.
    """

    def __init__(
        self,
        store: Store,
        hosting: Hosting,
        terms: BuildTerms,
        say: Callable[[str], None],
        *,
        jobs: int = 1,
        per_day: int | None = None,
        megabytes: int = DEFAULT_MB,
        refused_days: int = DEFAULT_DAYS,
        limits: TimeControl | None = None,
        is_server: bool = True,
        league_limits: Callable[[Store, int | None], tuple[LeagueLimits, ...]] | None = None,
        clock: AwakeClock | None = None,
    ) -> None:
        """Prepare it.

        hosting, terms: how bots are run and built.
        megabytes: what the files of hand-ins take at most.
        refused_days: how long those of hand-ins are kept that were refused.
        say: called with what the organiser should know.
        limits: how long bots may take to start and to get ready, unless a league that they would enter grants more;
            None: as usual.
        is_server: whether it belongs to a server; otherwise it checks nothing as long as this machine lacks what
            servers have, and grants bots what they do.
        league_limits: returns what leagues grant, all of them or the one with a number; None: there are none.
        clock: the one of this program, which beats from `start` to `close`; None: it has one of its own.
        """
        self._store = store
        self._hosting = hosting
        self._terms = terms
        self._say = say
        self.jobs = jobs
        self.per_day = per_day
        self.space = HandInSpace(megabytes, refused_days)
        self.places = HandInPlaces(store)
        self._limits = limits or TimeControl()
        self._is_server = is_server
        self._equipment: tuple[str, ...] = ()
        self._problem = ""
        self._began = utc_now()
        self._reported = Event()
        self._drops_at = 0.0
        self._league_limits = league_limits
        self._stopped = Event()
        self._news = 0
        self._told = Condition()
        self._threads: list[Thread] = []
        self._busy = 0
        self._lock = Lock()
        self._owns_clock = clock is None
        self._clock = clock or AwakeClock()

    def start(self) -> None:
        """Begin to check what waits, and what will be handed in."""
        if self._owns_clock:
            self._clock.start()
        if self.jobs:
            start_fork_server()
        self._equipment = machine_equipment(self._terms)
        self._threads.append(Thread(target=self._keep_reporting, name="hand-ins-report", daemon=True))
        for number, cores in enumerate(core_shares(self.jobs, CORES_OF_CHECK) if self.jobs else ()):
            is_kept = number == 0 and self.jobs > 1  # for quick hand-ins, so that slow ones never hold all workers
            self._threads.append(Thread(target=self._work, args=(cores, is_kept), name="hand-ins", daemon=True))
        for thread in self._threads:
            thread.start()

    def is_alive(self) -> bool:
        """Return whether it checks what is handed in, as far as it is to."""
        return bool(self._threads) and all(thread.is_alive() for thread in self._threads)

    def notify(self) -> None:
        """Look at the queue now: something was handed in."""
        with self._told:
            self._news += 1
            self._told.notify_all()

    def close(self) -> None:
        """Stop. A check under way is ended, and its hand-in returns to the queue."""
        self._stopped.set()
        self.notify()
        for thread in self._threads:
            thread.join()
        if self._threads:
            if self._owns_clock:
                self._clock.stop()
            with suppress(StoreUnavailable):  # then it is silent, and counts as gone
                HandInWorkers(self._store).remove(worker_name())

    def check_next(self, cores: tuple[int, ...] = (), *, quick: bool = False) -> bool:
        """Check the next hand-in; return False if none waits.

        cores: those on which it is checked; none: on all.
        quick: pass over slow ones; one that turns out to be slow gives way where all workers are busy.

        Raises StoreUnavailable if the worker is stopped while the database cannot be used.
        """
        lost = self._clock.lost_within(GRACE_SECONDS)
        claimed = self._until_possible(HandIns(self._store).claim, worker_name(), LEASE_SECONDS, lost, quick=quick)
        if claimed is None:
            return False
        granted = self._until_possible(self._terms_of_servers)
        if self._problem:  # just now: a server came up with more than this machine has
            self._until_possible(HandIns(self._store).release, claimed.claim, died=False)
            return False
        with self._counted():
            self._check(claimed, cores, granted, quick=quick)
        return True

    def _terms_of_servers(self) -> TimeControl:
        """Return how long bots may take at least, and note what servers have and this machine lacks."""
        terms = None if self._is_server else HandInWorkers(self._store).server_terms()
        lacking = "" if terms is None or not self._equipment else terms.lacking(self._equipment)
        problem = f"it checks nothing, as it lacks what the server has: {lacking}" if lacking else ""
        if problem and problem != self._problem:
            self._say(Notice(f"{problem}; install it here, and start this command again", "worker_lacks"))
        self._problem = problem
        if terms is None:
            return self._limits
        start, ready = terms.limits(self._limits)
        return replace(self._limits, start_time_ms=start, ready_time_ms=ready)

    def _keep_reporting(self) -> None:
        """Write again and again that it checks, and whether it can."""
        while not self._stopped.is_set():
            try:
                self._until_possible(self._report)
                if not self._reported.is_set():
                    self._reported.set()
                    self.notify()
            except StoreUnavailable:
                return  # stopped
            except Exception as error:  # a mistake of ours must not end the checks
                report_bug(error)
            self._stopped.wait(REPORT_SECONDS)

    def _report(self) -> None:
        self._terms_of_servers()
        now = self._clock.current_time()
        if self._is_server and now >= self._drops_at:
            with self._store.write() as connection:
                self.space.drop_old(connection)
            self._drops_at = now + DROP_SECONDS
        row = HandInWorkerRow(
            worker_name(),
            self._is_server,
            self._began,
            utc_now(),
            self.jobs,
            self._equipment,
            self._limits.start_time_ms,
            self._limits.ready_time_ms,
            self._problem,
        )
        HandInWorkers(self._store).write(row)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1

    def _check(self, claimed: ClaimedHandIn, cores: tuple[int, ...], limits: TimeControl, *, quick: bool) -> None:
        _log(claimed, "hand_in_claimed", "is checked")
        started = self._clock.current_time()
        row, content = claimed.row, claimed.content
        versions = self._until_possible(self._store.submissions.versions, row.name)
        accepted = next((known for known in versions if known.version == row.version), None)
        if accepted is not None:  # what plays is checked again, and not what it was built from
            content = self._until_possible(self._store.submissions.archive, accepted.content)
        granted: tuple[LeagueLimits, ...] = ()
        if self._league_limits is not None:
            granted = self._until_possible(self._league_limits, self._store, row.league)
        cores = cores or tuple(sorted(os.sched_getaffinity(0)))
        task = HandInTask(
            row.name,
            row.file,
            content,
            row.games,
            next(reversed(versions), None),
            self._terms,
            self._hosting,
            cores,
            log_format(),
            limits,
            granted,
            accepted,
            claimed.phases,
        )
        with _process(task) as (process, pipe):
            outcome = self._follow(claimed, process, pipe, quick=quick)
        if outcome is not None:
            duration = self._clock.current_time() - started
            self._until_possible(self._store_outcome, claimed, outcome, round(duration * 1000))

    def _work(self, cores: list[int], is_kept: bool) -> None:
        with self._store.writes.calling(self.notify):
            while not self._stopped.is_set():
                news = self._news
                try:
                    can_check = self._reported.is_set() and not self._problem
                    if can_check and self.check_next(tuple(cores), quick=is_kept):
                        continue
                except StoreUnavailable:
                    return  # stopped
                except Exception as error:  # a mistake of ours must not end the checks of all others
                    report_bug(error)
                self._await_news(news)

    def _await_news(self, known: int) -> None:
        """Wait until there is more news than is known, or it is time to look."""
        with self._told:
            self._told.wait_for(lambda: self._news != known or self._stopped.is_set(), LOOK_SECONDS)

    def _follow(
        self, claimed: ClaimedHandIn, process: BaseProcess, pipe: "Connection[Any, Any]", *, quick: bool
    ) -> HandInOutcome | None:
        """Store the steps of a check as they come; return its outcome, None if there is none."""
        hand_ins, claim = HandIns(self._store), claimed.claim
        now = started = self._clock.current_time()
        renewal, deadline = now + RENEW_SECONDS, now + self._terms.seconds + CHECK_SECONDS
        while True:
            holds = True
            if pipe.poll(STOP_POLL_SECONDS):
                try:
                    message = pipe.recv()
                except (EOFError, OSError):
                    break
                if isinstance(message, HandInOutcome):
                    return message
                if isinstance(message, HandInStep):
                    holds = self._until_possible(hand_ins.add_step, claim, message)
                elif isinstance(message, PlayedPhase):
                    holds = self._until_possible(hand_ins.keep_phase, claim, message.key, message.packed)
                else:
                    deadline += message.granted
                    games = claimed.row.games or message.games
                    holds = self._until_possible(hand_ins.begin_check, claim, games)
            if self._stopped.is_set():
                hand_ins.release(claim, died=False)
                return None
            now = self._clock.current_time()
            if now >= deadline:
                break
            if now >= renewal:
                holds = self._until_possible(hand_ins.renew, claim, LEASE_SECONDS)
                renewal = now + RENEW_SECONDS
                if quick and now - started >= QUICK_SECONDS and self._must_give_way():
                    taken_ms = round((now - started) * 1000)
                    self._until_possible(hand_ins.release, claim, died=False, taken_ms=taken_ms)
                    _log(claimed, "hand_in_gives_way", "gives way to quick ones, as its check takes long")
                    return None
            if not holds:  # it was cancelled, or another worker has it
                return None
        process.join(CLEANUP_SECONDS)
        how = "took too long" if process.exitcode is None else f"ended with exit code {process.exitcode}"
        sentence = f"the process that checks hand-in {claim.hand_in} ({claimed.row.name}) {how}"
        self._say(Notice(sentence, "check_died", hand_in=claim.hand_in, account=claimed.row.owner))
        self._until_possible(hand_ins.release, claim, died=True)
        return None

    def _must_give_way(self) -> bool:
        """Return whether a quick hand-in waits and no other worker is free to take it."""
        return self._busy >= self.jobs and self._until_possible(HandIns(self._store).has_quick)

    def _store_outcome(self, claimed: ClaimedHandIn, outcome: HandInOutcome, duration_ms: int) -> None:
        hand_ins, end = HandIns(self._store), HandInEnd(duration_ms, outcome.report)
        if outcome.version is not None:
            hand_ins.accept(claimed.claim, outcome.version, _acceptance, end)
            _log(claimed, "hand_in_accepted", "is accepted")
        elif outcome.state == BUSY:
            failed = hand_ins.postpone(claimed.claim, outcome.sentence, end)
            name, what = ("hand_in_failed", "is failed") if failed else ("hand_in_postponed", "is checked again later")
            _log(claimed, name, f"{what}: {outcome.sentence}")
        elif claimed.row.version is not None:
            self._store_recheck(claimed, outcome, end)
        else:
            hand_ins.finish(claimed.claim, outcome.state, outcome.sentence, end, outcome.same)
            _log(claimed, f"hand_in_{outcome.state}", f"is {outcome.state}")

    def _store_recheck(self, claimed: ClaimedHandIn, outcome: HandInOutcome, end: HandInEnd) -> None:
        """Store the result of a check of an accepted version, which plays on; a failure is for the organiser."""
        row = claimed.row
        assert row.version is not None
        if not HandIns(self._store).finish(claimed.claim, outcome.state, outcome.sentence, end):
            return
        if outcome.state == ACCEPTED:
            _log(claimed, "hand_in_accepted", "has passed its check again")
            return
        sentence = f"hand-in {row.id}: {row.name} {recheck_sentence(outcome.state, outcome.sentence, row.version)}"
        self._say(Notice(sentence, "recheck_failed", hand_in=row.id, account=row.owner))

    def _until_possible(
        self, function: Callable[Parameters, Value], *arguments: Parameters.args, **named: Parameters.kwargs
    ) -> Value:
        """Call a function until the database lets it. Raises StoreUnavailable once the worker is stopped."""
        is_said = False
        while True:
            try:
                return function(*arguments, **named)
            except StoreUnavailable as error:
                if not is_said:
                    self._say(
                        Notice(f"{error.problem}; hand-ins wait until it can be used again", "database_unavailable")
                    )
                is_said = True
                if self._stopped.wait(POLL_SECONDS):
                    raise


@contextmanager
def _process(task: HandInTask) -> Iterator[tuple[BaseProcess, "Connection[Any, Any]"]]:
    """Start the process of a check, and end it with the block; it removes its files first."""
    context = get_context("forkserver")
    pipe, far_end = context.Pipe(duplex=False)
    process = context.Process(target=run_check, args=(far_end, task), daemon=True)
    with interrupts_held():
        process.start()
    far_end.close()
    try:
        yield process, pipe
    finally:
        pipe.close()
        process.join(STOP_POLL_SECONDS)
        if process.is_alive() and process.pid is not None:
            with suppress(ProcessLookupError):  # it has ended just now, and who started it has reaped it
                os.kill(process.pid, signal.SIGINT)
        process.join(CLEANUP_SECONDS)
        process.kill()
        process.join()
        process.close()


def _log(claimed: ClaimedHandIn, event: str, what: str) -> None:
    number, row = claimed.claim.hand_in, claimed.row
    log_event(event, f"hand-in {number} ({row.name}) {what}", hand_in=number, account=row.owner)


def _acceptance(row: SubmissionRow) -> str:
    return IntakeResult(row, is_new=True, report=None).sentence
