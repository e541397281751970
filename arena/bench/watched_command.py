"""A command that is run to its end, with the CPU time of its groups of processes."""

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.bench.figures import BenchError
from arena.bench.processes import CpuMeter

LOOK_SECONDS = 0.05

Groups = Callable[[int], Mapping[str, Sequence[int]]]
"""Returns, for the process id of a command, the ids of all processes that belong to it, by group."""


@dataclass(frozen=True, slots=True)
class WatchedCommand:
    """What a command printed, its wall time, and the CPU time of each group of its processes. In seconds."""

    printed: str
    seconds: float
    cpu: dict[str, float]


def run_watched(command: Sequence[str], groups: Groups, folder: Path | None = None) -> WatchedCommand:
    """Run a command to its end in `folder`, the current one by default. Raises BenchError if it fails.

    The clocks of its processes are read from outside every 50 ms, and its own once more after its end. What the
    others use after the last look at them is missed. (What the kernel adds up for processes that were waited
    for lacks most bots: a sandbox that is killed does not wait for what is in it.)
    """
    meters: dict[str, CpuMeter] = {}
    began = time.perf_counter()
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=folder)
        except OSError as error:
            raise BenchError(f"{command[0]} cannot be started: {error.strerror}") from None
        try:
            ended = False
            while True:
                for group, pids in groups(process.pid).items():
                    meters.setdefault(group, CpuMeter()).look(pids)
                if ended:
                    break
                ended = _ended(process.pid)
                seconds = time.perf_counter() - began
            process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        stdout.seek(0)
        stderr.seek(0)
        if process.returncode:
            output = stderr.read() or stdout.read()
            raise BenchError(f"{' '.join(command)} failed: {output.decode(errors='replace').strip()}")
        printed = stdout.read().decode(errors="replace")
    return WatchedCommand(printed, seconds, {group: meter.seconds for group, meter in meters.items()})


def _ended(pid: int) -> bool:
    """Return whether a child process ends within 50 ms. It stays a zombie, so that its clock can still be read."""
    handle = os.pidfd_open(pid)
    try:
        return bool(select.select([handle], [], [], LOOK_SECONDS)[0])
    finally:
        os.close(handle)
