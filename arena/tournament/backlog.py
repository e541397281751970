"""The units that no referee has in hand, and whether any may come back."""

from collections import deque
from collections.abc import Iterator

import trio

from arena.tournament.units import Unit


class Backlog:
    """Hands out units; those of a referee that died are handed out again, before all others."""

    def __init__(self, units: Iterator[Unit]) -> None:
        self._fresh = units
        self._returned: deque[Unit] = deque()
        self._out = 0
        self._idle = trio.lowlevel.ParkingLot()

    def take(self) -> Unit | None:
        """Return a unit, or None where there is none at the moment."""
        unit = self._returned.popleft() if self._returned else next(self._fresh, None)
        self._out += unit is not None
        return unit

    async def wait(self) -> Unit | None:
        """Return a unit as soon as there is one, or None once all are finished."""
        while True:
            unit = self.take()
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
