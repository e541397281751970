"""Analyses in idle time: of matches that somebody has opened, one at a time, within a budget for each day.

A process of its own computes; it is stopped whenever leagues play, hand-ins are checked or somebody waits for an
analysis that they asked for, and goes on afterwards. What waits is in the database: after a restart it is begun again.
"""

import os
import signal
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

import trio

from arena.record.played_rules import rules
from arena.store import Store
from arena.store.engine.errors import NoSuchRow
from arena.values.errors import ArenaError
from arena.values.rows import StoredMatch
from arena.values.server_log import report_bug
from arena_insight.analysis.analysis_process import analysis_process
from arena_insight.analysis_tasks import ChancesTask
from arena_insight.idle_queue import IdleQueue
from arena_insight.stored_chances import StoredChances, is_whole
from referee.engine.errors import EngineError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

LOOK_SECONDS = 5.0
"""Between two looks whether something is to be done, and whether the server is still idle."""

MOST_ANSWERS = 4_000
"""Matches with more answers are not analysed in idle time."""

MOST_SECONDS = 1_800.0
"""How long an analysis may run, without the time in which it is stopped."""

MOST_OPENED = 64
"""Matches that were opened since the last look; of more, the oldest are forgotten."""


class OpenedMatches:
    """The matches whose pages were opened since they were last taken; thread-safe. Nothing is noted unless it is on."""

    def __init__(self) -> None:
        self.is_on = False
        self._ids: OrderedDict[int, None] = OrderedDict()
        self._lock = Lock()

    def note(self, match: StoredMatch) -> None:
        """Note that somebody has opened a match; not one that is under way, or of a tournament that is."""
        is_over = match.tournament_id is None or match.event.finished is not None
        if not self.is_on or not is_over or len(match.row.times) > MOST_ANSWERS:
            return
        with self._lock:
            self._ids[match.id] = None
            self._ids.move_to_end(match.id)
            while len(self._ids) > MOST_OPENED:
                self._ids.popitem(last=False)

    def take(self) -> list[int]:
        """Return what was noted, and forget it."""
        with self._lock:
            ids = list(self._ids)
            self._ids.clear()
        return ids


OPENED = OpenedMatches()
"""Those of this process."""


@dataclass(slots=True)
class _Running:
    """An analysis under way."""

    pid: int = 0
    is_stopped: bool = False
    seconds: float = 0.0
    """How long it has run, without the time in which it was stopped."""


class IdleAnalyses:
    """Analyses in idle time.

    store: the open database.
    cpu_per_day: seconds of a core that they may take on each day (UTC); an analysis that was begun is finished.
    is_asked: returns whether somebody waits for an analysis that they asked for.
    matches: those that were opened.
    clock: returns the time, in UTC. seconds: returns that of a clock that is never set.
    """

    def __init__(
        self,
        store: Store,
        cpu_per_day: float,
        is_asked: Callable[[], bool],
        matches: OpenedMatches = OPENED,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._store = store
        self._queue = IdleQueue(store)
        self._cpu_per_day = cpu_per_day
        self._is_asked = is_asked
        self._matches = matches
        self._clock = clock
        self._seconds = seconds
        matches.is_on = cpu_per_day > 0

    async def run(self) -> None:
        """Analyse what was opened whenever the server is idle, until it is cancelled."""
        if not self._cpu_per_day:
            return
        waits = True  # from before the server was started, perhaps
        while True:
            taken = self._matches.take()
            waits = waits or bool(taken)
            if waits:  # an idle server that nobody looks at does not read its database for this
                try:
                    waits = await trio.to_thread.run_sync(self._look, taken)
                except Exception as error:  # must not end the work
                    report_bug(error)
            await trio.sleep(LOOK_SECONDS)

    def _look(self, taken: list[int]) -> bool:
        """Note what was opened, and analyse a match if the server is idle; return whether any waits."""
        if taken:
            self._queue.add([id for id in taken if not self._is_stored(id)])
        match = self._queue.next()
        if match is None:
            return False
        if self._can_run() and self._queue.used_seconds(self._clock()) < self._cpu_per_day:
            self._analyse(match)
        return True

    def _can_run(self) -> bool:
        return not self._is_asked() and self._queue.is_idle()

    def _is_stored(self, id: int) -> bool:
        """Return whether a match needs no analysis: it has one, or is gone."""
        try:
            match = self._store.match(id)
            return is_whole(StoredChances(self._store).best(match, None, rules(match).game.behaviour))
        except (NoSuchRow, ArenaError, EngineError):
            return True

    def _analyse(self, match: int) -> None:
        """Analyse a match in a process of its own, and store the result; a cancelled one is begun again later."""
        if self._is_stored(match):
            self._queue.remove(match)
            return
        task, running = ChancesTask(self._store, match, None), _Running()
        failed = True
        try:
            work, arguments = task.prepare()
            with analysis_process(work, *arguments, started=lambda pid: setattr(running, "pid", pid)) as pipe:
                result = self._follow(pipe, running)
            if result is not None:
                task.keep(result)
                failed = False
        except trio.Cancelled:
            self._queue.add_use(self._clock(), running.seconds)
            raise
        except (ArenaError, EngineError):
            pass  # it cannot be analysed: nobody has asked for it, and it is not tried again
        self._queue.add_use(self._clock(), running.seconds)
        self._queue.remove(match, failed=failed)

    def _follow(self, pipe: "Connection[Any, Any]", running: _Running) -> Any:
        """Wait for the result, and stop the process while the server is not idle; None if there is no result."""
        before = self._seconds()
        looked = before
        while running.seconds < MOST_SECONDS:
            trio.from_thread.check_cancelled()
            has_come = pipe.poll(0.2)
            now = self._seconds()
            if not running.is_stopped:
                running.seconds += now - before
            before = now
            if now - looked >= LOOK_SECONDS:
                looked = now
                self._stop(running, not self._can_run())
            if not has_come:
                continue
            try:
                kind, *values = pipe.recv()
            except EOFError:
                return None
            if kind == "result":
                return values[0]
            if kind == "failed":
                return None
        return None

    @staticmethod
    def _stop(running: _Running, is_stopped: bool) -> None:
        """Stop the process, or have it go on."""
        if running.pid and is_stopped != running.is_stopped:
            with suppress(ProcessLookupError):
                os.kill(running.pid, signal.SIGSTOP if is_stopped else signal.SIGCONT)
            running.is_stopped = is_stopped
