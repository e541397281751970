"""Where referees run: on this machine (`Local`), or elsewhere by the same protocol (botarena-cluster).

No result depends on it, as long as bots draw chance from their own seed.
"""

import math
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

import trio

from arena.run.backlog import Backlog
from arena.run.capacity import Capacity, measure_capacity
from arena.run.core_load import CoreLoad
from arena.run.dispatcher import Assigned
from arena.run.hosting import Hosting
from arena.run.referee_process import EarlyReferees, cores
from arena.run.referees import DIED, REFUSED, Referee, RefereeGone, running
from arena.run.work_units import WorkUnit
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.tournament_errors import RefereeError
from referee.sandbox.cpu_supply import usable_cores
from referee.v1.work_pb2 import Phase, WorkResponse

LOOK_SECONDS = 1.0
"""Between two looks at what a referee may play beside its units."""

WATCH_SECONDS = 4.0
"""For which whoever watches has referees report matches under way, and says so again before it is over."""

GONE = WorkResponse()
"""Stands for the end of what a referee says."""


class Work(Protocol):
    """What an executor plays: the units of a backlog, each by its own definition."""

    @property
    def backlog(self) -> Backlog:
        """The units."""

    @property
    def hosting(self) -> Hosting:
        """How bots are run."""

    def definition_of(self, unit: WorkUnit) -> Definition:
        """Return the definition by which a unit is played."""

    def overlaps(self, unit: WorkUnit, assigned: Assigned) -> bool:
        """Return whether a referee may have its next unit before it has ended this one.

        assigned: all units that it has.
        """

    @property
    def shares_cores(self) -> bool:
        """Whether `beside` has units for referees whose bots wait rather than compute."""

    async def beside(
        self, assigned: Assigned, load: CoreLoad, room: Callable[[], Awaitable[int]]
    ) -> Sequence[WorkUnit]:
        """Return more units for a referee, beside those that it has.

        load: of its core.
        room: returns how many more bots it may start.
        """

    def message(self, unit: WorkUnit, assigned: Assigned) -> Phase:
        """Return the message that makes a referee play what is left of a unit.

        assigned: the units that the referee has.
        """

    async def take(self, response: WorkResponse, assigned: Assigned) -> None:
        """Take the matches of a response off the units assigned, and units that have ended off `assigned`."""

    def lost(self, assigned: Assigned, gone: RefereeGone) -> None:
        """Take back the units of a referee that is gone.

        gone: how and why it is gone.
        """

    def say(self, line: str, /) -> None:
        """Print a line for people."""

    def fail(self, error: ArenaError, /) -> None:
        """End the work with an error, which is raised once everything has ended."""


class Executor(Protocol):
    """Runs referees that play units."""

    def room(self) -> int:
        """Return how many referees can work at the same time."""

    def capacity(self) -> Capacity | None:
        """Return how many bots can run at the same time; None where that is not known."""

    async def play(self, work: Work, jobs: int) -> None:
        """Play all units of `work` with up to `jobs` referees; return once none is left.

        Each response of a referee goes to `work.take`; when a referee is gone, its units go to `work.lost`. Once
        `work.backlog` is closed, the units that are out end with the matches under way where referees can be told so,
        and are played to their end elsewhere.
        When cancelled, it ends all referees and their bots before it returns.
        """


Invite = Callable[[str, str, str], None]
"""Called with the name of the remote or in-process bot that a referee expects, the address and the token."""


class Local:
    """Referee processes of this machine, each on a core of its own where there are enough.

    invite: brings remote bots to a referee, which then has one unit at a time.
    early: the first referees, started already.
    connect: connects the in-process bots to a referee, as `invite` does remote ones.
    """

    def __init__(
        self,
        invite: Invite | None = None,
        early: EarlyReferees | None = None,
        connect: Invite | None = None,
    ) -> None:
        self._invite = invite
        self._early = early
        self._connect = connect
        self._running = set[Referee]()
        self._watched_until = -math.inf

    def room(self) -> int:
        return usable_cores()

    def capacity(self) -> Capacity | None:
        return measure_capacity()

    def watch(self, seconds: float) -> None:
        """Have the referees report matches under way for so long (`WorkResponse.under_way`)."""
        self._watched_until = trio.current_time() + seconds
        for referee in self._running:
            referee.watch(seconds)

    async def play(self, work: Work, jobs: int) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._finish_once_closed, work.backlog)
            async with trio.open_nursery() as slots:
                early = self._early
                for core in early.cores if early is not None and len(early.cores) == jobs else cores(jobs):
                    slots.start_soon(self._keep_referee, nursery, core, work)
            nursery.cancel_scope.cancel()

    async def _finish_once_closed(self, backlog: Backlog) -> None:
        """Have the referees begin no more matches once the backlog is closed."""
        await backlog.closed.wait()
        for referee in self._running:
            referee.finish()

    async def _keep_referee(self, nursery: trio.Nursery, core: int | None, work: Work) -> None:
        """Keep one referee running, and replace it when it dies."""
        while unit := await work.backlog.wait():
            assigned = {unit.number: unit}
            try:
                early = self._early.take(core) if self._early is not None else None
                async with running(nursery, core, work.say, early) as referee:
                    self._running.add(referee)
                    if work.backlog.closed.is_set():
                        referee.finish()
                    if (left := self._watched_until - trio.current_time()) > 0:
                        referee.watch(left)
                    try:
                        await self._feed(referee, assigned, work)
                    finally:
                        self._running.discard(referee)
            except RefereeGone as gone:
                work.lost(assigned, gone)
            except RefereeError as error:
                return work.fail(error)

    async def _feed(self, referee: Referee, assigned: Assigned, work: Work) -> None:
        """Give a referee units until there are none. Raises RefereeGone if it ends before."""
        load = referee.load()
        for unit in assigned.values():
            referee.play(work.message(unit, {}))
        next_look = trio.current_time() + LOOK_SECONDS
        while True:
            response = None
            with trio.move_on_at(next_look if work.shares_cores else math.inf):
                response = await anext(referee.messages, GONE)
            if response is None:
                for unit in await work.beside(assigned, load, partial(self._room_for_bots, assigned)):
                    referee.play(work.message(unit, assigned))
                    assigned[unit.number] = unit
                next_look = trio.current_time() + LOOK_SECONDS
                continue
            if response is GONE:
                raise RefereeGone(DIED, await referee.why())
            self._pass_on(response, assigned, work)
            await work.take(response, assigned)
            if response.error:
                raise RefereeGone(REFUSED, f": {response.error}")
            more = None
            if not assigned:
                more = await work.backlog.wait()
                if more is None:
                    return
            elif len(in_turn := [unit for unit in assigned.values() if work.overlaps(unit, assigned)]) == 1:
                more = await work.backlog.take() if self._is_nearly_done(in_turn[0], work) else None
            if more is not None:
                referee.play(work.message(more, assigned))
                assigned[more.number] = more

    async def _room_for_bots(self, assigned: Assigned) -> int:
        """Return how many more bots a referee may start, beside those of its units."""
        capacity = await trio.to_thread.run_sync(measure_capacity)
        return min(capacity.bots, capacity.per_referee - sum(len(unit.players) for unit in assigned.values()))

    def _is_nearly_done(self, unit: WorkUnit, work: Work) -> bool:
        """Return whether so few matches are left that the referee needs the next unit soon, and may have it."""
        few = 4 * work.definition_of(unit).matches_at_once
        return self._invite is None and len(unit.left) <= few

    def _pass_on(self, response: WorkResponse, assigned: Assigned, work: Work) -> None:
        """Invite the remote and in-process bots that the referee expects."""
        for invitation in response.invitations:
            entrant = list(assigned[invitation.phase].players)[invitation.player].entrant
            bot = work.definition_of(assigned[invitation.phase]).field[entrant]
            if bot.in_process and self._connect is not None:
                self._connect(bot.name, invitation.address, invitation.token)
            elif self._invite is not None:
                self._invite(bot.remote, invitation.address, invitation.token)
