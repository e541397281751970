"""The units that no referee has in hand, and whether any may come back."""

from collections import deque
from collections.abc import Awaitable, Callable, Iterator

import trio

from arena.tournament.run.work_units import Unit


class Backlog:
    """Hands out units; those of a referee that died are handed out again, before all others."""

    def __init__(self, units: Iterator[Unit], begin: Callable[[Unit], Awaitable[bool]] | None = None) -> None:
        """Begin with all units there are.

        begin: is asked before a unit is handed out for the first time; once it says no, no further ones are.
        """
        self._fresh = units
        self._begin = begin
        self._turn = trio.Lock()
        self._returned: deque[Unit] = deque()
        self._out = 0
        self._idle = trio.lowlevel.ParkingLot()

    async def take(self) -> Unit | None:
        """Return a unit, or None where there is none at the moment."""
        async with self._turn:
            unit = self._returned.popleft() if self._returned else await self._next()
            self._out += unit is not None
        return unit

    async def _next(self) -> Unit | None:
        """Return a unit that was never handed out; None where there is none, or none may begin."""
        unit = next(self._fresh, None)
        if unit is not None and self._begin is not None and not await self._begin(unit):
            self._fresh, unit = iter(()), None
        return unit

    async def wait(self) -> Unit | None:
        """Return a unit as soon as there is one, or None once all are finished."""
        while True:
            unit = await self.take()
            if unit is not None or not self._out:
                return unit
            await self._idle.park()

    def give_back(self, unit: Unit) -> None:
        """Have a unit handed out again."""
        self._out -= 1
        self._returned.append(unit)
        self._idle.unpark_all()

    def finish(self) -> None:
        """Count one unit as finished."""
        self._out -= 1
        self._idle.unpark_all()
