"""The units of the batches of leagues: there are always more, until the run is stopped."""

from collections.abc import Awaitable, Callable

import trio

from arena.league.run.batch_play import SHIFT, BatchPlay
from arena.run.backlog import Backlog
from arena.run.work_units import WorkUnit

LOOK_SECONDS = 0.5
"""Between two looks for a batch where none waited."""


class LeagueBacklog(Backlog):
    """Hands out the units of batches, and leases the next batch when those of the last one are handed out.

    plays: the batches under way, by slot.
    """

    def __init__(self, lease: Callable[[], Awaitable[BatchPlay | None]]) -> None:
        """Begin without a batch.

        lease: returns the next batch; None if none waits.
        """
        super().__init__(iter(()))
        self._lease = lease
        self._newest: BatchPlay | None = None
        self.plays: dict[int, BatchPlay] = {}
        self._next_look = 0.0
        self.is_stopped = False

    async def take(self) -> WorkUnit | None:
        while (unit := await super().take()) is not None:
            play = self.plays.get(unit.number >> SHIFT)
            if play is not None and not play.failed:
                play.hand_out(unit.number)
                return unit
            self.finish()
        return None

    async def _next(self) -> WorkUnit | None:
        while not self.is_stopped:
            if self._newest is not None and (unit := self._newest.next_unit()) is not None:
                return unit
            now = trio.current_time()
            if now < self._next_look:
                return None
            self._newest = await self._lease()
            if self._newest is None:
                self._next_look = now + LOOK_SECONDS
                return None
            self.plays[self._newest.slot] = self._newest
        return None

    def wake(self) -> None:
        """Look at once for a batch that waits."""
        self._next_look = 0.0
        self._idle.unpark_all()

    def drop(self) -> None:
        """Forget all batches."""
        self._newest = None
        self._out = 0
        self.plays.clear()
        self._returned.clear()

    def give_back(self, unit: WorkUnit) -> None:
        play = self.plays.get(unit.number >> SHIFT)
        if play is None or play.failed:
            self.finish()
        else:
            super().give_back(unit)

    def _is_over(self) -> bool:
        return self.is_stopped

    async def _park(self) -> None:
        with trio.move_on_after(LOOK_SECONDS):
            await self._idle.park()
