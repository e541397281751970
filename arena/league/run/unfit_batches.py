"""Batches that could not be played for want of something on this machine, although none of their bots is to blame.

It may be one of them all the same, if it takes from the others what they need. So such a batch rests until another one
is stored. If that was played with the sample bots that could not be started, the next attempt that fails so counts as
failed, and in the end each bot is tried alone.
"""

from collections.abc import Callable, Collection
from time import monotonic

REST_SECONDS = 60.0
"""The longest rest of such a batch: what the machine lacks may be there again."""

MOST_RESTING = 4
"""Batches that rest, until none is drawn in their place."""


class UnfitBatches:
    """What this run knows of the batches of a league that it could not play."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._rests: dict[int, tuple[float, int]] = {}
        self._noted: dict[int, int] = {}
        self._stored = 0
        self._played: dict[int, int] = {}

    @property
    def resting(self) -> set[int]:
        """The numbers of those that rest. Threads that lease batches ask for them, too."""
        now, rests = self._clock(), list(self._rests.items())
        return {number for number, (until, stored) in rests if until > now and stored == self._stored}

    def add(self, number: int, anchors: Collection[int] = ()) -> bool:
        """Note that a batch could not be played; return whether this counts as a failed attempt.

        It does where others were stored since it was noted first, or last counted: with the sample bots that it could
        not start, if there are any.
        """
        self._rests[number] = self._clock() + REST_SECONDS, self._stored
        since = self._noted.setdefault(number, self._stored)
        has_failed = min((self._played.get(entry, 0) for entry in anchors), default=self._stored) > since
        if has_failed:
            self._noted[number] = self._stored
        return has_failed

    def note_stored(self, number: int, entries: Collection[int]) -> None:
        """Note that a batch of some entries was stored."""
        self._stored += 1
        self._played.update(dict.fromkeys(entries, self._stored))
        self._noted.pop(number, None)
        self._rests.pop(number, None)
