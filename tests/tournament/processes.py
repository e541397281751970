"""Processes as /proc shows them: who descends from whom, and waiting for their ends."""

import os
import select
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

PATIENCE = 120.0
"""Seconds after which a test gives up what a process should do."""

Found = TypeVar("Found")


def descendants(root: int) -> list[int]:
    """Return the ids of all processes below `root`, parents first."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


def command(pid: int) -> str:
    """Return the command line of a process."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""


def wait_until(process: subprocess.Popen[Any], look: Callable[[], Found]) -> Found:
    """Wait for what a process brings about, and return it: what `look` finds, once that is true.

    It looks only now and then, as it is the process that needs the core.
    """
    end = monotonic() + PATIENCE
    while True:
        has_ended = process.poll() is not None
        if found := look():
            return found
        if has_ended:
            raise AssertionError(f"the process has ended before, with code {process.returncode}; seen last: {found!r}")
        if monotonic() > end:
            process.kill()  # who started it may wait for its end
            raise AssertionError(f"it does not happen within {PATIENCE:.0f} s; seen last: {found!r}")
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.02)  # once it has ended, one look more: it may have been its last act


class Watched:
    """Processes whose ends are waited for."""

    def __init__(self, pids: list[int]) -> None:
        self._ends: dict[int, str] = {}
        for pid in pids:
            with suppress(ProcessLookupError):
                self._ends[os.pidfd_open(pid)] = command(pid)

    def survivors(self, seconds: float = 20) -> list[str]:
        """Return the command lines of those that are not gone after some seconds."""
        left = dict(self._ends)
        poll = select.poll()
        for end in left:
            poll.register(end, select.POLLIN)
        while left and (gone := poll.poll(seconds * 1000)):
            for end, _ in gone:
                poll.unregister(end)
                del left[end]
        for end in self._ends:
            os.close(end)
        return list(left.values())
