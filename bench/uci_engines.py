"""Tournaments of UCI engines that do not think, by process, in turn with a match manager of chess.

    python -m bench.uci_engines [--fastchess FILE] [--rounds 60] [--turns 3]

Needs botarena-chess, installed as users have it: a sandbox does not show bots an editable installation. Both sides are
held by arena/bench/shuffle_engine.c, whose games last 100 moves. Printed is the CPU time for each move: of arena and of
all its referees, adapters (the bots) and engines, their starts included; of the manager with its engines.
"""

import json
import shlex
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from statistics import median

import click

from arena.bench.peers import GAME_MOVES, Manager, build_engine, play_games
from arena.bench.processes import children
from arena.bench.tournament_benchmark import program
from arena.bench.watched_command import run_watched

JOBS = 2


@click.command()
@click.option("--fastchess", type=click.Path(path_type=Path, exists=True), help="The program of fastchess.")
@click.option("--rounds", type=click.IntRange(min=1), default=60, help="Of arena, of two games each.")
@click.option("--turns", type=click.IntRange(min=1), default=3)
def main(fastchess: Path | None, rounds: int, turns: int) -> None:
    """Print the CPU time of each group of processes for a move, the median of some turns."""
    shares: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        engine = build_engine(Path(folder))
        for _ in range(turns):
            for group, cpu in play(engine, Path(folder), rounds).items():
                shares.setdefault(group, []).append(cpu)
            if fastchess is not None:
                run = play_games(Manager("fastchess", fastchess), engine, 500, JOBS)
                shares.setdefault("fastchess", []).append(run.cpu)
    for group, values in shares.items():
        print(f"{group:<12}{median(values):8.1f} µs of CPU for a move ({min(values):.1f} to {max(values):.1f})")


def play(engine: Path, folder: Path, rounds: int) -> dict[str, float]:
    """Play a tournament; return the CPU time for each move in µs, by group of processes."""
    bot = shlex.join([sys.executable, "-m", "botarena_chess.uci", str(engine)])
    words = ["tourney", "--game", "chess", "-o", "book=standard", "--bots", f"{bot},{bot}", "--rounds", str(rounds)]
    words += ["--jobs", str(JOBS), "--db", str(folder / "bench.db"), "--json"]
    names: dict[int, str] = {}
    run = run_watched([*program(), *words], lambda pid: _groups(pid, engine, names))
    moves = json.loads(run.printed)["decisions"]
    assert moves == 2 * rounds * GAME_MOVES, "a game ended early, so a bot had a fault"
    cpu = {group: seconds * 1e6 / moves for group, seconds in run.cpu.items()}
    return {"all": sum(cpu.values()), **cpu}


def _groups(pid: int, engine: Path, names: dict[int, str]) -> dict[str, list[int]]:
    """Return the processes of a tournament by group.

    names: what those seen before were, for those that have ended.
    """
    referees = children(pid)
    groups: dict[str, list[int]] = {"arena": [pid], "referees": referees, "adapters": [], "engines": []}
    left = [child for referee in referees for child in children(referee)]
    while left:
        process = left.pop()
        left += children(process)
        with suppress(OSError):
            names[process] = Path(f"/proc/{process}/comm").read_text().strip()
        groups["engines" if names.get(process) == engine.name else "adapters"].append(process)
    return groups


if __name__ == "__main__":
    main()
