"""How busy a referee and its bots keep a core, as seen from outside."""

from functools import partial

import trio

from referee.process.cpu_accounting import CpuUse, use_since_start

MOST_THREADS = 2000
"""The most threads whose CPU time is read: a referee with more counts as busy."""


class CoreLoad:
    """The CPU time that the bots of a referee take, from one look to the next."""

    def __init__(self, pid: int) -> None:
        """Watch the descendants of a referee's process."""
        self._pid = pid
        self._last: tuple[float, CpuUse] | None = None

    def restart(self) -> None:
        """Begin anew at the next look: what starts meanwhile is no measure of what follows."""
        self._last = None

    async def look(self, *, with_waits: bool = False) -> float | None:
        """Return the share of a core that they took since the last look; None at the first one.

        with_waits: with that for which they waited, ready to run: on a busy machine bots that compute take little.

        It is infinite where it is not known.
        """
        use = await trio.to_thread.run_sync(partial(use_since_start, self._pid, MOST_THREADS))
        if use is None:
            self._last = None
            return float("inf")
        now, last = trio.current_time(), self._last
        self._last = now, use
        if last is None or now <= last[0]:
            return None
        since = use.since(last[1])
        return max(since.ran + since.waited * with_waits, 0.0) / (now - last[0])
