"""Kill a league at random moments, run it again, and check that nothing is lost or stored twice.

    python -m tests.soak.kill_league [--times 20] [--seed N]

Each time `arena league run`, its referees, their bots and sandboxes get SIGKILL, none of them a chance to say anything.
After each kill the whole league is verified: all that is stored must follow from its definition, its secrets and the
matches. What was stored before must be there unchanged.
"""

import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

import click

from arena.bench.figures import BenchError
from arena.bench.tournament_benchmark import program
from arena.league.results.board import load_board
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.plan.field import samples
from arena.store import open_store
from tests.soak.kill_resume import kill_all

BOTS = ("random", "cautious", "counter", "bluffer")

MOST_SECONDS = 8.0
"""Within which it is killed."""

_LEAGUE = "killed"


def play_and_kill(db: Path, seconds: float) -> int:
    """Run the league for some seconds and kill it; return how many processes went."""
    words = [*program(), "league", "run", "--db", str(db)]
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        time.sleep(seconds)
        if process.poll() is not None:
            assert process.stderr is not None
            raise BenchError(f"the league ended by itself: {process.stderr.read().decode().strip()}")
        return kill_all(process.pid)


def stored(db: Path) -> dict[int, list[bytes]]:
    """Return the fingerprints of the matches of each stored batch. Raises BenchError where the league is not sound."""
    with open_store(db) as store:
        league = Leagues(store).named(_LEAGUE)
        for problem in league_problems(store, league):
            raise BenchError(problem)
        return {
            batch.number: [record.digest for record in store.batch_records(batch.event)]
            for batch in Batches(store).of(league.id)
            if batch.state == "stored"
        }


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--times", type=click.IntRange(min=1), default=20, show_default=True, help="How often to kill.")
@click.option("--seed", type=int, help="Of the moments  [default: others each time]")
def main(times: int, seed: int | None) -> None:
    """Kill a league again and again, and see that nothing is lost and nothing is there twice."""
    chosen = Random().randrange(10**6) if seed is None else seed
    rng = Random(chosen)
    click.echo(f"moments of --seed {chosen}")
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        db = Path(folder) / "league.db"
        run(db, "league", "create", _LEAGUE, "--game", "cambio", "--seats", "4")
        for bot in BOTS:
            run(db, "submit", str(samples(None)[bot]), "--name", f"the-{bot}/{bot}")
        known: dict[int, list[bytes]] = {}
        for kill in range(1, times + 1):
            went = play_and_kill(db, rng.uniform(0, MOST_SECONDS))
            now = stored(db)
            if lost := [number for number, digests in known.items() if now.get(number) != digests]:
                raise BenchError(f"batches {lost} are not as they were stored")
            known = now
            click.echo(f"kill {kill}: {went} processes, {len(known)} batches stored")
        run(db, "league", "run", _LEAGUE, "--batches", "2")
        known = stored(db)
        with open_store(db) as store:
            board = load_board(store, _LEAGUE)
    click.echo(f"{times} kills: {board.matches:,} matches in {len(known)} batches, none lost, none twice, all verified")


def run(db: Path, *words: str) -> None:
    """Run a command of arena. Raises BenchError where it fails."""
    done = subprocess.run([*program(), *words, "--db", str(db)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"arena {' '.join(words)} failed: {done.stderr.strip()}")


if __name__ == "__main__":
    main()
