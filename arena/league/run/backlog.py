"""The units of the batches of leagues: there are always more, until the run is stopped."""

from collections import deque
from collections.abc import Awaitable, Callable

import trio

from arena.league.run.batch_play import SHIFT, BatchPlay
from arena.run.backlog import Backlog
from arena.run.work_units import WorkUnit

LOOK_SECONDS = 0.5
"""Between two looks for a batch where none waited, while any is under way."""

IDLE_SECONDS = 10.0
"""The same while none is: whoever notices that something was written wakes those who wait (`LeagueBacklog.wake`)."""


class LeagueBacklog(Backlog):
    """Hands out the units of batches, and leases the next batch when those of the last one are handed out.

    Slow batches have a lane of their own: one referee has their units, and others only where nothing else waits and a
    referee is left over. Where their bots wait rather than compute, that referee has several of their units at a time,
    and units of other batches beside them (`LeagueWork.beside`). A referee that plays no units beside each other spends
    half of its time on slow ones at most. Slow parts of a final are played by all referees, as nothing else of the
    league is.

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
        self._slow = deque[BatchPlay]()
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

    @property
    def has_slow(self) -> bool:
        """Whether slow batches may have units that were not handed out yet."""
        return bool(self._slow)

    async def take_slow(self) -> WorkUnit | None:
        """Return another unit of the slow batch whose units are out; None if there is none."""
        async with self._turn:
            return self._handed_out(self._next_slow())

    async def take_beside_slow(self) -> WorkUnit | None:
        """Return a unit of another batch, for a referee whose slow units leave room; None if there is none."""
        async with self._turn:
            if sum(play.units_out for play in self.plays.values() if not play.is_slow) >= self.limit:
                return None
            return self._handed_out(await self._next_quick())

    def _handed_out(self, unit: WorkUnit | None) -> WorkUnit | None:
        if unit is not None:
            self._out += 1
            self.plays[unit.number >> SHIFT].hand_out(unit.number)
        return unit

    def move_to_slow_lane(self, play: BatchPlay) -> None:
        """Count a batch as slow from now on, as it takes much longer than it should."""
        play.is_slow = True
        if self._newest is play:
            self._newest = None
        self._slow.append(play)

    @property
    def _used(self) -> int:
        """How many units count against the limit: all slow ones together like one, and like none beside others."""
        slow = sum(play.units_out for play in self.plays.values() if play.is_slow)
        return max(self._out - slow, min(slow, 1))

    async def _next(self) -> WorkUnit | None:
        out = sum(play.units_out for play in self.plays.values() if play.has_lane)
        room = min(self.referees, self.limit)
        is_turn = not out and (room > 1 or not self._owes())
        if is_turn and (unit := self._next_slow()) is not None:
            return unit
        if (unit := await self._next_quick(with_slow=not out, is_turn=is_turn)) is not None:
            return unit
        return self._next_slow() if not out or out < room - 1 else None

    async def _next_quick(self, *, with_slow: bool = False, is_turn: bool = False) -> WorkUnit | None:
        """Return a unit of a batch that is not slow, or the first of a slow one that is leased now; None if none waits.

        with_slow: whether a slow batch may be leased.
        is_turn: whether its first unit may be returned.
        """
        while not self.is_stopped:
            if self._newest is not None and (unit := self._newest.next_unit()) is not None:
                self._is_slow_turn = False
                return unit
            now = trio.current_time()
            if now < self._next_look:
                break
            play = await self._lease(with_slow and not self._slow)
            if play is None:
                self._next_look = now + LOOK_SECONDS
                break
            self.plays[play.slot] = play
            if not play.is_slow:
                self._newest = play
                continue
            self._slow.append(play)
            if is_turn and (unit := self._next_slow()) is not None:
                return unit
        return None

    def _next_slow(self) -> WorkUnit | None:
        """Return the next unit of the slow batches; None if there is none, or all are handed out."""
        unit = None
        while self._slow and not self.is_stopped and (unit := self._slow[0].next_unit()) is None:
            self._slow.popleft()
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
        self._newest = None
        self._slow.clear()
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
        with trio.move_on_after(LOOK_SECONDS if self.plays else IDLE_SECONDS):
            await self._idle.park()
