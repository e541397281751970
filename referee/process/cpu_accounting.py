"""What processes had of the processor: how long they ran, and how long they were ready to run and had no core.

The kernel counts both for each thread (/proc/PID/task/TID/schedstat, see the kernel's sched-stats documentation).
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from trio import current_time

WALK_SECONDS = 0.25
"""How old the list of threads may be: finding them costs a hundred times what reading them does."""

_LINE_BYTES = 96
_NANO = 1e-9


class Use(NamedTuple):
    """Seconds. ran: on a core. waited: for a core."""

    ran: float
    waited: float

    def since(self, earlier: "Use") -> "Use":
        """Return what was added since `earlier`."""
        return Use(self.ran - earlier.ran, self.waited - earlier.waited)


def family(root: int) -> list[int]:
    """Return all processes that descend from a process, parents first; not itself."""
    found = [root]
    for pid in found:
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                    found += map(int, file.read().split())
    return found[1:]


def is_counted() -> bool:
    """Tell whether the kernel of this machine counts."""
    try:
        with open("/proc/self/schedstat", "rb") as file:
            return len(file.read().split()) == 3
    except OSError:
        return False


class Processor:
    """The use of processes together, since they were first looked at."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, str], int] = {}
        self._last: dict[tuple[int, str], Use] = {}
        self._gone = Use(0.0, 0.0)

    def watch(self, pids: Iterable[int]) -> None:
        """Watch all threads that these processes have now."""
        for pid in pids:
            with suppress(OSError):
                for task in os.listdir(f"/proc/{pid}/task"):
                    if (pid, task) not in self._files:
                        self._files[pid, task] = os.open(f"/proc/{pid}/task/{task}/schedstat", os.O_RDONLY)

    def use(self) -> Use:
        """Return what all threads that were ever watched have had so far."""
        ran, waited = self._gone
        for thread, file in list(self._files.items()):
            try:
                words = os.pread(file, _LINE_BYTES, 0).split()
                use = self._last[thread] = Use(int(words[0]) * _NANO, int(words[1]) * _NANO)
            except (OSError, IndexError):  # it has ended
                os.close(self._files.pop(thread))
                last = self._last.pop(thread, Use(0.0, 0.0))
                self._gone = Use(self._gone.ran + last.ran, self._gone.waited + last.waited)
                use = last
            ran += use.ran
            waited += use.waited
        return Use(ran, waited)

    def close(self) -> None:
        """Give back the files."""
        for file in self._files.values():
            os.close(file)
        self._files.clear()


class Household:
    """A process whose descendants are watched. pids: those it had when last looked for."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._processor = Processor()
        self._walked = -WALK_SECONDS
        self.pids: list[int] = []

    def walk(self) -> None:
        """Look for its descendants, where that was not done just now."""
        now = current_time()
        if now - self._walked >= WALK_SECONDS:
            self._walked = now
            self.pids = family(self._root)
            self._processor.watch(self.pids)

    def use(self) -> Use:
        """Return what they have had so far."""
        self.walk()
        return self._processor.use()

    def close(self) -> None:
        """Give back the files."""
        self._processor.close()
