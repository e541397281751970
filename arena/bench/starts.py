"""How soon anything happens."""

import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from arena.bench.figures import BenchError, Figure, Sampling
from arena.bench.protocol import BenchTable
from arena.bench.tournament_benchmark import program
from arena.store.engine.schema import matches

PATIENCE = 60.0
ROUNDS = 50
"""As `make demo` has it."""
SHORT = 20


def measure(table: BenchTable, sampling: Sampling) -> Iterator[Figure]:
    """Yield the times until help is printed, until a tournament has its first match, and of a whole short one."""
    command = program()
    helps = tuple(_help([*command, "--help"]) for _ in range(sampling.starts + 1))[1:]
    yield Figure("start.help", "s", helps, "arena --help, from start to end", {"time": "wall"})
    firsts = tuple(_first_match(table, command) for _ in range(sampling.whole_runs))
    conditions: dict[str, str | int] = {
        "game": table.game.name, "seats": table.seats, "mode": "fast", "sandbox": table.sandbox, "time": "wall"
    }  # fmt: skip
    what = f"arena tourney --rounds {ROUNDS} with the sample bots, from its start until a match is in the database"
    yield Figure("start.match", "s", firsts, what, conditions)
    wholes = tuple(_whole(table, command) for _ in range(sampling.whole_runs))
    what = f"arena tourney --rounds {SHORT} with the sample bots, from its start to its end"
    yield Figure("start.short", "s", wholes, what, conditions)


def _help(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return time.perf_counter() - began


def _first_match(table: BenchTable, command: list[str]) -> float:
    """Begin a tournament, wait for its first match to be stored, and stop it."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        db = Path(folder, "bench.db")
        words = _tourney(table, ROUNDS, db)
        began = time.perf_counter()
        process = subprocess.Popen(
            [*command, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while not _has_match(db):
                if process.poll() not in (None, 0):
                    raise BenchError(f"arena {' '.join(words)} failed with exit code {process.returncode}")
                if time.perf_counter() - began > PATIENCE:
                    raise BenchError(f"no match was stored within {PATIENCE:g} s")
                time.sleep(0.01)
            return time.perf_counter() - began
        finally:
            process.terminate()
            process.wait()


def _whole(table: BenchTable, command: list[str]) -> float:
    """Play a short tournament in a new database."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        words = _tourney(table, SHORT, Path(folder, "bench.db"))
        began = time.perf_counter()
        done = subprocess.run([*command, *words], stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            raise BenchError(f"arena {' '.join(words)} failed with exit code {done.returncode}")
        return time.perf_counter() - began


def _tourney(table: BenchTable, rounds: int, db: Path) -> list[str]:
    words = ["tourney", "--game", table.game.name, "--rounds", str(rounds), "--db", str(db)]
    return words + [word for name, value in table.options.given().items() for word in ("-o", f"{name}={value}")]


def _has_match(db: Path) -> bool:
    if not db.exists():
        return False
    try:
        connection = sqlite3.connect(f"file:{db}?mode=ro", uri=True)
        try:
            return connection.execute(f"SELECT 1 FROM {matches.name} LIMIT 1").fetchone() is not None
        finally:
            connection.close()
    except sqlite3.OperationalError:  # no table yet, or it is being made
        return False
