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

    Slow batches have a lane of their own: one of their units is out at a time, and more only where nothing else waits
    and a referee is left over. One referee alone spends half of its time on them at most.

    plays: the batches under way, by slot.
    referees: how many there are.
    """

    def __init__(self, lease: Callable[[bool], Awaitable[BatchPlay | None]]) -> None:
        """Begin without a batch.

        lease: returns the next batch, a slow one only if its argument is true; None if none waits.
        """
        super().__init__(iter(()))
        self._lease = lease
        self._newest: BatchPlay | None = None
        self._newest_slow: BatchPlay | None = None
        self._is_slow_turn = False
        self._turn_began = 0.0
        self._owed = 0.0
        self.plays: dict[int, BatchPlay] = {}
        self.referees = 1
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
        out = sum(play.units_out for play in self.plays.values() if play.is_slow)
        room = min(self.referees, self.limit)
        is_turn = not out and (room > 1 or not self._owes())
        if is_turn and (unit := self._next_slow()) is not None:
            return unit
        while not self.is_stopped:
            if self._newest is not None and (unit := self._newest.next_unit()) is not None:
                self._is_slow_turn = False
                return unit
            now = trio.current_time()
            if now < self._next_look:
                break
            play = await self._lease(self._newest_slow is None and not out)
            if play is None:
                self._next_look = now + LOOK_SECONDS
                break
            self.plays[play.slot] = play
            if play.is_slow:
                self._newest_slow = play
                if is_turn and (unit := self._next_slow()) is not None:
                    return unit
            else:
                self._newest = play
        return self._next_slow() if not out or out < room - 1 else None

    def _next_slow(self) -> WorkUnit | None:
        """Return the next unit of the slow batch; None if there is none, or all are handed out."""
        unit = None if self._newest_slow is None or self.is_stopped else self._newest_slow.next_unit()
        if unit is None:
            self._newest_slow = None
        self._is_slow_turn = unit is not None
        return unit

    def _owes(self) -> bool:
        """Return whether the slow lane has had more time than what followed, where one referee plays both by turns."""
        now = trio.current_time()
        turn = now - self._turn_began
        self._turn_began, self._owed = now, self._owed + turn if self._is_slow_turn else max(self._owed - turn, 0.0)
        return self._owed > 0

    def wake(self) -> None:
        """Look at once for a batch that waits."""
        self._next_look = 0.0
        self._idle.unpark_all()

    def drop(self) -> None:
        """Forget all batches."""
        self._newest = self._newest_slow = None
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
