"""The service clock: a process has one clock, which runs only while it has an open question.

It starts when a message leaves for an idle process, or when the last valid answers arrived (stamped
where the socket is read, so our own lag is not charged). Valid answers that arrive together share
what it shows. Only valid answers restart it: chatter, duplicates and answers to old questions do not.
"""

from typing import Protocol


class Departure(Protocol):
    """What a clock needs of a stream.

    left: when the last marked message left; None while it has not.
    """

    left: float | None


class ServiceClock:
    """The clock of one process. All times are seconds on trio's clock.

    fired: how many time limits it missed since its last valid answer.
    """

    def __init__(self) -> None:
        self.fired = 0
        self._since: float | None = None
        self._departure: Departure | None = None

    def departs(self, wire: Departure) -> bool:
        """Note that a message is about to leave on `wire`; return whether its departure starts the clock."""
        if self._since is not None or self._departure is not None:
            return False
        self._departure = wire
        return True

    def running_since(self) -> float | None:
        """Return when the clock started, or None while it stands."""
        if self._since is None and self._departure is not None:
            return self._departure.left
        return self._since

    def answered(self, stamp: float, count: int, *, busy: bool) -> float:
        """Return what each of `count` valid answers is charged that arrived at `stamp`.

        busy: the process still has open questions, so the clock goes on from here.
        """
        since = self.running_since()
        self.fired = 0
        self._restart(stamp, busy=busy)
        return max(0.0, stamp - since) / count if since is not None else 0.0

    def missed(self, now: float, *, busy: bool) -> None:
        """Note that the oldest open question ran out of time."""
        self.fired += 1
        self._restart(now, busy=busy)

    def _restart(self, moment: float, *, busy: bool) -> None:
        self._since = moment if busy else None
        self._departure = None
