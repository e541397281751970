"""Quiet hours: times of the day in which a run begins no batch, as others use the machine or sleep beside it."""

import re
from dataclasses import dataclass
from datetime import datetime, time

_TEXT = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours of each day from `begin` until `end`, over midnight where `end` is earlier, in the machine's time zone."""

    begin: time
    end: time

    def contains(self, now: datetime) -> bool:
        """Return whether a moment of any time zone is in them."""
        at = now.astimezone().time()
        if self.begin < self.end:
            return self.begin <= at < self.end
        return at >= self.begin or at < self.end


def parse_quiet_hours(text: str) -> QuietHours:
    """Return the hours of a text such as 22:00-07:00. Raises ValueError with a message for users."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} are no hours: write them as 22:00-07:00")
    first, second, third, fourth = map(int, match.groups())
    hours = QuietHours(time(first, second), time(third, fourth))
    if hours.begin == hours.end:
        raise ValueError(f"{text!r} is the whole day or nothing of it: pause the league instead, or name other hours")
    return hours
