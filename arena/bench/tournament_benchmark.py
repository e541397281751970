"""`arena tourney` as a user starts it: from the start of the process to its end, all included."""

import json
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.processes import children, descendants
from arena.bench.protocol import BenchTable
from arena.bench.watched_command import run_watched
from arena.bench.yardstick import Yardstick
from arena.store import open_store
from arena.values.definition import MATCHES_AT_ONCE

BOTS = "random,random"
"""Two entrants, as a tournament compares at least two; both are the sample bot `random`."""


@dataclass(frozen=True, slots=True)
class TournamentRun:
    """One tournament: what was played, wall time in seconds, CPU time in seconds by part, size of the database."""

    matches: int
    decisions: int
    seconds: float
    playing: float
    """The seconds that the tournament counted itself, from the first referee's start to the last record stored."""
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
        yardstick = Yardstick(sampling.yardstick)
        runs = []
        for _ in range(sampling.whole_runs):
            runs.append(play(table, sampling.rounds, jobs))
            yardstick.read()
        yield from _figures(
            f"tourney.{jobs}", runs, yardstick.beside, tournament_conditions(table, sampling.rounds, jobs)
        )


def _figures(
    name: str, runs: list[TournamentRun], yardstick: tuple[float, ...], conditions: dict[str, str | int]
) -> Iterator[Figure]:
    wall, cpu = conditions | {"time": "wall"}, conditions | {"time": "CPU"}
    whole = "by the time from the start of the process to its end, with starts, storing and ratings"
    values = tuple(run.decisions / run.seconds for run in runs)
    spent = {part: tuple(run.cpu[part] * 1e6 / run.decisions for run in runs) for part in PARTS}
    yield Figure(f"{name}.decisions", "decisions/s", values, f"decisions {whole}", wall, spent["all"], yardstick)
    values = tuple(run.matches / run.seconds for run in runs)
    yield Figure(f"{name}.matches", "matches/s", values, f"matches {whole}", wall)
    values = tuple(run.decisions / run.playing for run in runs)
    what = "decisions by the seconds that the tournament reports, from its first referee's start to the last record"
    yield Figure(f"{name}.playing", "decisions/s", values, what, wall)
    for part, meaning in PARTS.items():
        what = f"CPU time, user and system, of {meaning}"
        yield Figure(f"{name}.cpu.{part}", "µs/decision", spent[part], what, cpu, spent[part], yardstick)
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
        run = run_watched([*program(), *words], _groups)
        result = json.loads(run.printed)
        if any(bot["faults"] for bot in result["ranking"]):
            raise BenchError("a bot had a fault in the tournament, so the figures are worth nothing: measure again")
        cpu = run.cpu | {"all": sum(run.cpu.values())}
        stored = size(db) - size(empty)
        return TournamentRun(result["matches"], result["decisions"], run.seconds, result["seconds"], cpu, stored)


def program() -> list[str]:
    """Return how a user starts arena: by its script, where it is installed as one."""
    script = Path(sysconfig.get_path("scripts"), "arena")
    return [str(script)] if script.exists() else [sys.executable, "-m", "arena"]


def size(db: Path) -> int:
    """Return the bytes of a database with the files beside it."""
    return sum(path.stat().st_size for path in db.parent.glob(f"{db.name}*"))


def _groups(pid: int) -> dict[str, list[int]]:
    """Return the processes of a tournament by part; its arena has that process id."""
    referees = children(pid)
    return {"arena": [pid], "referees": referees, "bots": [bot for referee in referees for bot in descendants(referee)]}


def tournament_conditions(table: BenchTable, rounds: int, jobs: int) -> dict[str, str | int]:
    """Return the conditions of a tournament that `play` plays."""
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
