"""The units that no referee has, and whether any may come back."""

import math
from collections import deque
from collections.abc import Awaitable, Callable, Iterator

import trio

from arena.run.work_units import WorkUnit


class Backlog:
    """Hands out units; those that were given back first.

    limit: how many may be out at a time, at least one.
    closed: set once no more are handed out, though some may be left.
    """

    def __init__(self, units: Iterator[WorkUnit], begin: Callable[[WorkUnit], Awaitable[bool]] | None = None) -> None:
        """Begin with all units.

        begin: called before a unit is handed out for the first time; once it returns False, no new units are.
        """
        self._fresh = units
        self._begin = begin
        self._turn = trio.Lock()
        self.limit = math.inf
        self.closed = trio.Event()
        self._returned: deque[WorkUnit] = deque()
        self._out = 0
        self._resumes_at = -math.inf
        self._idle = trio.lowlevel.ParkingLot()

    async def take(self) -> WorkUnit | None:
        """Return a unit, or None if there is none at the moment."""
        if trio.current_time() < self._resumes_at:
            return None
        async with self._turn:
            if self._used >= self.limit:
                return None
            unit = self._returned.popleft() if self._returned else await self._next()
            self._out += unit is not None
        return unit

    @property
    def _used(self) -> int:
        """How many units count against the limit."""
        return self._out

    async def _next(self) -> WorkUnit | None:
        """Return a unit that was never handed out; None if there is none, or none may begin."""
        unit = next(self._fresh, None)
        if unit is not None and self._begin is not None and not await self._begin(unit):
            self._fresh, unit = iter(()), None
        return None if self.closed.is_set() else unit

    async def wait(self) -> WorkUnit | None:
        """Return a unit as soon as there is one, or None once all are finished."""
        while True:
            unit = await self.take()
            if unit is not None:
                return unit
            if trio.current_time() < self._resumes_at:
                with trio.move_on_at(self._resumes_at):
                    await self._idle.park()
            elif self._is_over():
                return None
            else:
                await self._park()

    def _is_over(self) -> bool:
        """Return whether no unit can come any more, once there is none at the moment."""
        return not self._out

    async def _park(self) -> None:
        """Wait until there may be a unit."""
        await self._idle.park()

    def give_back(self, unit: WorkUnit) -> None:
        """Return a unit, to be handed out again."""
        self._out -= 1
        if not self.closed.is_set():
            self._returned.append(unit)
        self._idle.unpark_all()

    def close(self) -> None:
        """Hand out no more units; those that are out may still end."""
        self.closed.set()
        self._fresh = iter(())
        self._returned.clear()
        self._resumes_at = -math.inf
        self._idle.unpark_all()

    def rest(self, seconds: float) -> None:
        """Hand out nothing for some seconds."""
        self._resumes_at = max(self._resumes_at, trio.current_time() + seconds)

    def finish(self) -> None:
        """Count one unit as finished."""
        self._out -= 1
        self._idle.unpark_all()
