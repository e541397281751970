"""Fair clocks: how many answers are lost to the machine at a short move time, alone and beside busy programs."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.protocol import BenchTable
from arena.bench.tournament_benchmark import BOTS, program
from referee.sandbox.cpu_supply import usable_cores

MOVE_TIME = "50ms"
"""And no bank: every answer that is later is lost."""

ROUNDS_SHARE = 25
"""Clocks are measured with that part of a tournament's rounds: matches are played one at a time."""


def measure(table: BenchTable, sampling: Sampling) -> Iterator[Figure]:
    """Yield the figures of both modes, with the machine left alone and with as many busy programs as cores beside."""
    rounds = max(2, sampling.rounds // ROUNDS_SHARE)
    for load in (0, usable_cores()):
        for mode in ("fast", "clock"):
            with _burning(load):
                results = [_play(table, rounds, mode) for _ in range(sampling.whole_runs)]
            name = f"clock.{mode}.{'loaded' if load else 'alone'}"
            conditions: dict[str, str | int] = {
                "game": table.game.name, "seats": table.seats, "mode": mode, "move time": MOVE_TIME, "bank": 0,
                "rounds": rounds, "busy programs beside": load, "time": "wall",
            }  # fmt: skip
            lost = tuple(float(sum(bot["faults"].get("timeout", 0) for bot in one["ranking"])) for one in results)
            yield Figure(
                f"{name}.lost", "answers", lost, "answers ruled too late, of bots that need 0.1 ms", conditions
            )
            pace = tuple(one["decisions"] / one["seconds"] for one in results)
            yield Figure(f"{name}.decisions", "decisions/s", pace, "decisions by the tournament's seconds", conditions)


def _play(table: BenchTable, rounds: int, mode: str) -> Any:
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        words = ["tourney", "--game", table.game.name, "--bots", BOTS, "--seats", str(table.seats), "--mode", mode]
        words += ["--rounds", str(rounds), "--move-time", MOVE_TIME, "--bank", "0"]
        words += ["--db", str(Path(folder, "bench.db")), "--json"]
        done = subprocess.run([*program(), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise BenchError(f"{' '.join(words)} failed: {done.stderr.strip()}")
        return json.loads(done.stdout)


@contextmanager
def _burning(programs: int) -> Iterator[None]:
    """Keep so many programs busy beside the block."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(programs)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
