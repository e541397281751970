"""What the log of this server said lately that asks for a look."""

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from arena.values.server_log import LOGGER
from arena.values.texts import printable

KEPT = timedelta(hours=1)

MOST = 200
"""Notices that are kept; the oldest are dropped."""

MOST_CHARACTERS = 1000
"""Of a notice."""


class RecentNotice(NamedTuple):
    """A line of the log."""

    when: datetime
    event: str
    """Its kind, as `log_event` has it."""
    sentence: str


class RecentNotices(logging.Handler):
    """Keeps warnings and errors for an hour."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._notices: deque[RecentNotice] = deque(maxlen=MOST)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line of the log."""
        sentence = printable(record.getMessage())[:MOST_CHARACTERS]
        when = datetime.fromtimestamp(record.created, UTC)
        self._notices.append(RecentNotice(when, getattr(record, "event", "notice"), sentence))

    def newest(self, now: datetime) -> list[RecentNotice]:
        """Return what was said within the last hour, the newest first."""
        return [notice for notice in reversed(self._notices.copy()) if now - notice.when <= KEPT]

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen to the log during the block."""
        LOGGER.addHandler(self)
        try:
            yield
        finally:
            LOGGER.removeHandler(self)
