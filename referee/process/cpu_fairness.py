"""Fair clocks on a busy machine: bots compute only while asked, and delays by the machine are not charged to them.

In `clock` mode a bot without an open question is paused (SIGSTOP), unless pondering is allowed, so that no bot computes
in the others' time. While it has a question, the kernel counts how long the bot and the referee itself were ready to
run and had no core: neither is the bot's time.
"""

import os
import signal
from contextlib import suppress

import trio
from trio import current_time

from referee.process.background import background_threads
from referee.process.cpu_accounting import SCAN_SECONDS, CpuAccounting, CpuUse, ProcessTree

NO_USE = CpuUse(0.0, 0.0)


class RefereeCpu:
    """The CPU use of the referee's own threads, except those in the background.

    max_lag: the longest that they delayed an answer, in seconds.
    """

    def __init__(self) -> None:
        self.max_lag = 0.0
        self._accounting = CpuAccounting()
        self._scanned_at = -SCAN_SECONDS

    def measure(self) -> CpuUse:
        """Return the CPU use of all threads so far."""
        now = current_time()
        if now - self._scanned_at >= SCAN_SECONDS:
            self._scanned_at = now
            self._accounting.add([os.getpid()], but=background_threads)
        return self._accounting.measure()


class BotCpu:
    """Pauses and resumes the processes of one bot, and measures what the machine delayed them.

    waited: how long it was ready to run with a question open and had no core, in seconds in all; it is not charged.
    """

    def __init__(self, root_pid: int, referee: RefereeCpu | None, *, ponder: bool) -> None:
        """Control the descendants of process `root_pid`.

        referee: whose delays are not theirs either; None: it plays many matches at once, and works for others
            meanwhile.
        ponder: never pause them.
        """
        self.waited = 0.0
        self._tree = ProcessTree(root_pid)
        self._referee = referee
        self._ponder = ponder
        self._paused_pids: list[int] = []
        self._is_paused = False
        self._measured_at = current_time()
        self._bot_use = self._referee_use = NO_USE

    def resume(self) -> None:
        """Let the bot run, as a question is about to leave, and measure from here."""
        self._continue()
        self._measured_at, self._bot_use, self._referee_use = (
            current_time(),
            self._tree.measure(),
            self._measure_referee(),
        )

    def pause(self) -> None:
        """Stop the bot, as it has no open question."""
        if self._ponder:
            return
        self._tree.scan()
        self._is_paused = True
        self._paused_pids = [pid for pid in self._tree.pids if _send_signal(pid, signal.SIGSTOP)]

    async def watch_crowd(self, threads: trio.CapacityLimiter) -> None:
        """Pause those of a bot with many threads that are found later, until cancelled.

        threads: bounds the threads that look for them, as the loop that serves all bots has no time for that.
        """
        while True:
            await trio.sleep(SCAN_SECONDS)
            if self._tree.is_crowded:
                await self._tree.scan_crowd(threads)
                if self._is_paused:
                    found = set(self._tree.pids).difference(self._paused_pids)
                    self._paused_pids += [pid for pid in found if _send_signal(pid, signal.SIGSTOP)]

    def measure_delay(self, lag: float = 0.0) -> tuple[float, float]:
        """Measure the time since `resume`, or since the last measurement.

        lag: seconds that an answer has waited in the referee.

        Returns: the seconds that are not the bot's, and how many of them the referee caused. A bot that runs on one
        core while others of its threads wait for it is not delayed: the first is at most the time in which none ran.
        Of a bot with many threads only what the referee caused is known.
        """
        now, bot_use, referee_use = current_time(), self._tree.measure(), self._measure_referee()
        ran, ready = bot_use.since(self._bot_use)
        lag = lag + referee_use.since(self._referee_use).waited if self._referee is not None else 0.0
        idle = max(0.0, now - self._measured_at - ran)
        self.waited += min(ready, idle)
        if self._referee is not None:
            self._referee.max_lag = max(self._referee.max_lag, lag)
        self._measured_at, self._bot_use, self._referee_use = now, bot_use, referee_use
        return min(ready + lag, idle), lag

    def measure_start_delay(self) -> float:
        """Return for how many seconds since the last measurement it had no core, before its first question.

        The referee, which has asked nothing yet, delays nobody.
        """
        now, bot_use = current_time(), self._tree.measure()
        ran, ready = bot_use.since(self._bot_use)
        idle = max(0.0, now - self._measured_at - ran)
        self._measured_at, self._bot_use = now, bot_use
        return min(ready, idle)

    def release(self) -> None:
        """Let the bot run to its end; never pause it again."""
        self._continue()
        self._ponder = True

    def close(self) -> None:
        """Close the files of the kernel's counters."""
        self._tree.close()

    def _measure_referee(self) -> CpuUse:
        return NO_USE if self._referee is None else self._referee.measure()

    def _continue(self) -> None:
        for pid in self._paused_pids:
            _send_signal(pid, signal.SIGCONT)
        self._paused_pids = []
        self._is_paused = False


def _send_signal(pid: int, number: signal.Signals) -> bool:
    """Tell whether the signal could be sent."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
        return True
    return False
