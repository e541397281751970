"""Watches the memory of a bot where no control group limits it.

Limits of single processes do not count memory that is mapped read-only after it was filled, stacks that grow, page
tables, and what several processes share. The kernel tells how much of it is there (/proc/PID/status and smaps_rollup,
see the kernel's documentation of proc).
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import trio

from referee.process.background import in_background
from referee.process.cpu_accounting import descendants

LOOK_SECONDS = 0.4
"""How long after one look the next one begins."""

_HELD = ("RssAnon", "RssShmem", "VmSwap", "VmPTE")
_SHARES = ("Pss_Anon", "Pss_Shmem", "SwapPss")


async def watch_memory(
    root_pid: int, memory_bytes: int, exceeded: Callable[[], None], threads: trio.CapacityLimiter
) -> None:
    """Call `exceeded` once, when the descendants of a process hold more memory than granted; until then, or cancelled.

    Their number is the bot's choice, so the look is beside the loop that serves all bots. threads: bounds such threads.
    """
    while not await in_background(partial(_exceeds, root_pid, memory_bytes), threads):
        await trio.sleep(LOOK_SECONDS)
    exceeded()


def held_bytes(pids: Iterable[int], most: int, proc: Path = Path("/proc")) -> int:
    """Return how much memory processes hold: their own, what they share, swapped memory, and page tables.

    most: up to there the sum of what each holds is enough, which counts what they share several times; only beyond it
    the kernel is asked for the share of each, which takes it a hundred times as long. proc: where it tells of them.
    """
    seen = [(pid, _fields(proc / str(pid) / "status", _HELD)) for pid in pids]
    if sum(sum(held.values()) for _, held in seen) <= most:
        return sum(sum(held.values()) for _, held in seen)
    total = 0
    for pid, held in seen:
        shares = _fields(proc / str(pid) / "smaps_rollup", _SHARES)
        total += sum(shares.values()) + held.get("VmPTE", 0) if shares else sum(held.values())
    return total


def _exceeds(root_pid: int, memory_bytes: int) -> bool:
    return held_bytes(descendants(root_pid), memory_bytes) > memory_bytes


def _fields(path: Path, names: tuple[str, ...]) -> dict[str, int]:
    """Return fields of a file of the kernel, in bytes; none where the process has ended or may not be read."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return {}
    words = (line.partition(":") for line in lines)
    return {name: int(value.split()[0]) * 1024 for name, _, value in words if name in names}
