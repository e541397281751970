"""Times as the database tells them: UTC, ISO 8601, to the second."""

from datetime import UTC, datetime


def utc_now() -> str:
    """Return the time."""
    return datetime.now(UTC).isoformat(timespec="seconds")
