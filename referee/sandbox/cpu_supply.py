"""Which CPU this process may use: the cores of its affinity, and the quotas of its control groups up to the root.

A container, a systemd unit or a queueing system limits CPU time by a quota and leaves all cores visible: half a core
is two cores by affinity.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.sandbox.cgroup_hierarchy import own_groups


@dataclass(frozen=True, slots=True)
class CpuSupply:
    """What CPU there is for this process and its children together."""

    affinity: frozenset[int]
    """The cores on which they may run."""
    present: int
    """The number of cores of the machine."""
    quota: float | None = None
    """Cores' worth of CPU time, such as 0.5, by the strictest quota; None without one."""
    group: Path | None = None
    """The folder of the control group that has this quota; None without one."""

    @property
    def cores(self) -> int:
        """The number of programs that can work at the same time, each with a core's worth of CPU time; at least 1."""
        if self.quota is None:
            return len(self.affinity)
        return max(1, min(len(self.affinity), int(self.quota)))

    @property
    def is_short(self) -> bool:
        """Whether the quota gives less than the cores of the affinity."""
        return self.quota is not None and self.quota < len(self.affinity)


def cpu_supply(proc: Path = Path("/proc/self")) -> CpuSupply:
    """Return the CPU that there is now; quotas may change while a program runs.

    proc: where the kernel tells of this process.
    """
    quotas = [(quota, folder) for folder, quota in _quotas(proc)]
    quota, group = min(quotas, key=lambda limit: limit[0], default=(None, None))
    return CpuSupply(frozenset(os.sched_getaffinity(0)), os.cpu_count() or 1, quota, group)


def usable_cores() -> int:
    """Return how many programs can work at the same time, as a number of processes; at least 1."""
    return cpu_supply().cores


def _quotas(proc: Path) -> list[tuple[Path, float]]:
    """Return the quotas of the control groups of this process and of those above, in cores."""
    found = []
    for folder, controllers, version in own_groups(proc):
        if "cpu" in controllers:
            quota = _second_version(folder) if version == 2 else _first_version(folder)
            if quota is not None:
                found.append((folder, quota))
    return found


def _second_version(folder: Path) -> float | None:
    """Return the quota of a group of version 2, whose cpu.max is "max 100000" or "50000 100000"."""
    with suppress(OSError, ValueError):
        quota, period = (folder / "cpu.max").read_text().split()
        if quota != "max" and int(period) > 0:
            return int(quota) / int(period)
    return None


def _first_version(folder: Path) -> float | None:
    """Return the quota of a group of version 1, where -1 is none."""
    with suppress(OSError, ValueError):
        quota = int((folder / "cpu.cfs_quota_us").read_text())
        period = int((folder / "cpu.cfs_period_us").read_text())
        if quota > 0 and period > 0:
            return quota / period
    return None
