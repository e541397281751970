"""Durations as people write them: 50ms, 1s, 1.5s, 2min."""

import re

_UNITS = {"ms": 1, "s": 1000, "min": 60_000}
_TEXT = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|min)?")


def parse_duration(text: str) -> int:
    """Parse a duration and return it in whole milliseconds; a bare number is in seconds.

    Raises ValueError with a message for users.
    """
    match = _TEXT.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError(f"{text!r} is not a duration: write 50ms, 1s, 1.5s, 2min or a number of seconds")
    value = float(match[1]) * _UNITS[match[2] or "s"]
    if value != int(value) or value >= 2**32:
        raise ValueError(f"{text!r} is not a whole number of milliseconds, from 0 to 49 days")
    return int(value)


def format_duration(value: int) -> str:
    """Format a duration in milliseconds as text that `parse_duration` reads."""
    return f"{value}ms" if value % 1000 else f"{value // 1000}s"
