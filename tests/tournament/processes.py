"""Processes as /proc shows them: who descends from whom, and waiting for their ends."""

import os
import select
from contextlib import suppress
from pathlib import Path


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
