import gc
import os
import subprocess
import sys

import pytest

from arena.bench.processes import CpuMeter, cpu_seconds, descendants, off, peak_memory, pinned, spare_core

BURN = "import os, time\nwhile time.process_time() < 0.1: pass\nprint(time.process_time(), flush=True)\ninput()"


@pytest.mark.processes
def test_cpu_time_memory_and_descendants_of_another_process() -> None:
    shell = ["/bin/sh", "-c", '"$0" -c "$1"; exit 0', sys.executable, BURN]
    with subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        spent = float(process.stdout.readline())
        assert process.pid in descendants(os.getpid())
        (python,) = descendants(process.pid)
        meter = CpuMeter()
        meter.look([python])
        assert meter.seconds >= spent >= 0.1
        assert peak_memory(python) > 1 << 20
        process.communicate("\n")
    before = meter.seconds
    meter.look([python])
    assert meter.seconds == before, "what was seen of a process that is gone is kept"
    assert cpu_seconds(python) is None
    assert peak_memory(python) == 0
    assert descendants(python) == []


def test_pinning_ends_with_the_block() -> None:
    allowed, thresholds, core = os.sched_getaffinity(0), gc.get_threshold(), spare_core()
    with pinned(core):
        assert os.sched_getaffinity(0) == {core}
    with off(core):
        assert os.sched_getaffinity(0) == (allowed - {core} or allowed)
    assert os.sched_getaffinity(0) == allowed
    assert gc.get_threshold() == thresholds
