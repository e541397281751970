"""How soon a new bot of a league has a rating that says something, and where the time of the cores goes meanwhile.

    python -m bench.league_pace [--settle 60] [--watch 300] [--start-ms 105]

`arena serve` plays a league of Cambio at tables of four with some submitted bots. After `--settle` seconds another one
is handed in by the API, and its interval is read from the board until `--watch` seconds after that. For each batch that
is stored meanwhile it is measured how long the board of the server takes to count it. Then nothing is handed in for
`--watch` seconds, over which the CPU time of the server's own processes is measured, and that of all starts is
computed: the processes of the stored batches times `--start-ms`, which `arena bench --only languages` measures.
"""

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Event, Thread

import click

from arena.bench.figures import BenchError
from arena.bench.processes import cpu_seconds
from arena.bench.tournament_benchmark import program
from arena.client.connection import Server
from arena.client.upload import pack_bot
from arena.league.results.board import BoardRow, load_board
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.plan.field import samples
from arena.store import Store, open_store
from bench.hand_in_deadline import make_account
from referee.sandbox.cpu_supply import usable_cores
from tests.soak.kill_league import run
from tests.soak.kill_resume import kill_all

LEAGUE, SEATS = "pace", 4
BOTS = ("cautious", "counter", "bluffer")
LATE, LATE_BOT = "late/bot", "counter"
DECIDED = ("accepted", "refused", "failed", "cancelled")

EVERY = 5.0
"""Seconds from look to look at the newcomer ..."""

LOOK_EVERY = 0.1
"""... and at its check, and the board."""


def newcomer(store: Store) -> BoardRow | None:
    """Return what the board says of the late bot; None while it is not in the league."""
    rows = load_board(store, LEAGUE).rows
    return next((row for row in rows if row.entry.submission[0] == LATE), None)


@contextmanager
def serving(db: Path) -> Iterator[tuple[str, int]]:
    """Serve a database while the block runs; yield the address and the id of the process."""
    words = [*program(), "serve", "--executor", "local", "--port", "0", "--db", str(db)]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            lines = iter(process.stderr.readline, "")
            found = next(filter(None, (re.search(r"http://[\w.:]+", line) for line in lines)), None)
            if found is None:
                raise BenchError("the server ended by itself")
            Thread(target=list, args=(lines,), daemon=True).start()
            yield found[0], process.pid
        finally:
            kill_all(process.pid)


def watch_newcomer(db: Path, server: Server, seconds: float) -> None:
    """Hand in the late bot, and print what the board says of it until so many seconds later."""
    packed = pack_bot(samples(None)[LATE_BOT])
    path = f"/hand-ins?name={LATE}&file={packed.file}"
    began = time.monotonic()
    number = server.post(path, dict, packed.content, {"Content-Type": packed.media_type})["hand_in"]
    while (state := server.get(f"/hand-ins/{number}", dict)["state"]) not in DECIDED:
        time.sleep(LOOK_EVERY)
    click.echo(f"{state} after {time.monotonic() - began:.1f} s")
    with open_store(db) as store:
        while (passed := time.monotonic() - began) < seconds:
            row = newcomer(store)
            if row is not None and row.elo is not None:
                interval = "" if row.ci95 is None else f" ± {row.ci95:.1f}"
                click.echo(
                    f"{passed:4.0f} s: {row.bound}{row.elo:+.1f}{interval}, {row.deals} deals, {row.entry.state}"
                )
            time.sleep(EVERY)


class BoardWatch(Thread):
    """Measures how long after a batch is stored the board of the server counts it, until it is told that it is over.

    lags: in seconds, to `LOOK_EVERY`.
    """

    def __init__(self, db: Path, server: Server) -> None:
        super().__init__(daemon=True)
        self.lags: list[float] = []
        self.over = Event()
        self._db = db
        self._server = server

    def run(self) -> None:
        """Look until it is over."""
        with open_store(self._db) as store:
            known = Leagues(store).named(LEAGUE).results
            stored: dict[int, float] = {}
            while not self.over.wait(LOOK_EVERY):
                results, now = Leagues(store).named(LEAGUE).results, time.monotonic()
                stored |= dict.fromkeys(range(known + 1, results + 1), now)
                known = results
                on_board = self._server.get(f"/leagues/{LEAGUE}/board", dict)["batches"]
                for result in [result for result in stored if result <= on_board]:
                    self.lags.append(time.monotonic() - stored.pop(result))


def starts(db: Path) -> int:
    """Return how many processes the stored batches have started: each entry plays each rotation by one of its own."""
    with open_store(db) as store:
        batches = Batches(store).of(Leagues(store).named(LEAGUE).id)
        return sum(len(batch.entries) * SEATS for batch in batches if batch.state == "stored")


def measure_shares(db: Path, pid: int, seconds: float, start_ms: float) -> None:
    """Print the shares of starts and of the server's own process in the time of the cores."""
    process, before = cpu_seconds(pid), starts(db)
    time.sleep(seconds)
    after, began = cpu_seconds(pid), starts(db) - before
    if process is None or after is None:
        raise BenchError("the server ended by itself")
    cores = usable_cores() * seconds
    click.echo(f"{began} starts of {start_ms:g} ms: {began * start_ms / 1000 / cores:.1%} of the cores")
    click.echo(f"the server's own process: {(after - process) / cores:.1%} of the cores")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--settle", default=60.0, show_default=True, help="Seconds before the late bot is handed in.")
@click.option("--watch", default=300.0, show_default=True, help="Seconds to watch it, and then the cores.")
@click.option("--start-ms", default=105.0, show_default=True, help="CPU time of one start of a Python bot.")
def main(settle: float, watch: float, start_ms: float) -> None:
    """Measure how soon a new bot of a league is rated, and what the league takes beside the play."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        db = Path(folder) / "league.db"
        run(db, "league", "create", LEAGUE, "--game", "cambio", "--seats", str(SEATS))
        for bot in BOTS:
            run(db, "submit", str(samples(None)[bot]), "--name", f"the-{bot}/{bot}")
        with open_store(db, write=True) as store:
            token = make_account(store, "late", "author", "submit")
        with serving(db) as (address, pid):
            server = Server(address, token)
            time.sleep(settle)
            board = BoardWatch(db, server)
            board.start()
            watch_newcomer(db, server, watch)
            board.over.set()
            if lags := board.lags:
                click.echo(f"{len(lags)} batches on the board after {median(lags):.1f} s, {max(lags):.1f} s at most")
            measure_shares(db, pid, watch, start_ms)


if __name__ == "__main__":
    main()
