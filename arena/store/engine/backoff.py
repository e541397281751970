"""Back off between write transactions so that other writers get a turn."""

from time import monotonic, sleep

_MAX_SECONDS = 0.2
"""The longest back-off. A writer that waits for a file polls it ten times a second."""

pause = sleep
"""Sleeps for a number of seconds; tests replace it."""


def back_off(start: float) -> None:
    """Sleep as long as the last transaction took, at most `_MAX_SECONDS`.

    start: when the transaction began, by the monotonic clock.
    """
    pause(min(_MAX_SECONDS, monotonic() - start))
