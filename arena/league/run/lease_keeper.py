"""The leases of a run on its batches: prolonged, taken over from runners that are gone, and given back.

Leases are judged by the time of day. Who judges them takes off how long its own machine stood still lately, and how far
its clock was set.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial

import trio

from arena.league.run.league_work import LeagueWork
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import Lease
from arena.run.database_retry import DatabaseRetry
from arena.store import Store, StoreUnavailable
from arena.store.engine.worker_name import is_dead
from arena.values.errors import ArenaError
from arena.values.rows import now_ms
from referee.process.awake_clock import AwakeClock

LEASE_SECONDS = 60.0
"""How long a batch stays with a runner of which nothing is heard: longer than a busy machine keeps it waiting."""

RENEW_SECONDS = 10.0

GRACE_SECONDS = 3 * RENEW_SECONDS
"""How long leases hold that ran out in a pause of the machine, or as its clock was set: their runners live."""


class LeaseKeeper:
    """Keeps the leases of a run.

    work: the batches under way.
    schedulers: of the leagues that are played, by id; others may be added to it.
    """

    def __init__(
        self, store: Store, retry: DatabaseRetry, work: LeagueWork, schedulers: Mapping[int, LeagueScheduler]
    ) -> None:
        self._store = store
        self._retry = retry
        self._work = work
        self._schedulers = schedulers

    def take_over(self) -> None:
        """Let the leases of runners that are gone run out."""
        for scheduler in tuple(self._schedulers.values()):  # the run, in another thread, adds leagues
            runners = {row.runner for row in Batches(self._store).unplayed(scheduler.id) if row.state == "leased"}
            for name in filter(is_dead, runners):
                Batches(self._store).give_back_all(name)

    async def keep(self) -> None:
        """Prolong leases, give up batches whose lease is lost, and take over those of the dead."""
        while True:
            await trio.sleep(RENEW_SECONDS)
            await self._retry.call(self.take_over)
            plays = {play.lease: play for play in self._work.plays.values() if not play.is_closed}
            if plays:
                for lease in await self._retry.call(self._renewed, list(plays)):
                    plays[lease].fail(ArenaError("its lease went to another runner"))

    async def give_back_all(self) -> None:
        """Let what is under way be played anew, by this run or another; it counts as no failed attempt."""
        for play in self._work.abandon():
            with suppress(StoreUnavailable):  # then its lease runs out
                await trio.to_thread.run_sync(partial(Batches(self._store).give_back, play.lease, "released"))

    def _renewed(self, leases: list[Lease]) -> list[Lease]:
        """Prolong leases; return those that are lost."""
        return Batches(self._store).renew(leases, now_ms(LEASE_SECONDS))


def lost_lately(clock: AwakeClock | None) -> float:
    """Return how much longer leases hold at the moment, as the machine stood still or its clock was set, in seconds."""
    return clock.lost_within(GRACE_SECONDS) if clock is not None else 0.0
