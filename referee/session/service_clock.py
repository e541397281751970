"""The service clock: each process has one clock, which runs only while it has an open question.

It starts when a message leaves for an idle process, or when the last valid answers arrived (stamped where the socket
is read, so that the referee's own lag is not charged). Valid answers that arrive together share the time. Only valid
answers restart it, or a timeout, so that one stall is not charged to every match at once; useless messages, duplicates
and answers to closed questions do not. Time that the machine or a flood took from the bot is excused.
"""

from typing import Protocol


class SentStamp(Protocol):
    """What a clock needs of a stream."""

    sent_at: float | None
    """When the last marked message left, in seconds; None until then."""


class FloodTimer(Protocol):
    """What a clock needs of the flood detector (see `referee.connection.flood_detection.FloodDetector`)."""

    flood_seconds: float
    """Time that floods have taken from everybody, in seconds in all."""

    def measure(self) -> bool:
        """Bring `flood_seconds` up to date."""

    def add(self, seconds: float) -> None:
        """Count time that useless messages and notes have taken from everybody as well."""


class ServiceClock:
    """The clock of one process. All times are seconds on trio's clock.

    timeouts: how many time limits it has missed since its last valid answer.
    """

    def __init__(self, flood_timer: FloodTimer | None) -> None:
        """Make a clock that stands.

        flood_timer: measures floods; None: there are none.
        """
        self.timeouts = 0
        self._started_at: float | None = None
        self._stream: SentStamp | None = None
        self._flood_timer = flood_timer
        self._excused = 0.0
        self._flood_before = self._flood_seconds()

    def start_on_departure(self, stream: SentStamp) -> bool:
        """Start the clock when the next message leaves on `stream`; return False where the clock is running already."""
        if self._started_at is not None or self._stream is not None:
            return False
        self._stream = stream
        self._flood_before = self._flood_seconds()
        return True

    def charged_since(self) -> float | None:
        """Return when the clock was started, later by the excused time; None while it stands."""
        since = self._running_since()
        return None if since is None else since + (self._excused + self._flood_seconds() - self._flood_before)

    def charge(self, stamp: float, count: int, *, busy: bool) -> float:
        """Return what each of `count` valid answers that arrived at `stamp` is charged, in seconds.

        busy: the process still has open questions, so the clock goes on from `stamp`.
        """
        since = self._running_since()
        charge = max(0.0, stamp - since) / count if since is not None else 0.0
        if self._excused:
            charge = max(0.0, charge - self._excused / count)
        if self._flood_timer is not None:
            charge = max(0.0, charge - (self._flood_timer.flood_seconds - self._flood_before) / count)
        self.timeouts = 0
        self._restart(stamp, busy=busy)
        return charge

    def excuse(self, seconds: float) -> None:
        """Do not charge so many of the seconds since the clock was started."""
        self._excused += seconds

    def charge_alone(self, seconds: float) -> None:
        """Charge this process, and excuse to all others, the time that a useless message or a note of it took."""
        if self._flood_timer is not None:
            self._flood_timer.add(seconds)
            self._excused -= seconds  # what a running clock is excused for the flood, and a standing one is not

    def measure_flood(self) -> float:
        """Return how many seconds floods have taken since they were measured last."""
        if self._flood_timer is None:
            return 0.0
        before = self._flood_timer.flood_seconds
        self._flood_timer.measure()
        return self._flood_timer.flood_seconds - before

    def time_out(self, now: float, *, busy: bool) -> None:
        """Count a missed time limit of the oldest open question."""
        self.timeouts += 1
        self._restart(now, busy=busy)

    def _running_since(self) -> float | None:
        if self._started_at is None and self._stream is not None:
            return self._stream.sent_at
        return self._started_at

    def _restart(self, now: float, *, busy: bool) -> None:
        self._started_at = now if busy else None
        self._stream = None
        self._excused = 0.0
        self._flood_before = self._flood_seconds()

    def _flood_seconds(self) -> float:
        return self._flood_timer.flood_seconds if self._flood_timer is not None else 0.0
