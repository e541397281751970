"""How often something may be computed anew: it takes at most one per cent of a core."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time

REST = 100
"""What took a second of CPU time is computed again after so many seconds."""


class Refresh:
    """Puts the next computation off by the cost of the last ones."""

    def __init__(self, clock: Callable[[], float] = perf_counter, cpu_clock: Callable[[], float] = thread_time) -> None:
        self._clock = clock
        self._cpu_clock = cpu_clock
        self._due = float("-inf")

    def is_due(self) -> bool:
        """Tell whether the last computation was long enough ago."""
        return self._clock() >= self._due

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Measure a computation, the block."""
        began = self._cpu_clock()
        try:
            yield
        finally:
            self._due = max(self._due, self._clock()) + REST * (self._cpu_clock() - began)
