"""`arena tourney` as a user starts it: from the start of the process to its end, all included."""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.processes import CpuMeter, children, descendants
from arena.bench.protocol import BenchTable
from arena.store import open_store
from arena.tournament.plan.definition import MATCHES_AT_ONCE

LOOK_SECONDS = 0.05

BOTS = "random,random"
"""Two entrants, as a tournament compares at least two; both are the sample bot `random`."""


@dataclass(frozen=True, slots=True)
class TournamentRun:
    """One tournament: what was played, wall time in seconds, CPU time in seconds by part, size of the database.

    playing: the seconds that it counted itself, from the first referee's start to the last record stored.
    """

    matches: int
    decisions: int
    seconds: float
    playing: float
    cpu: dict[str, float]
    stored: int


PARTS = {
    "referees": "the referee processes, starting bots included",
    "bots": "the bots and their sandboxes, their starts included",
    "arena": "arena itself: plan, storing, ratings",
    "all": "everything together",
}


def measure(table: BenchTable, sampling: Sampling) -> Iterator[Figure]:
    """Yield the figures of whole tournaments with one referee process and with two."""
    for jobs in (1, 2):
        runs = [play(table, sampling.rounds, jobs) for _ in range(sampling.whole_runs)]
        yield from _figures(f"tourney.{jobs}", runs, _conditions(table, sampling.rounds, jobs))


def _figures(name: str, runs: list[TournamentRun], conditions: dict[str, str | int]) -> Iterator[Figure]:
    wall, cpu = conditions | {"time": "wall"}, conditions | {"time": "CPU"}
    whole = "by the time from the start of the process to its end, with starts, storing and ratings"
    values = tuple(run.decisions / run.seconds for run in runs)
    yield Figure(f"{name}.decisions", "decisions/s", values, f"decisions {whole}", wall)
    values = tuple(run.matches / run.seconds for run in runs)
    yield Figure(f"{name}.matches", "matches/s", values, f"matches {whole}", wall)
    values = tuple(run.decisions / run.playing for run in runs)
    what = "decisions by the seconds that the tournament reports, from its first referee's start to the last record"
    yield Figure(f"{name}.playing", "decisions/s", values, what, wall)
    for part, meaning in PARTS.items():
        values = tuple(run.cpu[part] * 1e6 / run.decisions for run in runs)
        yield Figure(f"{name}.cpu.{part}", "µs/decision", values, f"CPU time, user and system, of {meaning}", cpu)
    values = tuple(run.stored / run.matches for run in runs)
    what = "size of the database file, less that of an empty one, by matches"
    yield Figure(f"{name}.record", "bytes/match", values, what, conditions)


def play(table: BenchTable, rounds: int, jobs: int) -> TournamentRun:
    """Run one tournament and return what it did. Raises BenchError where it fails."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        empty, db = Path(folder, "empty.db"), Path(folder, "bench.db")
        open_store(empty, create=True).close()
        words = ["tourney", "--game", table.game.name, "--bots", BOTS, "--seats", str(table.seats)]
        words += ["--rounds", str(rounds), "--jobs", str(jobs), "--db", str(db), "--json"]
        words += [word for name, value in table.options.given().items() for word in ("-o", f"{name}={value}")]
        printed, seconds, cpu = _run([*program(), *words])
        told = json.loads(printed)
        if any(bot["faults"] for bot in told["ranking"]):
            raise BenchError("a bot had a fault in the tournament, so the figures are worth nothing: measure again")
        return TournamentRun(told["matches"], told["decisions"], seconds, told["seconds"], cpu, size(db) - size(empty))


def program() -> list[str]:
    """Return how a user starts arena: by its script, where it is installed as one."""
    script = Path(sysconfig.get_path("scripts"), "arena")
    return [str(script)] if script.exists() else [sys.executable, "-m", "arena"]


def size(db: Path) -> int:
    """Return the bytes of a database with the files beside it."""
    return sum(path.stat().st_size for path in db.parent.glob(f"{db.name}*"))


def _run(command: list[str]) -> tuple[str, float, dict[str, float]]:
    """Run a tournament to its end: what it printed, how long it took, and the CPU time by part.

    The clocks of its processes are read from outside every 50 ms, so what each uses after the last look
    is missed. (What the kernel adds up for processes that were waited for lacks most bots: a sandbox
    that is killed does not wait for what is in it.)
    """
    arena, referees, bots = CpuMeter(), CpuMeter(), CpuMeter()
    began = time.perf_counter()
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
        try:
            while not _ended(process):
                arena.look([process.pid])
                running = children(process.pid)
                referees.look(running)
                bots.look([pid for referee in running for pid in descendants(referee)])
        except BaseException:
            process.terminate()
            process.wait()
            raise
        seconds = time.perf_counter() - began
        stdout.seek(0)
        stderr.seek(0)
        if process.returncode:
            raise BenchError(f"{' '.join(command)} failed: {stderr.read().decode(errors='replace').strip()}")
        printed = stdout.read().decode()
    cpu = {"arena": arena.seconds, "referees": referees.seconds, "bots": bots.seconds}
    return printed, seconds, cpu | {"all": sum(cpu.values())}


def _ended(process: "subprocess.Popen[bytes]") -> bool:
    try:
        process.wait(LOOK_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def _conditions(table: BenchTable, rounds: int, jobs: int) -> dict[str, str | int]:
    pinned = jobs <= len(os.sched_getaffinity(0))
    return {
        "game": table.game.name,
        "seats": table.seats,
        "mode": "fast",
        "K": MATCHES_AT_ONCE,
        "rotations": table.seats,
        "sandbox": table.sandbox,
        "rounds": rounds,
        "referees": jobs,
        "cores": "each referee and its bots on one core" if pinned else "not pinned",
    }
