"""Control groups limit all processes of a bot together.

    memory    data, shared memory and files in /tmp; a bot that exceeds the limit is ended by the kernel
    pids      processes and threads
    cpu       the time of one core, or of all that this process has where that is less, and an equal share of a core
              that several bots use

Version 2 needs a group that is delegated to us (systemd: `Delegate=yes`, or any group of a user's own session);
version 1 needs a folder of each controller that we may write to, as root has.
"""

import atexit
import errno
import os
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from referee.sandbox.cgroup_hierarchy import ParentGroup, find_parents
from referee.sandbox.cpu_supply import cpu_supply
from referee.sandbox.limits import PROCESSES

_PERIOD_US = 100_000

_LEAST_QUOTA_US = 1000
"""The kernel takes no smaller quota."""

_WEIGHT_FILES = {1: "cpu.shares", 2: "cpu.weight"}
_WEIGHTS = {1: "8192", 2: "800"}
"""The CPU weight of all bots together, by version: that of eight other programs.

With the default weight, that of one program, they would give way to the referee whenever it has anything to do: then
batches are small, and a decision costs a tenth more.
"""

_OPTIONAL = {"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"}
"""Files that old kernels and kernels without swap accounting do not have."""


def limits(version: int, controller: str, memory_bytes: int, processes: int) -> dict[str, str]:
    """Return the values of the files of a group's memory or processes, by file name."""
    if version == 2:
        second = {
            "memory": {"memory.max": str(memory_bytes), "memory.swap.max": "0", "memory.oom.group": "1"},
            "pids": {"pids.max": str(processes)},
        }
        return second[controller]
    first = {
        "memory": {
            "memory.limit_in_bytes": str(memory_bytes),
            "memory.memsw.limit_in_bytes": str(memory_bytes),
        },
        "pids": {"pids.max": str(processes)},
    }
    return first[controller]


def cpu_limit(version: int, cores: float) -> dict[str, str]:
    """Return the values of the files of a group's CPU time, by file name.

    cores: the quota. In version 1 the kernel refuses one that is larger than that of a group above.
    """
    quota = max(_LEAST_QUOTA_US, int(cores * _PERIOD_US))
    if version == 2:
        return {"cpu.max": f"{quota} {_PERIOD_US}"}
    return {"cpu.cfs_period_us": str(_PERIOD_US), "cpu.cfs_quota_us": str(quota)}


_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Group:
    """The control groups of one bot, one for each hierarchy."""

    folders: tuple[Path, ...]
    """The folder of the group in each hierarchy."""
    memory: tuple[Path, int] | None
    """The folder of the group that counts memory, and the version of its hierarchy; None where none does."""

    @property
    def join_files(self) -> list[str]:
        """The files to which a process writes 0 to join."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    def out_of_memory(self) -> bool:
        """Tell whether the kernel ended a process because the group exceeded its memory."""
        if self.memory is None:
            return False
        folder, version = self.memory
        return _counts(folder / ("memory.events" if version == 2 else "memory.oom_control"), "oom_kill")

    def out_of_processes(self) -> bool:
        """Tell whether the kernel refused a process because the group had its number of them."""
        return any(_counts(folder / "pids.events", "max") for folder in self.folders)

    def kill(self) -> None:
        """End every process in the groups."""
        for folder in self.folders:
            _kill(folder)

    def remove(self) -> bool:
        """Remove the groups; return whether all are removed, as their processes may take a moment to end."""
        removed = [_remove(folder) for folder in self.folders]
        return all(removed)


class Groups:
    """Makes the control groups of bots, below one group of this process in each hierarchy."""

    def __init__(self, places: list[ParentGroup]) -> None:
        self.no_cpu_quota = ""
        """Why the newest bot has no CPU quota of its own; empty if it has one, or before the first bot."""
        self._places = places
        self._parents: dict[Path, Path] = {}
        self._unremoved: deque[Group] = deque()

    @property
    def controllers(self) -> frozenset[str]:
        """Those of "memory", "pids" and "cpu" that are limited."""
        return frozenset(controller for place in self._places for controller in place.controllers)

    def new(self, memory_bytes: int, processes: int = PROCESSES) -> Group:
        """Make the groups of one bot. Raises OSError where that fails."""
        self._remove_leftovers()
        bot = f"bot-{next(_NUMBERS)}"
        folders: list[Path] = []
        memory = None
        try:
            for place in self._places:
                folder = self._parent(place) / bot
                folder.mkdir()
                folders.append(folder)
                for controller in place.controllers:
                    if controller == "cpu":
                        self._limit_cpu(folder, place.version)
                        continue
                    for name, value in limits(place.version, controller, memory_bytes, processes).items():
                        _write(folder / name, value)
                if "memory" in place.controllers:
                    memory = (folder, place.version)
        except OSError:
            Group(tuple(folders), None).remove()
            raise
        return Group(tuple(folders), memory)

    def _limit_cpu(self, folder: Path, version: int) -> None:
        """Limit a group to one core, or to what this process has; where the kernel takes no quota, leave it without.

        It then shares what the groups above have. A quota above may also be lowered at the same moment.
        """
        quota = cpu_supply().quota
        try:
            for name, value in cpu_limit(version, 1.0 if quota is None else min(quota, 1.0)).items():
                (folder / name).write_text(value)
        except OSError as error:
            self.no_cpu_quota = f"{folder.parent} takes no CPU quota ({error.strerror})"
        else:
            self.no_cpu_quota = ""

    def end(self, group: Group) -> None:
        """End what is left of a bot, and remove its groups now or once its last process has ended.

        Any thread may call this; ending many processes takes a while.
        """
        group.kill()
        if not group.remove():
            self._unremoved.append(group)

    def _remove_leftovers(self) -> None:
        for _ in range(len(self._unremoved)):  # a thread may add more
            group = self._unremoved.popleft()
            if not group.remove():
                self._unremoved.append(group)

    def _parent(self, place: ParentGroup) -> Path:
        if place.folder not in self._parents:
            sweep(place.folder)
            parent = place.folder / f"{prefix()}{os.getpid()}"
            parent.mkdir(exist_ok=True)
            if "cpu" in place.controllers:
                _write(parent / _WEIGHT_FILES[place.version], _WEIGHTS[place.version])
            if place.version == 2:
                _write(parent / "cgroup.subtree_control", " ".join(f"+{name}" for name in place.controllers))
            self._parents[place.folder] = parent
            atexit.register(clean, parent)
        return self._parents[place.folder]


def find_groups() -> tuple[Groups | None, str]:
    """Return the control groups of this machine, or None, and in words what is missing."""
    parents, missing = find_parents()
    return (Groups(parents) if parents else None), missing


def clean(parent: Path) -> None:
    """End everything in and below a group, and remove the groups that are empty by then."""
    for folder in [*_below(parent), parent]:
        _kill(folder)
        _remove(folder)


def _below(parent: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (path for path in parent.iterdir() if path.is_dir())


def sweep(folder: Path) -> None:
    """Remove groups that processes left behind because they were killed."""
    for path in _below(folder):
        pid = path.name.removeprefix(prefix())
        if pid != path.name and pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            clean(path)


def prefix() -> str:
    """Return the prefix of our groups' names; it names the pid namespace, as process ids differ between containers."""
    return f"arena-{os.stat('/proc/self/ns/pid').st_ino}-"


def _counts(path: Path, name: str) -> bool:
    """Tell whether a file of the kernel counts at least one event of that name."""
    with suppress(OSError):
        lines = map(str.split, path.read_text().splitlines())
        return any(event == name and int(count) for event, count in lines)
    return False


def _kill(folder: Path) -> None:
    with suppress(OSError), open(folder / "cgroup.kill", "r+") as file:  # version 2, Linux 5.14
        file.write("1")
        return
    for _ in range(100):  # a process that forks meanwhile is caught in the next round
        try:
            pids = (folder / "cgroup.procs").read_text().split()
        except OSError:
            return
        if not pids:
            return
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


def _remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError as error:
        return error.errno != errno.EBUSY
    return True


def _write(path: Path, value: str) -> None:
    try:
        path.write_text(value)
    except OSError:
        if path.name not in _OPTIONAL:
            raise
