"""How many bots this machine can hold at a time, and what a phase needs of it.

A phase of many bots starts a process for each, and while it ends the next one starts beside it, on each referee. Where
that is more than memory, control groups or limits of processes and open files allow, phases do not overlap, then fewer
referees play, and at last phases are played in parts of fewer bots. No result depends on it.

The needs of a bot were measured with sample bots in Python under bubblewrap: 3 processes, 9 tasks (processes and
threads), 6 MB of its own, and 4 open files of its referee.
"""

import os
import resource
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.sandbox.cgroup_hierarchy import own_groups

BOT_PROCESSES = 3
BOT_BYTES = 6_000_000
REFEREE_BYTES = 40_000_000
"""What a plan says that bots and referees need; arena itself needs as much as a referee."""

ALLOWED_BYTES = 24_000_000
ALLOWED_TASKS = 12
ALLOWED_FILES = 6
"""What each bot may need of the limits: more than usual, as other languages and thinking bots need more."""

_MEMORY_SHARE = 0.8
"""The share of the available memory that bots may fill."""

_RESERVED_TASKS = 64
_RESERVED_FILES = 128
"""What arena and a referee need themselves."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """How many bots fit on a machine at a time, and how many of them in one referee."""

    bots: int
    per_referee: int
    reason: str
    """What allows no more bots."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """How a stage is played within a capacity."""

    jobs: int
    """The number of referees at the same time."""
    overlap: bool = True
    """Whether the next phase of a referee starts while the last matches of one end."""
    most_bots: int | None = None
    """The most bots of a work unit; None: as many as its phase has."""

    def peak_bots(self, bots: int) -> int:
        """Return how many bots run at the same time.

        bots: those of a phase.
        """
        return self.jobs * (2 if self.overlap else 1) * min(bots, self.most_bots or bots)

    def peak_processes(self, bots: int) -> int:
        """Return how many processes run at the same time, with those of sandboxes, referees and arena."""
        return BOT_PROCESSES * self.peak_bots(bots) + self.jobs + 1

    def peak_bytes(self, bots: int) -> int:
        """Return about how much memory they need."""
        return BOT_BYTES * self.peak_bots(bots) + REFEREE_BYTES * (self.jobs + 1)


def allocate(bots: int, seats: int, jobs: int, capacity: Capacity | None) -> Allocation:
    """Return how phases of `bots` bots, at tables of `seats`, are played by up to `jobs` referees.

    capacity: None where it is not known, as on a cluster.
    """
    if capacity is None or (jobs * 2 * bots <= capacity.bots and 2 * bots <= capacity.per_referee):
        return Allocation(jobs)
    at_most = min(capacity.bots, capacity.per_referee)
    if bots <= at_most:
        return Allocation(min(jobs, capacity.bots // bots), overlap=False)
    most_bots = max(at_most, seats)
    return Allocation(max(1, min(jobs, capacity.bots // most_bots)), overlap=False, most_bots=most_bots)


def describe(bots: int, jobs: int, allocation: Allocation, capacity: Capacity | None) -> str:
    """Return what phases of `bots` bots need, and what is done where that was too much for `jobs` referees."""
    referees = f"{allocation.jobs} {'referee' if allocation.jobs == 1 else 'referees'}"
    needs = (
        f"{referees} and up to {allocation.peak_bots(bots):,} bots at a time: {allocation.peak_processes(bots):,} "
        f"processes, about {allocation.peak_bytes(bots) / 1e9:.1f} GB of memory for small Python bots"
    )
    if allocation == Allocation(jobs) or capacity is None:
        return needs
    if allocation.most_bots is not None:
        what = f"a phase of {bots:,} bots is played in parts of {allocation.most_bots:,}, which takes many more starts"
    elif allocation.jobs < jobs:
        what = f"only {referees} of {jobs} {'plays' if allocation.jobs == 1 else 'play'}"
    else:
        what = "a phase begins only when the one before has ended"
    return f"{needs}; {what}, as there is room for {min(capacity.bots, capacity.per_referee):,} bots: {capacity.reason}"


def measure_capacity(proc: Path = Path("/proc")) -> Capacity:
    """Return how many more bots fit on this machine now.

    proc: where the kernel tells of itself.
    """
    _, hard_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    per_referee = max(hard_files - _RESERVED_FILES, 0) // ALLOWED_FILES if hard_files >= 0 else 1 << 30
    bots, reason = min(_limits(proc), default=(1 << 30, ""))
    if per_referee < bots:
        reason = f"a process may have {hard_files:,} open files (ulimit -n)"
    return Capacity(max(bots, 0), per_referee, reason)


def _limits(proc: Path) -> Iterator[tuple[int, str]]:
    """Yield how many bots each limit leaves room for, with its name."""
    available = _available_memory(proc)
    if available is not None:
        yield _by_memory(available), f"{available / 1e9:.1f} GB of memory are available"
    _, most_tasks = resource.getrlimit(resource.RLIMIT_NPROC)
    if most_tasks != resource.RLIM_INFINITY and os.geteuid() != 0:  # root is not limited
        yield _by_tasks(most_tasks - _own_tasks(proc)), f"a user may have {most_tasks:,} processes (ulimit -u)"
    for folder, controllers, version in own_groups(proc / "self"):
        if "pids" in controllers and (most := _number(folder / "pids.max")) is not None:
            used = _number(folder / "pids.current") or 0
            yield _by_tasks(most - used), f"the control group {folder} may have {most:,} processes (pids.max)"
        if "memory" in controllers:
            name, current, cached = (
                ("memory.max", "memory.current", "inactive_file")
                if version == 2
                else ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            )
            if (most := _number(folder / name)) is not None:
                left = most - (_number(folder / current) or 0) + _statistic(folder / "memory.stat", cached)
                yield _by_memory(left), f"the control group {folder} may have {most / 1e9:.1f} GB of memory ({name})"


def _by_memory(available: int) -> int:
    return int(available * _MEMORY_SHARE) // ALLOWED_BYTES


def _by_tasks(left: int) -> int:
    return (left - _RESERVED_TASKS) // ALLOWED_TASKS


def _available_memory(proc: Path) -> int | None:
    with suppress(OSError):
        for line in (proc / "meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def _own_tasks(proc: Path) -> int:
    """Return how many processes and threads this user has."""
    user, tasks = os.geteuid(), 0
    for folder in proc.glob("[0-9]*"):
        with suppress(OSError):
            if folder.stat().st_uid == user:
                tasks += sum(1 for _ in (folder / "task").iterdir())
    return tasks


def _statistic(path: Path, name: str) -> int:
    """Return a number of a control group's statistics, such as the cached files that it gives up first; 0: unknown."""
    with suppress(OSError):
        for line in path.read_text().splitlines():
            if line.startswith(f"{name} "):
                return int(line.split()[1])
    return 0


def _number(path: Path) -> int | None:
    """Return the number in a file of a control group; None where there is none, or no limit."""
    try:
        text = path.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None
