"""Plays all matches of a tournament that are not stored yet.

What is missing is the difference of two sets of numbers, so going on after anything, a Ctrl-C, a
kill, a power cut, is the same as beginning. Records are stored in the order in which they come; no
table depends on that order.
"""

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Protocol

import trio

from arena.errors import ArenaError
from arena.store import Store
from arena.store.rows import MatchRow, OutputRow, StrainRow, Tournament
from arena.tournament.backlog import Backlog
from arena.tournament.course import course_of
from arena.tournament.definition import Definition
from arena.tournament.errors import RefereeError
from arena.tournament.hosting import USUAL, Hosting
from arena.tournament.records import match_row, output_rows, strain_row, withdrawals
from arena.tournament.referees import Referee, RefereeGone, cores, running
from arena.tournament.schedule import Plan
from arena.tournament.seeds import match_seed
from arena.tournament.standings import results, stopping
from arena.tournament.stopping import Stopping, Verdict
from arena.tournament.units import Unit, units
from referee.v1.work_pb2 import WorkResponse

REPEATS = 3
"""How many referees may die over a unit in a row, without a single record, before the tournament gives up."""

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


@dataclass(slots=True)
class _Haul:
    """What is to be stored."""

    rows: list[MatchRow] = field(default_factory=list)
    outputs: list[OutputRow] = field(default_factory=list)
    strains: list[StrainRow] = field(default_factory=list)
    withdrawn: dict[int, str] = field(default_factory=dict)


Invite = Callable[[str, str, str], None]
"""Is told by what name a remote bot is waited for, at what address and with what token."""


def run(
    store: Store,
    tournament: Tournament,
    definition: Definition,
    jobs: int,
    watcher: Watcher,
    hosting: Hosting = USUAL,
    invite: Invite | None = None,
) -> Stint:
    """Play what is missing with up to `jobs` referee processes; return when it is done or was stopped by a signal.

    invite: where remote bots take part, who brings them to the referee. They are then played by one referee, unit
    after unit: a bot that holds few matches at a time must not be asked by two.

    Raises StoreError where the database refuses, RefereeError where referees cannot work.
    """
    runner = _Runner(store, tournament, definition, watcher, hosting, invite)
    return trio.run(runner.run, 1 if invite is not None else jobs)


class _Runner:
    def __init__(
        self,
        store: Store,
        tournament: Tournament,
        definition: Definition,
        watcher: Watcher,
        hosting: Hosting,
        invite: Invite | None,
    ) -> None:
        assert tournament.id is not None
        self._invite = invite
        self._store = store
        self._id = tournament.id
        self._secret = tournament.secret
        self._definition = definition
        self._hosting = hosting
        self._watcher = watcher
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
        incoming, outgoing = trio.open_memory_channel[_Haul](256)
        async with trio.open_nursery() as storing:
            storing.start_soon(self._keep, outgoing)
            async with incoming:
                with self._work:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._heed_signals)
                        async with trio.open_nursery() as slots:
                            for core in cores(jobs):
                                slots.start_soon(self._slot, nursery, core, backlog, incoming)
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

    async def _slot(
        self,
        nursery: trio.Nursery,
        core: int | None,
        backlog: Backlog,
        hauls: "trio.MemorySendChannel[_Haul]",
    ) -> None:
        """Keep one referee at work, and replace it where it dies."""
        while unit := await backlog.wait():
            in_hand = {unit.number: unit}
            try:
                async with running(nursery, core, self._say) as referee:
                    await self._employ(referee, in_hand, backlog, hauls)
            except RefereeGone as gone:
                self._say(f"a referee process died, and another one takes over its matches{gone}")
                under_way = next(iter(in_hand.values()))
                under_way.fruitless += 1
                if under_way.fruitless == REPEATS:
                    return self._fail(RefereeError(f"{REPEATS} referees in a row died over the same matches{gone}"))
                for left in in_hand.values():
                    backlog.give_back(left)
            except RefereeError as error:
                return self._fail(error)

    async def _employ(
        self,
        referee: Referee,
        in_hand: dict[int, Unit],
        backlog: Backlog,
        hauls: "trio.MemorySendChannel[_Haul]",
    ) -> None:
        """Give a referee units until there are none. Raises RefereeGone where it ends before."""
        for unit in in_hand.values():
            referee.play(unit.message(self._definition, self._secret, self._withdrawn, self._hosting))
        async for response in referee.messages:
            self._pass_on(response, in_hand)
            await hauls.send(self._taken(response, in_hand, backlog))
            if response.error:
                referee.last_words.append(response.error)
                break
            more = None
            if not in_hand:
                more = await backlog.wait()
                if more is None:
                    return
            elif (
                self._invite is None
                and len(in_hand) == 1
                and _nearly_done(next(iter(in_hand.values())), self._definition)
            ):
                more = backlog.take()
            if more is not None:
                in_hand[more.number] = more
                referee.play(more.message(self._definition, self._secret, self._withdrawn, self._hosting))
        raise RefereeGone(await referee.why())

    def _pass_on(self, response: WorkResponse, in_hand: dict[int, Unit]) -> None:
        """Let the remote bots know that are waited for."""
        for invitation in response.invitations:
            entrant = list(in_hand[invitation.phase].players)[invitation.player].entrant
            if self._invite is not None:
                self._invite(self._definition.field[entrant].remote, invitation.address, invitation.token)

    def _taken(self, response: WorkResponse, in_hand: dict[int, Unit], backlog: Backlog) -> _Haul:
        """Strike what has come off the units in hand, and return it."""
        haul = _Haul()
        for record in response.records:
            for unit in in_hand.values():
                if match := unit.left.pop(record.match, None):
                    unit.fruitless = 0
                    haul.rows.append(match_row(record, match, unit, match_seed(self._secret, match.deal.number)))
                    break
        for end in response.ends:
            unit = in_hand.pop(end.phase)
            haul.outputs += output_rows(end, unit)
            if self._definition.time.mode == "clock":
                haul.strains.append(strain_row(end, unit))
            for entrant, reason in withdrawals(end, unit).items():
                if entrant not in self._withdrawn:
                    self._withdrawn.add(entrant)
                    haul.withdrawn[entrant] = reason
                    self._say(f"{self._definition.field[entrant].name} is withdrawn from the tournament: {reason}")
            if unit.left:
                self._repeat(unit, backlog, end.lag_us)
            else:
                backlog.finish()
        return haul

    def _repeat(self, unit: Unit, backlog: Backlog, lag_us: int) -> None:
        """Have the matches that were void played again, by fresh processes."""
        unit.fruitless += 1
        if unit.fruitless < REPEATS:
            backlog.give_back(unit)
            return
        most = self._definition.time.most_lag_ms
        why = ""
        if most and lag_us > most * 1000:
            why = (
                f": the machine is too busy for fair clocks, and kept an answer waiting {lag_us / 1000:.0f} ms where "
                f"{most} ms may be; let less run beside it, or begin with a longer --lag"
            )
        self._fail(RefereeError(f"{len(unit.left)} matches came to no result {REPEATS} times in a row{why}"))

    async def _keep(self, hauls: "trio.MemoryReceiveChannel[_Haul]") -> None:
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

    def _store_batch(self, batch: Sequence[_Haul]) -> None:
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


def _nearly_done(unit: Unit, definition: Definition) -> bool:
    """Tell whether the next unit should be at hand, as most matches left are under way or their records on the way."""
    return len(unit.left) <= 4 * definition.matches_at_once
