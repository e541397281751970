"""How often something may be done by the same somebody."""

from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

KEYS = 10_000
"""How many somebodies are remembered: those seen last."""


class RateLimit:
    """At most so many times within so many seconds, for each key."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, key: str) -> bool:
        """Count one more time for a key and tell whether it is within the limit; one that is not is not counted."""
        now = self._clock()
        with self._lock:
            times = self._times.setdefault(key, deque())
            self._times.move_to_end(key)
            while times and times[0] <= now - self.seconds:
                times.popleft()
            if len(times) >= self.most:
                return False
            times.append(now)
            while len(self._times) > KEYS:
                self._times.popitem(last=False)
            return True
