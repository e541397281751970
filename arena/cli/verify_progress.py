"""The progress of a verification, on stderr."""

from time import monotonic

from arena.cli.output import echo
from arena.run.progress import LINE_SECONDS, duration


class VerifyProgress:
    """Prints progress on stderr every few seconds.

    total: the number of matches.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._began = self._printed = monotonic()

    def update(self, matches: int) -> None:
        """Update the number of verified matches; print it if a line is due."""
        now = monotonic()
        if matches and now - self._printed >= LINE_SECONDS:
            self._printed = now
            speed = matches / (now - self._began)
            left = duration(max(self._total - matches, 0) / speed)
            echo(f"{matches:,} of {self._total:,} matches checked, {speed:,.0f} matches/s, {left} left", err=True)
