"""Waits while the machine is too busy for fair clocks.

In mode clock a match in which the referee kept an answer waiting for too long is void. A backup that runs for an hour
must not end a tournament that nobody watches: so nothing is played for a while, and then it is tried again.
"""

import trio

FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 60.0
"""How long nothing is played at first, and at most: each attempt starts bots, which is load too."""


class BusyMachine:
    """Counts how long the machine has been too busy, and says how long to wait before the next attempt.

    limit: after how many seconds to give up; None: never.
    """

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit
        self._since: float | None = None
        self._resumes_at = 0.0
        self._pause = FIRST_PAUSE_SECONDS

    @property
    def is_waiting(self) -> bool:
        """Whether no match has come to a result since the machine was found too busy."""
        return self._since is not None

    def pause(self) -> float | None:
        """Return for how many seconds to play nothing; None where it is time to give up."""
        now = trio.current_time()
        if self._since is None:
            self._since = now
        if self.limit is not None and now - self._since >= self.limit:
            return None
        if now >= self._resumes_at:  # not where several referees come to the same conclusion
            self._resumes_at = now + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        return self._resumes_at - now

    def end(self) -> float:
        """Note that matches come to a result again; return after how many seconds."""
        assert self._since is not None
        seconds = trio.current_time() - self._since
        self._since, self._pause = None, FIRST_PAUSE_SECONDS
        return seconds
