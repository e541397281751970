"""How soon bots of a league are rated beside one that sleeps before each answer.

    python -m bench.slow_bots [--sleepers 1] [--seconds 0.9] [--watch 300] [--jobs 2]

`arena league run` plays a league of Cambio at tables of four with its sample bots, three newcomers and some that sleep.
The time counts from its start on. Checks are left out: what they would tell of the time of each bot is stored with it.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from arena.league.results.board import load_board
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.packs.candidate import read_candidate
from arena.plan.field import samples
from arena.store import Store, open_store
from arena.store.people.submissions import PackRow
from tests.soak.kill_resume import kill_all

LEAGUE, SEATS = "slow", 4
BOTS = ("cautious", "counter", "bluffer")
PLACED, KNOWN = 60, 20
"""Half the widths of the intervals that are waited for, in Elo."""

ANSWERS = 53
"""Of a seat in a match."""

SLEEPS = """import time
from arena.sdk import Bot

class Sleeps(Bot):
    def choose(self, question):
        time.sleep({seconds})
        return question.legal[0]

Sleeps().run()
"""


def submit(store: Store, name: str, file: Path, match_seconds: float) -> None:
    """Store a bot as if its check had told how long it takes for a match."""
    candidate = read_candidate(file)
    pack = PackRow(candidate.source.sha256, candidate.source.to_bytes(), 1, candidate.source.size)
    report = {"steps": [], "charged_us_per_match": {"cambio": round(match_seconds * 1e6)}}
    store.submissions.add(name, pack, pack, candidate.manifest.to_json(), report)


def watch(db: Path, seconds: float) -> None:
    """Print when intervals of newcomers are narrow enough, and at the end what was played."""
    began, seen = time.monotonic(), set[tuple[str, int]]()
    with open_store(db) as store:
        while (passed := time.monotonic() - began) < seconds:
            for row in load_board(store, LEAGUE).rows:
                for ci95 in (PLACED, KNOWN):
                    name = row.entry.submission[0]
                    is_known = row.ci95 is not None and row.ci95 <= ci95
                    if is_known and not row.entry.is_anchor and (name, ci95) not in seen:
                        seen.add((name, ci95))
                        click.echo(f"{passed:4.0f} s: {name} ± {row.ci95:.0f} after {row.deals} deals")
            time.sleep(1.0)
        board = load_board(store, LEAGUE).rows
        slow = {row.entry.number for row in board if "sloth" in row.entry.name}
        batches = [row for row in Batches(store).of(Leagues(store).named(LEAGUE).id) if row.state == "stored"]
        with_slow = sum(not slow.isdisjoint(row.entries) for row in batches)
        click.echo(f"{len(batches)} batches are stored, {with_slow} of them with a bot that sleeps")
        for row in board:
            if not row.entry.is_anchor:
                ci95 = "-" if row.ci95 is None else f"{row.ci95:.0f}"
                click.echo(f"{row.entry.submission[0]}: ± {ci95}, {row.deals} deals, {row.entry.state}")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--sleepers", default=1, show_default=True, help="How many bots sleep.")
@click.option("--seconds", default=0.9, show_default=True, help="How long they sleep before each answer.")
@click.option("--watch", "watched", default=300.0, show_default=True, help="Seconds to watch.")
@click.option("--jobs", default=2, show_default=True, help="Referees.")
def main(sleepers: int, seconds: float, watched: float, jobs: int) -> None:
    """Measure how soon newcomers are rated beside bots that sleep."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        db, sloth = Path(folder) / "league.db", Path(folder) / "sloth.py"
        sloth.write_text(SLEEPS.format(seconds=json.dumps(seconds)))
        arena = [sys.executable, "-m", "arena", "league"]
        create = ["create", LEAGUE, "--game", "cambio", "--seats", str(SEATS), "--db", str(db)]
        subprocess.run([*arena, *create], check=True, stdout=subprocess.DEVNULL)
        with open_store(db, write=True) as store:
            for number in range(sleepers):
                submit(store, f"sloth-{number}/sloth", sloth, seconds * ANSWERS)
            for bot in BOTS:
                submit(store, f"the-{bot}/{bot}", samples(None)[bot], 0.01)
        words = [*arena, "run", "--db", str(db), "--jobs", str(jobs)]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                watch(db, watched)
            finally:
                kill_all(process.pid)


if __name__ == "__main__":
    main()
