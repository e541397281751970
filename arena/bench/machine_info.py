"""What was measured on."""

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from google.protobuf.internal import api_implementation

from arena import __version__
from referee import sandbox
from referee.build_info import compiled

LIBRARIES = ("grpcio", "protobuf", "trio", "sqlalchemy", "numpy", "scipy")


def describe() -> dict[str, Any]:
    """Return the machine as JSON values."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rules": "compiled" if compiled() else "interpreted",
        "versions": {"arena": __version__} | {library: version(library) for library in LIBRARIES},
        "protobuf_backend": api_implementation.Type(),
        "sandbox": sandbox.choose().mode,
        "reference_ns": round(reference(), 1),
    }


def reference(runs: int = 5, steps: int = 200_000) -> float:
    """Return the nanoseconds of CPU time that Python takes here, now, for one step of a plain loop.

    Machines, and moments on a shared one, are compared by it: a figure divided by this changes less.
    """
    spent = []
    for _ in range(runs):
        began, total = time.process_time(), 0
        for step in range(steps):
            total = total + step & 1023
        spent.append(time.process_time() - began)
    return min(spent) / steps * 1e9


def busy_cores(seconds: float = 0.5) -> float:
    """Return how many cores' worth of work everything on this machine does while we do nothing."""
    before = _busy()
    began = time.perf_counter()
    time.sleep(seconds)
    return (_busy() - before) / (time.perf_counter() - began)


def _busy() -> float:
    """Return the seconds that all cores together have worked, or were kept from it by another machine."""
    user, nice, system, _idle, _wait, irq, softirq, stolen, *_ = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    )
    return (user + nice + system + irq + softirq + stolen) / os.sysconf("SC_CLK_TCK")


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
