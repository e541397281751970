"""What was measured on."""

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from google.protobuf.internal import api_implementation

from arena import __version__
from arena.bench.figures import rounded
from arena.bench.yardstick import VERSION, Yardstick
from referee import sandbox
from referee.build_info import chance_name, codec_name, compiled
from referee.sandbox.cpu_supply import usable_cores

LIBRARIES = ("grpcio", "protobuf", "trio", "sqlalchemy", "numpy", "scipy")


def describe() -> dict[str, Any]:
    """Return the machine as JSON values."""
    return {
        "cpu": _cpu(),
        "cores": usable_cores(),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rules": "compiled" if compiled() else "interpreted",
        "codec": codec_name(),
        "chance": chance_name(),
        "versions": {"arena": __version__} | {library: version(library) for library in LIBRARIES},
        "protobuf_backend": api_implementation.Type(),
        "sandbox": sandbox.choose().mode,
        "yardstick": _yardstick(),
    }


def _yardstick(runs: int = 3) -> dict[str, float]:
    """Return the version of the yardstick, and the CPU time of one of its decisions here and now, in µs."""
    yardstick = Yardstick(0.05)
    for _ in range(runs):
        yardstick.read()
    return {"version": VERSION, "us": rounded(median(yardstick.beside))}


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
