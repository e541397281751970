"""Limits on what is open or under way at the same time: in all, by visitor, by account."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from starlette.exceptions import HTTPException

ALL = "all"
"""The key under which everything is counted."""


class OpenCounter:
    """Counts what is open, under several keys at once; thread-safe."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()
        self._lock = Lock()

    def count(self, key: Hashable) -> int:
        """Return how many are open under a key."""
        return self._open[key]

    @contextmanager
    def admit(self, limits: Mapping[Hashable, int], refusal: HTTPException) -> Iterator[None]:
        """Count one more under some keys while the block runs; raise the refusal if that is too many of one.

        limits: the most of each.
        """
        with self._lock:
            if any(self._open[key] >= most for key, most in limits.items()):
                raise refusal
            self._open.update(limits.keys())
        try:
            yield
        finally:
            with self._lock:
                for key in limits:
                    self._open[key] -= 1
                    if not self._open[key]:
                        del self._open[key]
