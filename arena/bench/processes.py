"""Processes from outside: CPU time, memory, descendants. And where this one runs."""

import gc
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_CPU_CLOCK = 2
"""CPUCLOCK_SCHED of the kernel's clock ids: the time that a process ran, in user and system mode."""


def cpu_seconds(pid: int) -> float | None:
    """Return the CPU time of all threads of a process, or None if it has ended.

    By its CPU clock, whose id is made of the process id (clock_getcpuclockid(3)): to the nanosecond,
    where /proc counts in hundredths of a second.
    """
    try:
        return time.clock_gettime(~pid << 3 | _CPU_CLOCK)
    except OSError:
        return None


def children(pid: int) -> list[int]:
    """Return the direct children of a process, of all its threads."""
    pids: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                pids += map(int, (task / "children").read_text().split())
    return pids


def descendants(pid: int) -> list[int]:
    """Return all processes below a process."""
    pids = children(pid)
    for child in pids:
        pids += children(child)
    return pids


def peak_memory(pid: int) -> int:
    """Return the largest resident size that a process has had, in bytes; 0 where it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


class CpuMeter:
    """The CPU time of a group of processes that come and go.

    seconds: of all of them together, as `look` last saw each.
    """

    def __init__(self) -> None:
        self._seen: dict[int, float] = {}

    def look(self, pids: Iterable[int]) -> None:
        """Read the clocks of `pids`; those seen before and gone now keep what they had."""
        for pid in pids:
            spent = cpu_seconds(pid)
            if spent is not None:
                self._seen[pid] = spent

    @property
    def seconds(self) -> float:
        return sum(self._seen.values())


def spare_core() -> int:
    """Return the core to pin to: the last that this process may use, as the first serves most interrupts."""
    return max(os.sched_getaffinity(0))


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Run the block on one core, with the garbage collector as rare as a referee has it."""
    allowed, thresholds = os.sched_getaffinity(0), gc.get_threshold()
    os.sched_setaffinity(0, {core})
    gc.collect()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        os.sched_setaffinity(0, allowed)


@contextmanager
def off(core: int) -> Iterator[None]:
    """Run the block on the other cores, where there are any."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, allowed - {core} or allowed)
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
