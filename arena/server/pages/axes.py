"""Scales of drawings: round numbers between two ends, and how they are written."""

from datetime import UTC, datetime, timedelta
from math import ceil, floor, log10

HOUR, DAY = 3600, 86400

TIME_STEPS = (
    *(60, 300, 600, 1800, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR),
    *(DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 182 * DAY, 365 * DAY),
)
"""Seconds between two ticks of a scale of time."""


def ticks(low: float, high: float, most: int) -> list[int]:
    """Return whole numbers between two ends at equal steps of 1, 2 or 5 times a power of ten; `most` or fewer."""
    span = max(high - low, 1.0)
    power = 10 ** max(0, floor(log10(span / most)))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power, 20 * power) if span / step < most)
    return list(range(ceil(low / step) * step, floor(high / step) * step + 1, step))


def time_ticks(first: float, last: float, most: int) -> list[tuple[float, str]]:
    """Return moments between two ends, each with its text in UTC; `most` or fewer.

    first, last: seconds since 1970. Those of hours are at full hours, those of days at midnight.
    """
    span = max(last - first, 1.0)
    step = next((step for step in TIME_STEPS if span / step < most), ceil(span / most / DAY) * DAY)
    moments = range(ceil(first / step) * step, floor(last) + 1, step)
    return [(moment, _time_text(moment, step)) for moment in moments]


def _time_text(seconds: float, step: int) -> str:
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    if step >= 91 * DAY:
        return f"{at:%b} {at.year}"
    day = f"{at:%b} {at.day}"
    return day if step >= DAY or (at.hour, at.minute) == (0, 0) else f"{at:%H:%M}"


def across(value: float, low: float, high: float, width: float, margin: float = 8) -> float:
    """Return where a value stands in a drawing of this width, in pixels from its left.

    low, high: the ends of the scale; what lies beyond is drawn there.
    margin: pixels at both ends.
    """
    inside = min(max(value, low), high)
    return round(margin + (width - 2 * margin) * ((inside - low) / (high - low) if high > low else 0.5), 1)


def signed(number: float) -> str:
    """Format a difference: +50, 0, −50."""
    return f"{number:+.0f}".replace("-", "−") if number else "0"
