"""The service clock: each process has one clock, which runs only while it has an open question.

It starts when a message leaves for an idle process, or when the last valid answers arrived (stamped where the socket
is read, so that the referee's own lag is not charged). Valid answers that arrive together share the time. Only valid
answers restart it: useless messages, duplicates and answers to closed questions do not.
"""

from typing import Protocol


class SentStamp(Protocol):
    """What a clock needs of a stream. sent_at: when the last marked message left, in seconds; None until then."""

    sent_at: float | None


class ServiceClock:
    """The clock of one process. All times are seconds on trio's clock.

    timeouts: how many time limits it has missed since its last valid answer.
    """

    def __init__(self) -> None:
        self.timeouts = 0
        self._started_at: float | None = None
        self._stream: SentStamp | None = None

    def start_on_departure(self, stream: SentStamp) -> bool:
        """Start the clock when the next message leaves on `stream`; return False where the clock is running already."""
        if self._started_at is not None or self._stream is not None:
            return False
        self._stream = stream
        return True

    def running_since(self) -> float | None:
        """Return when the clock was started; None while it stands."""
        if self._started_at is None and self._stream is not None:
            return self._stream.sent_at
        return self._started_at

    def charge(self, stamp: float, count: int, *, busy: bool) -> float:
        """Return what each of `count` valid answers that arrived at `stamp` is charged, in seconds.

        busy: the process still has open questions, so the clock goes on from `stamp`.
        """
        since = self.running_since()
        self.timeouts = 0
        self._restart(stamp, busy=busy)
        return max(0.0, stamp - since) / count if since is not None else 0.0

    def time_out(self, now: float, *, busy: bool) -> None:
        """Count a missed time limit of the oldest open question."""
        self.timeouts += 1
        self._restart(now, busy=busy)

    def _restart(self, now: float, *, busy: bool) -> None:
        self._started_at = now if busy else None
        self._stream = None
