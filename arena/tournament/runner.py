"""Plays all matches of a tournament that are not stored yet.

What is missing is the difference of two sets of numbers, so going on after anything, a Ctrl-C, a
kill, a power cut, is the same as beginning. Records are stored in the order in which they come; no
table depends on that order.
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Protocol

import trio

from arena.errors import ArenaError
from arena.store import Store
from arena.store.rows import MatchRow, Tournament
from arena.tournament.backlog import Backlog
from arena.tournament.course import course_of
from arena.tournament.definition import Definition
from arena.tournament.executor import Executor, Invite, Local
from arena.tournament.hosting import USUAL, Hosting
from arena.tournament.schedule import Plan
from arena.tournament.standings import results, stopping
from arena.tournament.stopping import Stopping, Verdict
from arena.tournament.units import units
from arena.tournament.work import Haul, Work

BATCH_SECONDS = 0.1
"""How long records may wait for each other: a transaction costs as much as many rows."""


class Watcher(Protocol):
    """Who is told how it goes."""

    def stored(self, rows: Sequence[MatchRow]) -> None:
        """Learn which matches are stored now. Called in a thread of its own, one call after the other."""

    def say(self, line: str) -> None:
        """Learn something that people should read."""

    def stands(self, how: str) -> None:
        """Learn how a test or ranking that may end the tournament stands, in a few words."""


@dataclass(slots=True)
class Stint:
    """What one run has played.

    matches, decisions: stored by this run. seconds: from the first thing to the last. stopped: the
    signal that ended it early, or None. verdict: what ended it before its last round, or None.
    """

    matches: int = 0
    decisions: int = 0
    seconds: float = 0.0
    stopped: signal.Signals | None = None
    verdict: Verdict | None = None


def run(
    store: Store,
    tournament: Tournament,
    definition: Definition,
    jobs: int,
    watcher: Watcher,
    hosting: Hosting = USUAL,
    invite: Invite | None = None,
    executor: Executor | None = None,
) -> Stint:
    """Play what is missing with up to `jobs` referee processes; return when it is done or was stopped by a signal.

    hosting: how bots are run. invite: where remote bots take part, who brings them to the referee. They are then
    played by one referee, unit after unit: a bot that holds few matches at a time must not be asked by two.
    executor: where the referees work; by default on this machine.

    Raises StoreError where the database refuses, RefereeError where referees cannot work.
    """
    runner = _Runner(store, tournament, definition, watcher, hosting, executor or Local(invite))
    return trio.run(runner.run, 1 if invite is not None else jobs)


class _Runner:
    def __init__(
        self,
        store: Store,
        tournament: Tournament,
        definition: Definition,
        watcher: Watcher,
        hosting: Hosting,
        executor: Executor,
    ) -> None:
        assert tournament.id is not None
        self._store = store
        self._id = tournament.id
        self._secret = tournament.secret
        self._definition = definition
        self._watcher = watcher
        self._hosting = hosting
        self._executor = executor
        self._played = store.played(self._id)
        self._withdrawn = set(store.withdrawn(self._id))
        self._course = course_of(definition, self._secret)
        self._read = partial(results, store, tournament)
        self._stopping = stopping(store, tournament)
        self._stint = Stint()
        self._failure: ArenaError | None = None
        self._said: set[str] = set()
        self._work = trio.CancelScope()

    async def run(self, jobs: int) -> Stint:
        began = trio.current_time()
        if self._stopping is not None:
            self._look(self._stopping)
        for stage in count():
            if self._stint.stopped is not None or self._failure is not None:
                break
            plan = None if self._stint.verdict is not None else self._course.plan(stage, self._read)
            if plan is None:
                self._store.finish_tournament(self._id)
                break
            await self._play(plan, jobs)
        self._stint.seconds = trio.current_time() - began
        if self._failure is not None:
            raise self._failure
        return self._stint

    async def _play(self, plan: Plan, jobs: int) -> None:
        """Play what is missing of one stage, and store it."""
        if all(number in self._played for number in range(plan.start.match, plan.start.match + plan.matches)):
            return
        self._work = trio.CancelScope()
        backlog = Backlog(units(plan, self._played, jobs, self._store.next_phase(self._id)))
        incoming, outgoing = trio.open_memory_channel[Haul](256)
        work = Work(
            self._definition,
            self._secret,
            self._hosting,
            backlog,
            keep=incoming.send,
            withdrawn=self._withdrawn,
            say=self._say,
            fail=self._fail,
        )
        async with trio.open_nursery() as storing:
            storing.start_soon(self._keep, outgoing)
            async with incoming:
                with self._work:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._heed_signals)
                        await self._executor.play(work, jobs)
                        nursery.cancel_scope.cancel()

    async def _heed_signals(self) -> None:
        """Stop in good order on Ctrl-C, a polite kill, or the end of the terminal (but for nohup)."""
        heeded = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            heeded.append(signal.SIGHUP)
        with trio.open_signal_receiver(*heeded) as received:
            async for number in received:
                self._stint.stopped = signal.Signals(number)
                self._work.cancel()

    async def _keep(self, hauls: "trio.MemoryReceiveChannel[Haul]") -> None:
        """Store what comes until no more comes, several hauls to a transaction."""
        try:
            async for first in hauls:
                batch = [first]
                with trio.move_on_after(BATCH_SECONDS):
                    async for haul in hauls:
                        batch.append(haul)
                await trio.to_thread.run_sync(self._store_batch, batch)
                rows = [row for haul in batch for row in haul.rows]
                self._stint.matches += len(rows)
                self._stint.decisions += sum(seat.decisions for row in rows for seat in row.seats)
                if self._stopping is not None and self._stopping.add(row.number for row in rows):
                    await trio.to_thread.run_sync(self._look, self._stopping)
                    if self._stint.verdict is not None:
                        self._work.cancel()
        except ArenaError as error:
            self._fail(error)

    def _look(self, decider: Stopping) -> None:
        """Look whether what is stored ends the tournament."""
        self._stint.verdict = decider.look()
        if decider.told:
            self._watcher.stands(decider.told)

    def _store_batch(self, batch: Sequence[Haul]) -> None:
        rows = [row for haul in batch for row in haul.rows]
        outputs = [output for haul in batch for output in haul.outputs]
        strains = [strain for haul in batch for strain in haul.strains]
        if rows or outputs or strains:
            self._store.add_matches(self._id, rows, outputs, strains)
        for haul in batch:
            for entrant, reason in haul.withdrawn.items():
                self._store.mark_withdrawn(self._id, entrant, reason)
        self._watcher.stored(rows)

    def _fail(self, error: ArenaError) -> None:
        """Stop, and raise `error` once everything has ended."""
        self._failure = self._failure or error
        self._work.cancel()

    def _say(self, line: str) -> None:
        """Pass on a line once, however many referees say it."""
        if line not in self._said:
            self._said.add(line)
            self._watcher.say(line)
