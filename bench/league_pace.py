"""How soon a new bot of a league has a rating that says something, and where the time of the cores goes meanwhile.

    python -m bench.league_pace [--settle 60] [--watch 300] [--start-ms 105]

`arena league run` plays a league of Cambio at tables of four with some submitted bots. After `--settle` seconds another
one is submitted by `arena submit`, check and all, and its interval is read from the board until `--watch` seconds after
that command began. Then nothing is submitted for `--watch` seconds, over which the CPU time of the league's own
process is measured, and that of all starts is computed: the processes of the stored batches times `--start-ms`, which
`arena bench --only languages` measures.
"""

import subprocess
import tempfile
import time
from pathlib import Path

import click

from arena.bench.figures import BenchError
from arena.bench.processes import cpu_seconds
from arena.bench.tournament_benchmark import program
from arena.league.results.board import BoardRow, load_board
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.plan.field import samples
from arena.store import Store, open_store
from referee.sandbox.cpu_supply import usable_cores
from tests.soak.kill_league import run
from tests.soak.kill_resume import kill_all

LEAGUE, SEATS = "pace", 4
BOTS = ("cautious", "counter", "bluffer")
LATE, LATE_BOT = "late/bot", "counter"
EVERY = 5.0
"""Seconds from look to look."""


def newcomer(store: Store) -> BoardRow | None:
    """Return what the board says of the late bot; None while it is not in the league."""
    rows = load_board(store, LEAGUE).rows
    return next((row for row in rows if row.entry.submission[0] == LATE), None)


def watch_newcomer(db: Path, seconds: float) -> None:
    """Submit the late bot, and print what the board says of it until so many seconds later."""
    began = time.monotonic()
    run(db, "submit", str(samples(None)[LATE_BOT]), "--name", LATE)
    click.echo(f"accepted after {time.monotonic() - began:.1f} s")
    with open_store(db) as store:
        while (passed := time.monotonic() - began) < seconds:
            row = newcomer(store)
            if row is not None and row.elo is not None:
                interval = "" if row.ci95 is None else f" ± {row.ci95:.1f}"
                click.echo(
                    f"{passed:4.0f} s: {row.bound}{row.elo:+.1f}{interval}, {row.deals} deals, {row.entry.state}"
                )
            time.sleep(EVERY)


def starts(db: Path) -> int:
    """Return how many processes the stored batches have started: each entry plays each rotation by one of its own."""
    with open_store(db) as store:
        batches = Batches(store).of(Leagues(store).named(LEAGUE).id)
        return sum(len(batch.entries) * SEATS for batch in batches if batch.state == "stored")


def measure_shares(db: Path, pid: int, seconds: float, start_ms: float) -> None:
    """Print the shares of starts and of the league's own process in the time of the cores."""
    process, before = cpu_seconds(pid), starts(db)
    time.sleep(seconds)
    after, began = cpu_seconds(pid), starts(db) - before
    if process is None or after is None:
        raise BenchError("the league ended by itself")
    cores = usable_cores() * seconds
    click.echo(f"{began} starts of {start_ms:g} ms: {began * start_ms / 1000 / cores:.1%} of the cores")
    click.echo(f"the league's own process: {(after - process) / cores:.1%} of the cores")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--settle", default=60.0, show_default=True, help="Seconds before the late bot is submitted.")
@click.option("--watch", default=300.0, show_default=True, help="Seconds to watch it, and then the cores.")
@click.option("--start-ms", default=105.0, show_default=True, help="CPU time of one start of a Python bot.")
def main(settle: float, watch: float, start_ms: float) -> None:
    """Measure how soon a new bot of a league is rated, and what the league takes beside the play."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        db = Path(folder) / "league.db"
        run(db, "league", "create", LEAGUE, "--game", "cambio", "--seats", str(SEATS))
        for bot in BOTS:
            run(db, "submit", str(samples(None)[bot]), "--name", f"the-{bot}/{bot}")
        words = [*program(), "league", "run", "--db", str(db)]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                time.sleep(settle)
                watch_newcomer(db, watch)
                measure_shares(db, process.pid, watch, start_ms)
            finally:
                kill_all(process.pid)


if __name__ == "__main__":
    main()
