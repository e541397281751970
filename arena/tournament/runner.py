"""Plays all matches of a tournament that are not stored yet.

What is missing is the difference of two sets of numbers, so going on after anything, a Ctrl-C, a
kill, a power cut, is the same as beginning. Records are stored in the order in which they come; no
table depends on that order. What an organiser decides meanwhile, in another process, stands in the
tournament's log: where it bears upon matches under way these are given up, and all begins anew from
what is stored.
"""

import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import trio

from arena.errors import ArenaError
from arena.store import Store
from arena.store.rows import ActionRow, MatchRow, Tournament
from arena.tournament.backlog import Backlog
from arena.tournament.course import course_of
from arena.tournament.decisions import Decisions
from arena.tournament.definition import Definition
from arena.tournament.executor import Executor, Invite, Local
from arena.tournament.hosting import USUAL, Hosting
from arena.tournament.schedule import Plan
from arena.tournament.standings import results, settle, stopping
from arena.tournament.stopping import Stopping, Verdict
from arena.tournament.summary import BATCH, keep_up, summary
from arena.tournament.units import Unit, units
from arena.tournament.work import Haul, Work

LOG_SECONDS = 0.5
"""Between two looks at the log, for what an organiser has decided meanwhile."""

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
    signal that ended it early, or None. verdict: what ended it before its last round, or None. paused: the entry of the
    log by which it was paused, or None.
    """

    matches: int = 0
    decisions: int = 0
    seconds: float = 0.0
    stopped: signal.Signals | None = None
    verdict: Verdict | None = None
    paused: ActionRow | None = None


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
        self._secret = tournament.mixed
        self._began = definition
        self._tournament = tournament
        self._watcher = watcher
        self._hosting = hosting
        self._executor = executor
        self._stint = Stint()
        self._unsummed = 0
        self._failure: ArenaError | None = None
        self._said: set[str] = set()
        self._work = trio.CancelScope()
        self._read_log()

    def _read_log(self) -> None:
        """Begin anew from what is stored: the log, and the matches."""
        store = self._store
        self._decisions = Decisions.of(self._began, store.actions(self._id))
        self._definition = self._decisions.whole(self._began)
        self._tournament = store.tournament(self._id)
        self._played = store.played(self._id)
        self._withdrawn = set(store.withdrawn(self._id))
        self._course = course_of(self._definition, self._secret, self._decisions)
        self._read = partial(results, store, self._tournament)
        self._stopping = stopping(store, self._tournament, lambda: summary(self._store, self._tournament))
        self._outdated = False
        self._stint.paused = self._decisions.pause

    async def run(self, jobs: int) -> Stint:
        began = trio.current_time()
        await trio.to_thread.run_sync(keep_up, self._store, self._tournament)
        if self._stopping is not None:
            self._look(self._stopping)
        stage = 0
        while self._stint.stopped is None and self._failure is None and self._stint.paused is None:
            plan = None if self._stint.verdict is not None else self._course.plan(stage, self._read)
            if plan is not None:
                await self._play(plan, stage, jobs)
                stage += 1
            elif self._store.finish_tournament(self._id, len(self._decisions.log)):
                await trio.to_thread.run_sync(self._sum_up)
                break
            else:
                self._outdated = True
            if self._outdated:
                self._read_log()
                self._stint.verdict = None
                stage = 0
                if self._stopping is not None:
                    self._look(self._stopping)
        self._stint.seconds = trio.current_time() - began
        if self._failure is not None:
            raise self._failure
        return self._stint

    def _sum_up(self) -> None:
        """Leave behind what rankings ask of a tournament that is finished."""
        settle(self._store, self._tournament, self._stopping)
        keep_up(self._store, self._tournament, over=True)

    async def _play(self, plan: Plan, stage: int, jobs: int) -> None:
        """Play what is missing of one stage, and store it."""
        numbers = range(plan.start.match, plan.start.match + plan.matches)
        played = self._played | self._decisions.skipped(plan)
        if self._course.staged and not self._begin_leg(self._course.leg(stage, plan.start.round)):
            return
        if all(number in played for number in numbers):
            return
        self._work = trio.CancelScope()
        backlog = Backlog(self._units(stage, units(plan, played, jobs, self._store.next_phase(self._id))))
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
                        nursery.start_soon(self._heed_organiser)
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

    async def _heed_organiser(self) -> None:
        """Stop what is under way as soon as the log says something that bears upon it."""
        try:
            while True:
                await trio.sleep(LOG_SECONDS)
                known = len(self._decisions.log)
                if await trio.to_thread.run_sync(self._store.acted, self._id) > known:
                    log = await trio.to_thread.run_sync(self._store.actions, self._id)
                    if Decisions.of(self._began, log).changes(len(self._decisions.log)):
                        self._outdated = True
                        self._work.cancel()
        except ArenaError as error:
            self._fail(error)

    def _units(self, stage: int, found: Iterator[Unit]) -> Iterator[Unit]:
        """Yield units; none of a leg before the log says that it begins, and none once its field has changed."""
        try:
            for unit in found:
                if not self._begin_leg(self._course.leg(stage, next(iter(unit.left.values())).deal.round)):
                    return
                yield unit
        except ArenaError as error:
            self._fail(error)

    def _begin_leg(self, leg: int) -> bool:
        """Have the log say that a leg begins; return whether it does so with the field that is known."""
        while leg >= self._decisions.begun:
            known = self._decisions
            entry = self._store.act(self._id, "arena", "leg", {"leg": leg}, seen=len(known.log))
            log = self._store.actions(self._id) if entry is None else (*known.log, entry)
            self._decisions = Decisions.of(self._began, log)
            fields = known.playing(leg), self._decisions.playing(leg)
            if fields[0] != fields[1] or self._decisions.changes(len(known.log)):
                self._outdated = True
                return False
        return not self._outdated

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
        self._unsummed += len(rows)
        if self._unsummed >= BATCH:
            self._unsummed = 0
            keep_up(self._store, self._tournament)
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
