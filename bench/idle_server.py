"""What a server costs that has nothing to do: the CPU time of all processes of `arena serve`, leagues and all.

    python -m bench.idle_server [--leagues 1] [--seconds 120] [--db postgresql://USER@HOST/NAME]

The leagues have their sample bots alone, so nothing is drawn. Nobody looks at a page, and nothing is handed in.
"""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.bench.figures import BenchError
from arena.bench.processes import CpuMeter, descendants
from arena.bench.tournament_benchmark import program
from tests.soak.kill_resume import kill_all

SETTLE = 20.0
"""Seconds after the start that are not measured."""


@contextmanager
def serving(db: str) -> Iterator[int]:
    """Serve a database while the block runs; yield the id of the process."""
    words = [*program(), "serve", "--executor", "local", "--port", "0", "--db", db]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.pid
            if process.poll() is not None:
                raise BenchError("the server ended by itself")
        finally:
            kill_all(process.pid)


def measure(db: str, seconds: float) -> dict[str, float]:
    """Return the share of a core that the server takes, and the one that all its other processes do."""
    with serving(db) as pid:
        time.sleep(SETTLE)
        server, others = CpuMeter(), CpuMeter()
        server.look([pid])
        others.look(descendants(pid))
        before, began = (server.seconds, others.seconds), time.monotonic()
        time.sleep(seconds)
        server.look([pid])
        others.look(descendants(pid))
        passed = time.monotonic() - began
        return {
            "the server": (server.seconds - before[0]) / passed,
            "referees and others": (others.seconds - before[1]) / passed,
        }


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--leagues", default=1, show_default=True, type=click.IntRange(min=0), help="Leagues that are open.")
@click.option("--seconds", default=120.0, show_default=True, type=click.FloatRange(min=1), help="To measure.")
@click.option("--db", metavar="URL", help="An empty database of a server  [default: a file]")
def main(leagues: int, seconds: float, db: str | None) -> None:
    """Measure a server that has nothing to do."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        where = db or str(Path(folder) / "arena.db")
        for number in range(leagues):
            create = ["league", "create", f"idle-{number}", "--game", "cambio", "--db", where]
            subprocess.run([*program(), *create], check=True, stdout=subprocess.DEVNULL)
        shares = measure(where, seconds)
        for name, share in shares.items():
            click.echo(f"{name}: {share:.2%} of a core")
        click.echo(f"together: {sum(shares.values()):.2%} of a core with {leagues} leagues, over {seconds:.0f} s")


if __name__ == "__main__":
    main()
