"""Watches the memory of programs, and the number of their processes, where no control group limits the memory.

Limits of single processes do not count memory that is mapped read-only after it was filled, stacks that grow, page
tables, what the kernel notes of mappings, and what several processes share. The kernel tells how much of it is there
(/proc/PID/status, maps and smaps_rollup, see the kernel's documentation of proc), and how much lies in the folders in
memory that a sandbox has.
"""

import os
import re
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import cache
from mmap import PAGESIZE
from pathlib import Path

import trio

from referee.process.background import in_background
from referee.process.cpu_accounting import FEW_THREADS, cpu_seconds, few_descendants
from referee.process.open_descriptors import kept_bytes, most_kept
from referee.sandbox.limits import PROCESSES

LOOK_SECONDS = 0.4
LEAST_SECONDS = 0.05
"""The longest and the shortest time between two looks."""

FILL_BYTES = 2 << 30
"""What a program is thought to fill in a second of one core, page by page; a look comes before it has no room left."""

FEW_PROCESSES = 16
"""Of a program with more it is not asked whether they have run: the loop that serves all bots asks."""

_OWN, _SHARED = ("RssAnon", "VmSwap", "VmPTE"), ("RssShmem",)
_OWN_SHARES, _SHARED_SHARES = ("Pss_Anon", "SwapPss"), ("Pss_Shmem",)
_PLACES = "FDSize"
"""How many descriptors a process has room for."""

_SIZE = "VmSize"
"""How much a process has mapped, be it there or not."""

_FIELD = re.compile(
    rf"^({'|'.join((*_OWN, *_SHARED, *_OWN_SHARES, *_SHARED_SHARES, _PLACES, _SIZE))}):\s+(\d+)( kB)?$".encode(),
    re.MULTILINE,
)
_FIELD_BYTES = 1 << 14

SANDBOX_PROCESSES = 16
"""Beyond those of the program: bubblewrap, the guardian, those that have just ended."""

_FOLDERS = ("tmp", "dev/shm")
"""Where a sandbox has file systems of its own in memory."""

SHARE_SECONDS = 0.5
"""CPU time in which the kernel is asked for shares: a bot decides how long it takes, and could hold more meanwhile."""

_INODE_BYTES = 1024
"""What the kernel takes for a file in memory, beside its content."""

_AREA_BYTES = 384
"""What the kernel takes for an area of mapped memory, at most: 214 bytes, and 120 more once a page of it was there."""

_USUAL_AREAS = 65_530
_MAX_AREAS = Path("/proc/sys/vm/max_map_count")


class Excess(Enum):
    """Of what the descendants of a process have more than granted."""

    MEMORY = "memory"
    PROCESSES = "processes and threads"


async def watch_memory(
    root_pid: int, memory_bytes: int, exceeded: Callable[[Excess], None], threads: trio.CapacityLimiter
) -> None:
    """Call `exceeded` once, when the descendants of a process have more than granted; until then, or cancelled.

    Their number is the bot's choice, so the look is beside the loop that serves all bots.

    threads: bounds the threads that look.
    """
    watch = MemoryWatch(root_pid, memory_bytes)
    while (excess := await in_background(watch.look, threads)) is None:
        with trio.move_on_after(LOOK_SECONDS):
            await trio.sleep(watch.seconds)
            while seconds := watch.spare_seconds():
                await trio.sleep(seconds)
    exceeded(excess)
    watch.end_found()


class MemoryWatch:
    """Watches the memory of what a process starts.

    seconds: how long after the last look they cannot have filled what they may hold.
    """

    def __init__(self, root_pid: int, memory_bytes: int, processes: int = PROCESSES) -> None:
        """Watch the descendants of process `root_pid`.

        memory_bytes: what they may hold together.
        processes: how many they may be, each thread counted.
        """
        self.seconds = LEAST_SECONDS
        self._root_pid = root_pid
        self._memory_bytes = memory_bytes
        self._processes = processes
        self._pids: list[int] = []
        self._used: list[float] = []
        self._looked_at = -LOOK_SECONDS

    def look(self) -> Excess | None:
        """Look, and return of what they have more than granted; None where they keep within it.

        More processes than granted are not looked at, as a look takes the longer.
        """
        used = _cpu_times(self._pids)
        pids = few_descendants(self._root_pid, self._processes + SANDBOX_PROCESSES)
        if pids is None:
            self._pids = []
            return Excess.PROCESSES
        held = held_bytes(pids, self._memory_bytes)
        # Of processes that are new nobody knows what they have started since they were found.
        self._used = used if pids == self._pids else []
        self._pids = pids
        self.seconds = min(LOOK_SECONDS, max(LEAST_SECONDS, (self._memory_bytes - held) / FILL_BYTES))
        return Excess.MEMORY if held > self._memory_bytes else None

    def spare_seconds(self) -> float:
        """Return how long they need not be looked at, as they have used too little CPU time since; 0 if they must be.

        Those that have not run have started nothing. Otherwise it is asked whether there are others now, whose CPU time
        is unknown.
        """
        used = _cpu_times(self._pids)
        if len(used) != len(self._used) or not used:
            return 0.0
        if used == self._used:
            return self.seconds
        left = self.seconds - (sum(used) - sum(self._used))
        if left < LEAST_SECONDS or few_descendants(self._root_pid, FEW_THREADS) != self._pids:
            return 0.0
        return left

    def find_excess(self) -> Excess | None:
        """Look, unless the last look says enough, and end those that have too much.

        It is for a loop that serves nobody else and calls this often.
        """
        now = time.monotonic()
        age = now - self._looked_at
        if age < self.seconds or (age < LOOK_SECONDS and self.spare_seconds() > 0):
            return None
        excess = self.look()
        self._looked_at = time.monotonic()
        if excess is not None:
            self.end_found()
        return excess

    def end_found(self) -> None:
        """End those that the last look found: until their sandbox ends them, which takes a core, they go on filling."""
        for pid in self._pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _cpu_times(pids: list[int]) -> list[float]:
    """Return the CPU seconds of processes; none where one has ended, or there are many."""
    if len(pids) > FEW_PROCESSES:
        return []
    try:
        return [cpu_seconds(pid) for pid in pids]
    except OSError:
        return []


def held_bytes(pids: Iterable[int], most: int, proc: Path = Path("/proc")) -> int:
    """Return how much memory processes hold: their own, what they share, files in memory, swap and page tables.

    Memory that they share and files are not added, as mapped files are both: the larger of the two counts. Buffers of
    sockets and pipes (see `open_descriptors`) and what the kernel notes of mappings are added where they could matter.

    most: up to there the sum of what each holds is enough, which counts what they share several times; only beyond it
        the kernel is asked for the share of each, which takes it a hundred times as long, those that hold most first,
        and until it is clear that they hold more. Those that it was not asked for within `SHARE_SECONDS` count in full.
    proc: where the kernel tells of them.
    """
    pids = list(pids)
    files = _file_bytes(pids, proc)
    seen = {pid: _fields(f"{proc}/{pid}/status") for pid in pids}
    total = sum(_sum(held, _OWN) for held in seen.values())
    total += max(files, sum(_sum(held, _SHARED) for held in seen.values()))
    places = {pid: held.get(_PLACES, 0) for pid, held in seen.items()}
    areas = {pid: min(_max_areas(), held.get(_SIZE, 0) // PAGESIZE) for pid, held in seen.items()}
    if total + most_kept(places.values()) + sum(areas.values()) * _AREA_BYTES <= most:
        return total
    deadline = time.thread_time() + SHARE_SECONDS
    kept = kept_bytes(places, deadline, proc) + _area_bytes(areas, deadline, proc)
    if total + kept <= most or any(_sum(held, _OWN) > most for held in seen.values()):
        return total + kept
    own, shared = 0, 0
    for pid, held in sorted(seen.items(), key=lambda item: _sum(item[1], _OWN), reverse=True):
        shares = _fields(f"{proc}/{pid}/smaps_rollup") if time.thread_time() < deadline else {}
        own += _sum(shares, _OWN_SHARES) + held.get("VmPTE", 0) if shares else _sum(held, _OWN)
        shared += _sum(shares, _SHARED_SHARES) if shares else _sum(held, _SHARED)
        if own + kept > most:
            break
    return own + max(files, shared) + kept


@cache
def _max_areas() -> int:
    """Return how many areas of memory a process may have mapped."""
    with suppress(OSError):
        return int(_MAX_AREAS.read_text())
    return _USUAL_AREAS


def _area_bytes(most_areas: dict[int, int], deadline: float, proc: Path) -> int:
    """Return what the kernel takes for the areas of memory that processes have mapped.

    most_areas: how many each can have, by its id.
    deadline: by `time.thread_time`; those that were not asked until then, or may not be asked, count with all of them.
    proc: where the kernel tells.
    """
    areas = 0
    for pid, most in most_areas.items():
        counted = _count_areas(f"{proc}/{pid}/maps") if most and time.thread_time() < deadline else None
        areas += most if counted is None else min(most, counted)
    return areas * _AREA_BYTES


def _count_areas(path: str) -> int | None:
    """Return the number of lines of a file of the kernel; None where it may not be read."""
    lines = 0
    try:
        with open(path, "rb", buffering=0) as file:
            while part := file.read(_FIELD_BYTES):
                lines += part.count(b"\n")
    except (FileNotFoundError, ProcessLookupError):  # the process has ended
        return 0
    except OSError:
        return None
    return lines


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


def _fields(path: str) -> dict[str, int]:
    """Return fields of a file of the kernel, sizes in bytes; none where the process has ended or may not be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return {}
    try:
        text = os.read(file, _FIELD_BYTES)
    except OSError:
        return {}
    finally:
        os.close(file)
    return {name.decode(): int(value) * (1024 if unit else 1) for name, value, unit in _FIELD.findall(text)}
