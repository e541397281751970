"""What it costs to confine bots: at their start, and per decision."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.protocol import BenchTable, PhaseTimes, play_phases
from arena.values.definition import MATCHES_AT_ONCE
from referee.sandbox import Confinement, SandboxError, choose, confined, environment

MODES = ("off", "rlimits", "bwrap")

PROGRAM = "/bin/true"
"""What is started: it does nothing, so that what is left is the start itself."""


def measure(table: BenchTable, length: float, sampling: Sampling, say: Callable[[str], None]) -> Iterator[Figure]:
    """Yield, for each way to confine that works here, what a start takes and what a decision costs.

    length: decisions of a match. All ways take turns, so that what else the machine does bears upon all of them.
    """
    ways = dict(_ways())
    seconds: dict[str, list[float]] = {mode: [] for mode in ways}
    for _ in range(sampling.confined_starts):
        for mode, way in ways.items():
            seconds[mode].append(_start(way))
    for mode, runs in seconds.items():
        what = f"{PROGRAM} from before it is confined until it has ended and all that confined it is gone"
        yield Figure(f"sandbox.{mode}.start", "ms", tuple(run * 1e3 for run in runs), what, {"time": "wall"})
    matches = max(2 * MATCHES_AT_ONCE, round(sampling.decisions[max(sampling.decisions)] / length))
    phases: dict[str, list[PhaseTimes]] = {mode: [] for mode in ways}
    for _ in range(sampling.whole_runs):
        for mode in ways:
            phases[mode] += play_phases(table, MATCHES_AT_ONCE, [matches], say, sampling.yardstick, sandbox=mode)
    for mode, played in phases.items():
        what = "CPU time of the referee and its bots by the decisions of a phase"
        conditions: dict[str, str | int] = {
            "K": MATCHES_AT_ONCE,
            "matches": matches,
            "time": "CPU",
            "cores": "one core",
        }
        cpu = tuple(run.cpu * 1e6 / run.decisions for run in played)
        yardstick = tuple(run.yardstick for run in played)
        yield Figure(f"sandbox.{mode}.decision", "µs/decision", cpu, what, conditions, cpu, yardstick)


def _ways() -> Iterator[tuple[str, Confinement]]:
    for mode in MODES:
        try:
            yield mode, choose(mode)
        except SandboxError:
            continue


def _start(way: Confinement) -> float:
    """Return the seconds that it takes to run a program that does nothing."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        os.chmod(folder, 0o755)
        began = time.perf_counter()
        launch = confined(
            [PROGRAM],
            folder,
            sockets=folder,
            env=environment("unix:/nowhere", "no token"),
            memory_bytes=256 << 20,
            confinement=way,
        )
        try:
            process = launch.start(folder)
            launch.close()
            with process:
                code = process.wait()
        finally:
            launch.end()
        if code:
            raise BenchError(f"{PROGRAM} confined by {way.mode} ended with exit code {code}")
        return time.perf_counter() - began
