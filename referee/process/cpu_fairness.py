"""Fair clocks on a busy machine: bots think when they are asked, and what the machine kept from them is not charged.

In `clock` mode a bot without an open question is frozen (SIGSTOP), so that nobody thinks in the others' time, unless
pondering is allowed. While it has one, the kernel tells how long it was ready to run and had no core, and how long the
referee itself was: neither is the bot's time.
"""

import os
import signal
from contextlib import suppress

from trio import current_time

from referee.process.cpu_accounting import (
    WALK_SECONDS,
    Household,
    Processor,
    Use,
)


class Bench:
    """The referee's own threads. lag: the longest that they kept an answer waiting, in seconds."""

    def __init__(self) -> None:
        self.lag = 0.0
        self._processor = Processor()
        self._looked = -WALK_SECONDS

    def use(self) -> Use:
        """Return what they have had so far."""
        now = current_time()
        if now - self._looked >= WALK_SECONDS:
            self._looked = now
            self._processor.watch([os.getpid()])
        return self._processor.use()


class Keeper:
    """Lets the processes of one bot run and rest.

    waited: seconds in all that it was ready to run with a question open, and had no core, which it was not charged.
    """

    def __init__(self, root: int, bench: Bench, *, ponder: bool) -> None:
        """Keep what descends from process `root`. ponder: it may think whenever it likes."""
        self.waited = 0.0
        self._household = Household(root)
        self._bench = bench
        self._ponder = ponder
        self._resting: list[int] = []
        self._marked = current_time()
        self._mine = self._own = Use(0.0, 0.0)

    def run(self) -> None:
        """A question is about to leave: let the bot run, and count from here."""
        self._wake()
        self._marked, self._mine, self._own = current_time(), self._household.use(), self._bench.use()

    def rest(self) -> None:
        """No question is open any more."""
        if self._ponder:
            return
        self._household.walk()
        self._resting = [pid for pid in self._household.pids if _signalled(pid, signal.SIGSTOP)]

    def excused(self, delay: float = 0.0) -> tuple[float, float]:
        """Return how many seconds since `run`, or since this was asked last, are not the bot's, and how many are ours.

        delay: seconds that an answer has lain here until somebody looked at it.

        A bot that runs on one core while others of its threads wait for it was not kept from anything: no more is
        excused than the time in which it did not run at all.
        """
        now, mine, own = current_time(), self._household.use(), self._bench.use()
        ran, ready = mine.since(self._mine)
        lag = own.since(self._own).waited + delay
        idle = max(0.0, now - self._marked - ran)
        self.waited += min(ready, idle)
        self._bench.lag = max(self._bench.lag, lag)
        self._marked, self._mine, self._own = now, mine, own
        return min(ready + lag, idle), lag

    def release(self) -> None:
        """Let the bot run to its end, without any more counting."""
        self._wake()
        self._ponder = True

    def close(self) -> None:
        """Give back what was needed to look."""
        self._household.close()

    def _wake(self) -> None:
        for pid in self._resting:
            _signalled(pid, signal.SIGCONT)
        self._resting = []


def _signalled(pid: int, number: signal.Signals) -> bool:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
        return True
    return False
