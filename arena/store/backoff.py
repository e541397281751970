"""Rests between transactions where much is written, so that others come to write."""

from time import monotonic, sleep

_MOST = 0.2
"""Seconds. Whoever waits for a file looks ten times a second whether it is free."""

pause = sleep
"""What is done meanwhile."""


def back_off(began: float) -> None:
    """Rest as long as the transaction took that began then by the monotonic clock, but no longer than a moment."""
    pause(min(_MOST, monotonic() - began))
