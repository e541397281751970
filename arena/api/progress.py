"""Reports the progress of a tournament: on stderr, or to a function of the caller."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from arena.run.progress import Progress

if TYPE_CHECKING:
    from arena.run.runner import Watcher
    from arena.values.failure_rows import ProcessFailureRow
    from arena.values.rows import MatchRow

ProgressReport = bool | Callable[[int, int], None]
"""True: on stderr, a bar on a terminal and otherwise a line every ten seconds. False: nowhere. A function: called, in
another thread, with the number of stored matches and that of all matches."""

_logger = logging.getLogger("arena.api")


def log_line(line: str) -> None:
    """Log what people should read: that a sandbox is weaker than it could be, that processes of a bot fail."""
    _logger.warning("%s", line)


def open_watcher(report: ProgressReport, total: int) -> "AbstractContextManager[Watcher]":
    """Return what watches a tournament.

    total: the number of its matches.
    """
    if report is True:
        return Progress(total)
    return nullcontext(_Reporter(report or None, total))


class _Reporter:
    """A `Watcher` that calls a function after matches were stored, and logs what people should read."""

    def __init__(self, report: Callable[[int, int], None] | None, total: int) -> None:
        self._report = report
        self._total = total
        self._stored = 0

    def stored(self, rows: "Sequence[MatchRow]") -> None:
        self.recount(self._stored + len(rows))

    def recount(self, stored: int) -> None:
        self._stored = stored
        if self._report is not None:
            self._report(stored, self._total)

    def failed(self, rows: "Sequence[ProcessFailureRow]") -> None:
        pass

    def say(self, line: str) -> None:
        log_line(line)

    def stands(self, how: str) -> None:
        pass
