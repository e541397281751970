"""Watches the memory of programs, and the number of their processes, where no control group limits the memory.

Limits of single processes do not count memory that is mapped read-only after it was filled, stacks that grow, page
tables, and what several processes share. The kernel tells how much of it is there (/proc/PID/status and smaps_rollup,
see the kernel's documentation of proc), and how much lies in the folders in memory that a sandbox has.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import partial
from pathlib import Path

import trio

from referee.process.background import in_background
from referee.process.cpu_accounting import few_descendants
from referee.sandbox.limits import PROCESSES

LOOK_SECONDS = 0.4
"""How long after one look the next one begins."""

_OWN, _SHARED = ("RssAnon", "VmSwap", "VmPTE"), ("RssShmem",)
_OWN_SHARES, _SHARED_SHARES = ("Pss_Anon", "SwapPss"), ("Pss_Shmem",)

SANDBOX_PROCESSES = 16
"""Beyond those of the program: bubblewrap, the guardian, those that have just ended."""

_FOLDERS = ("tmp", "dev/shm")
"""Where a sandbox has file systems of its own in memory."""

SHARE_SECONDS = 1.0
"""CPU time in which the kernel is asked for shares: a bot decides how long it takes, and could hold more meanwhile."""

_INODE_BYTES = 1024
"""What the kernel takes for a file in memory, beside its content."""


class Excess(Enum):
    """Of what the descendants of a process have more than granted."""

    MEMORY = "memory"
    PROCESSES = "processes and threads"


async def watch_memory(
    root_pid: int, memory_bytes: int, exceeded: Callable[[Excess], None], threads: trio.CapacityLimiter
) -> None:
    """Call `exceeded` once, when the descendants of a process have more than granted; until then, or cancelled.

    Their number is the bot's choice, so the look is beside the loop that serves all bots. threads: bounds such threads.
    """
    while (excess := await in_background(partial(find_excess, root_pid, memory_bytes), threads)) is None:
        await trio.sleep(LOOK_SECONDS)
    exceeded(excess)


class MemoryWatch:
    """Watches the memory of what a process starts, for a loop that serves nobody else; called often, it seldom looks.

    root_pid: the process. memory_bytes: what its descendants may hold together. processes: how many they may be, each
    thread counted.
    """

    def __init__(self, root_pid: int, memory_bytes: int, processes: int = PROCESSES) -> None:
        self._root_pid = root_pid
        self._memory_bytes = memory_bytes
        self._processes = processes
        self._next = 0.0

    def find_excess(self) -> Excess | None:
        """Look, unless the last look is recent, and return of what they have more than granted."""
        if time.monotonic() < self._next:
            return None
        excess = find_excess(self._root_pid, self._memory_bytes, self._processes)
        self._next = time.monotonic() + LOOK_SECONDS
        return excess


def find_excess(root_pid: int, memory_bytes: int, processes: int = PROCESSES) -> Excess | None:
    """Return of what the descendants of a process have more than granted; None where they keep within it.

    processes: how many they may be, each thread counted; more are not looked at, as a look takes the longer.
    """
    pids = few_descendants(root_pid, processes + SANDBOX_PROCESSES)
    if pids is None:
        return Excess.PROCESSES
    return Excess.MEMORY if held_bytes(pids, memory_bytes) > memory_bytes else None


def held_bytes(pids: Iterable[int], most: int, proc: Path = Path("/proc")) -> int:
    """Return how much memory processes hold: their own, what they share, files in memory, swap and page tables.

    Memory that they share and files are not added, as mapped files are both: the larger of the two counts.

    most: up to there the sum of what each holds is enough, which counts what they share several times; only beyond it
    the kernel is asked for the share of each, which takes it a hundred times as long. Those that it was not asked for
    within `SHARE_SECONDS` count in full. proc: where it tells of them.
    """
    pids = list(pids)
    files = _file_bytes(pids, proc)
    seen = [(pid, _fields(proc / str(pid) / "status", (*_OWN, *_SHARED))) for pid in pids]
    total = sum(_sum(held, _OWN) for _, held in seen) + max(files, sum(_sum(held, _SHARED) for _, held in seen))
    if total <= most:
        return total
    own, shared = 0, 0
    deadline = time.thread_time() + SHARE_SECONDS
    for pid, held in seen:
        names = (*_OWN_SHARES, *_SHARED_SHARES) if time.thread_time() < deadline else ()
        shares = _fields(proc / str(pid) / "smaps_rollup", names) if names else {}
        own += _sum(shares, _OWN_SHARES) + held.get("VmPTE", 0) if shares else _sum(held, _OWN)
        shared += _sum(shares, _SHARED_SHARES) if shares else _sum(held, _SHARED)
    return own + max(files, shared)


def _file_bytes(pids: Iterable[int], proc: Path) -> int:
    """Return what files take in the file systems in memory of a sandbox; 0 where the processes have none of their own.

    A bot cannot change its mounts, so the first process that can be asked tells of all.
    """
    for pid in pids:
        with suppress(OSError):
            return sum(_used(os.path.join(proc, str(pid), "root", name), f"/{name}") for name in _FOLDERS)
    return 0


def _used(folder: str, ours: str) -> int:
    found = os.stat(folder).st_dev
    with suppress(FileNotFoundError):
        if os.stat(ours).st_dev == found:
            return 0
    usage = os.statvfs(folder)
    return (usage.f_blocks - usage.f_bfree) * usage.f_frsize + (usage.f_files - usage.f_ffree) * _INODE_BYTES


def _sum(fields: dict[str, int], names: Iterable[str]) -> int:
    return sum(fields.get(name, 0) for name in names)


def _fields(path: Path, names: tuple[str, ...]) -> dict[str, int]:
    """Return fields of a file of the kernel, in bytes; none where the process has ended or may not be read."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return {}
    words = (line.partition(":") for line in lines)
    return {name: int(value.split()[0]) * 1024 for name, _, value in words if name in names}
