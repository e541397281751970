"""The CPU time of processes: how long they ran, and how long they were ready to run and had no core.

The kernel counts both for each thread (/proc/PID/task/TID/schedstat, see the kernel's sched-stats documentation).
"""

import os
import sys
import time
from collections.abc import Container, Iterable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import trio
from trio import current_time

from referee.process.background import in_background

SCAN_SECONDS = 0.25
"""How old the list of threads may be: finding them costs a hundred times what reading them does."""

FEW_THREADS = 64
"""The most threads whose CPU time is counted: the loop reads a file for each of them, and all bots wait meanwhile."""

_CPU_CLOCK = 2
"""`CPUCLOCK_SCHED` of the kernel."""

_OWN_AND_ENDED = slice(11, 15)
"""The fields of /proc/PID/stat behind the name that tell its CPU time and that of the children that it waited for."""

_LINE_BYTES = 96
_NANO = 1e-9


class CpuUse(NamedTuple):
    """The CPU use of some threads."""

    ran: float
    """The seconds that they ran on a core."""
    waited: float
    """The seconds that they waited for a core."""

    def since(self, earlier: "CpuUse") -> "CpuUse":
        """Return the difference to `earlier`."""
        return CpuUse(self.ran - earlier.ran, self.waited - earlier.waited)


def descendants(root_pid: int) -> list[int]:
    """Return the ids of all processes that descend from a process, parents first; without itself."""
    return few_descendants(root_pid, sys.maxsize) or []


def few_descendants(root_pid: int, most_threads: int) -> list[int] | None:
    """Return what `descendants` does; None where these processes have more than so many threads."""
    pids, threads = [root_pid], 0
    for pid in pids:
        with suppress(OSError):
            tasks = os.listdir(f"/proc/{pid}/task")
            threads += len(tasks)
            if threads > most_threads:
                return None
            for task in tasks:
                with suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                    pids += map(int, file.read().split())
    return pids[1:]


def use_since_start(root_pid: int, most_threads: int = FEW_THREADS) -> CpuUse | None:
    """Return the CPU use of all descendants of a process since each began; None where they have more threads.

    Those that have ended count as running only, and only where their parents are left.
    """
    pids = few_descendants(root_pid, most_threads)
    if pids is None:
        return None
    ran, waited = 0, 0.0
    for pid in pids:
        with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
            ran += sum(map(int, file.read().rpartition(b")")[2].split()[_OWN_AND_ENDED]))
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError), open(f"/proc/{pid}/task/{task}/schedstat", "rb") as file:
                    waited += int(file.read().split()[1]) * _NANO
    return CpuUse(ran / os.sysconf("SC_CLK_TCK"), waited)


def is_counted() -> bool:
    """Tell whether the kernel of this machine counts CPU time and waiting time."""
    try:
        with open("/proc/self/schedstat", "rb") as file:
            words = file.read().split()
    except OSError:
        return False
    return len(words) == 3 and int(words[2]) > 0  # this process has had a core


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of all threads of a process, those that have ended included.

    Raises OSError where it has ended.
    """
    return time.clock_gettime(~pid << 3 | _CPU_CLOCK)


class CpuAccounting:
    """The CPU use of several processes together, from when each was added."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, str], int] = {}
        self._last: dict[tuple[int, str], CpuUse] = {}
        self._ended = CpuUse(0.0, 0.0)

    def add(self, pids: Iterable[int], but: Container[str] = ()) -> None:
        """Count all threads that these processes have now.

        but: the ids of those that are not counted.
        """
        for pid in pids:
            with suppress(OSError):
                for task in os.listdir(f"/proc/{pid}/task"):
                    if (pid, task) not in self._files and task not in but:
                        self._files[pid, task] = os.open(f"/proc/{pid}/task/{task}/schedstat", os.O_RDONLY)

    def measure(self) -> CpuUse:
        """Return the use of all threads so far, including those that have ended."""
        ran, waited = self._ended
        for thread, file in list(self._files.items()):
            try:
                words = os.pread(file, _LINE_BYTES, 0).split()
                use = self._last[thread] = CpuUse(int(words[0]) * _NANO, int(words[1]) * _NANO)
            except (OSError, IndexError):  # the thread has ended
                os.close(self._files.pop(thread))
                use = self._last.pop(thread, CpuUse(0.0, 0.0))
                self._ended = CpuUse(self._ended.ran + use.ran, self._ended.waited + use.waited)
            ran += use.ran
            waited += use.waited
        return CpuUse(ran, waited)

    def close(self) -> None:
        """Close the files of the kernel's counters."""
        for file in self._files.values():
            os.close(file)
        self._files.clear()


class ProcessTree:
    """The descendants of one process.

    pids: those found by the last `scan` or `scan_crowd`. is_crowded: they had more than `FEW_THREADS` threads once:
    then `scan` finds nothing more, and no CPU use is counted any more.
    """

    def __init__(self, root_pid: int) -> None:
        self._root_pid = root_pid
        self._accounting = CpuAccounting()
        self._scanned_at = -SCAN_SECONDS
        self._last = CpuUse(0.0, 0.0)
        self.pids: list[int] = []
        self.is_crowded = False

    def scan(self) -> None:
        """Look for descendants, unless the last scan is recent."""
        now = current_time()
        if not self.is_crowded and now - self._scanned_at >= SCAN_SECONDS:
            self._scanned_at = now
            pids = few_descendants(self._root_pid, FEW_THREADS)
            if pids is None:  # for good: what comes and goes cannot be told from what waited
                self.is_crowded = True
                self._accounting.close()
            else:
                self.pids = pids
                self._accounting.add(pids)

    async def scan_crowd(self, threads: trio.CapacityLimiter) -> None:
        """Look for descendants of any number, beside the loop.

        threads: bounds the threads that do such work.
        """
        self.pids = await in_background(partial(descendants, self._root_pid), threads)

    def measure(self) -> CpuUse:
        """Return the CPU use of all descendants so far; that of a crowd stays what it was."""
        self.scan()
        if not self.is_crowded:
            self._last = self._accounting.measure()
        return self._last

    def close(self) -> None:
        """Close the files of the kernel's counters."""
        self._accounting.close()
