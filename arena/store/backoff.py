"""Back off between write transactions so that other writers get a turn."""

from time import monotonic, sleep

_MOST = 0.2
"""Seconds. A writer that waits for a file polls it ten times a second."""

pause = sleep
"""Sleeps for a number of seconds; tests replace it."""


def back_off(began: float) -> None:
    """Sleep as long as the last transaction took, at most `_MOST` seconds.

    began: when the transaction began, by the monotonic clock.
    """
    pause(min(_MOST, monotonic() - began))
