"""Limit how often something is done under the same key."""

from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

KEYS = 10_000
"""The number of keys that are remembered; the least recently used are dropped."""


class RateLimit:
    """Allows `most` actions within `seconds`, for each key; thread-safe."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, key: str) -> bool:
        """Return whether another action of a key is within the limit; only allowed actions are counted."""
        now = self._clock()
        with self._lock:
            times = self._times.setdefault(key, deque())
            self._times.move_to_end(key)
            while times and times[0] <= now - self.seconds:
                times.popleft()
            if len(times) >= self.most:
                return False
            times.append(now)
            self._forget(now)
            return True

    def _forget(self, now: float) -> None:
        """Drop keys that were not used within the time, and the least recently used of too many."""
        while len(self._times) > KEYS or next(iter(self._times.values()))[-1] <= now - self.seconds:
            self._times.popitem(last=False)

    def seconds_left(self, key: str) -> float:
        """Return the seconds until another action of a key is within the limit; 0 if it is now."""
        now = self._clock()
        with self._lock:
            times = [time for time in self._times.get(key, ()) if time > now - self.seconds]
            return 0.0 if len(times) < self.most else times[0] + self.seconds - now
