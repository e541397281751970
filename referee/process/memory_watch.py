"""Watches the memory of programs where no control group limits it.

Limits of single processes do not count memory that is mapped read-only after it was filled, stacks that grow, page
tables, and what several processes share. The kernel tells how much of it is there (/proc/PID/status and smaps_rollup,
see the kernel's documentation of proc), and how much lies in the folders in memory that a sandbox has.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

import trio

from referee.process.background import in_background
from referee.process.cpu_accounting import descendants

LOOK_SECONDS = 0.4
"""How long after one look the next one begins."""

_OWN, _SHARED = ("RssAnon", "VmSwap", "VmPTE"), ("RssShmem",)
_OWN_SHARES, _SHARED_SHARES = ("Pss_Anon", "SwapPss"), ("Pss_Shmem",)

_FOLDERS = ("tmp", "dev/shm")
"""Where a sandbox has file systems of its own in memory."""

_INODE_BYTES = 1024
"""What the kernel takes for a file in memory, beside its content."""


async def watch_memory(
    root_pid: int, memory_bytes: int, exceeded: Callable[[], None], threads: trio.CapacityLimiter
) -> None:
    """Call `exceeded` once, when the descendants of a process hold more memory than granted; until then, or cancelled.

    Their number is the bot's choice, so the look is beside the loop that serves all bots. threads: bounds such threads.
    """
    while not await in_background(partial(exceeds, root_pid, memory_bytes), threads):
        await trio.sleep(LOOK_SECONDS)
    exceeded()


class MemoryWatch:
    """Watches the memory of what a process starts, for a loop that serves nobody else; called often, it seldom looks.

    root_pid: the process. memory_bytes: what its descendants may hold together.
    """

    def __init__(self, root_pid: int, memory_bytes: int) -> None:
        self._root_pid = root_pid
        self._memory_bytes = memory_bytes
        self._next = 0.0

    def exceeds(self) -> bool:
        """Look, unless the last look is recent, and tell whether they hold more than granted."""
        if time.monotonic() < self._next:
            return False
        exceeded = exceeds(self._root_pid, self._memory_bytes)
        self._next = time.monotonic() + LOOK_SECONDS
        return exceeded


def exceeds(root_pid: int, memory_bytes: int) -> bool:
    """Tell whether the descendants of a process hold more memory than granted."""
    return held_bytes(descendants(root_pid), memory_bytes) > memory_bytes


def held_bytes(pids: Iterable[int], most: int, proc: Path = Path("/proc")) -> int:
    """Return how much memory processes hold: their own, what they share, files in memory, swap and page tables.

    Memory that they share and files are not added, as mapped files are both: the larger of the two counts.

    most: up to there the sum of what each holds is enough, which counts what they share several times; only beyond it
    the kernel is asked for the share of each, which takes it a hundred times as long. proc: where it tells of them.
    """
    pids = list(pids)
    files = _file_bytes(pids, proc)
    seen = [(pid, _fields(proc / str(pid) / "status", (*_OWN, *_SHARED))) for pid in pids]
    total = sum(_sum(held, _OWN) for _, held in seen) + max(files, sum(_sum(held, _SHARED) for _, held in seen))
    if total <= most:
        return total
    own, shared = 0, 0
    for pid, held in seen:
        shares = _fields(proc / str(pid) / "smaps_rollup", (*_OWN_SHARES, *_SHARED_SHARES))
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
