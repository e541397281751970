"""Keep a league open for an hour under kills, stops, locks and a full disk, with hand-ins and viewers.

    python -m tests.soak.league_soak [--minutes 60] [--seed N] [--db postgresql://... --restart COMMAND]

`arena serve` runs a league of Cambio. Every 20 s somebody hands in a bot by the API, and tries again until the server
has answered; programs read the board by the API, and readers walk through the pages and follow their events. Meanwhile
the server is killed, with its referees and bots or alone, stopped, frozen, its database locked and its disk filled; on
PostgreSQL, COMMAND restarts the database server twice. Whenever it has ended it is started again. In the last third of
the time nothing goes wrong, and the memory of the server is measured.

At the end every hand-in that was answered must be there once and decided, all matches must be verified by `arena league
verify`, and no process may be left.
"""

import os
import re
import subprocess
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from statistics import linear_regression, median

import click

from arena.bench.figures import BenchError
from arena.bench.processes import descendants
from arena.bench.tournament_benchmark import program
from arena.bots.hand_ins import HandIns
from arena.plan.field import samples
from arena.store import open_store
from tests.soak.incidents import (
    EXIT_CODES,
    HARMLESS,
    LOOK_SECONDS,
    Incident,
    ProcessWatch,
    command_line,
    disk,
    kill_everything,
)
from tests.soak.league_visitors import Owners, visiting

LEAGUE = "soak"
OWNERS = 24
BOTS = ("cautious", "counter", "bluffer")
INCIDENT_SECONDS = (5.0, 25.0)
"""How long nothing happens, at least and at most."""

STUCK_SECONDS = 120.0
DRAIN_SECONDS = 300.0
"""Within which one of the last hand-ins at least must be decided; a slow machine may take long for all."""

GROWTH_MIB = 24.0
"""What the server may need more at the end of a calm time than at its beginning: rows of new batches in its caches."""

DISK = "4G"


class SoakServer:
    """`arena serve`, started again whenever it has ended.

    where: the database, a file or the address of one on a server.
    folder, db, harmed: as in `Disturbed`.
    """

    def __init__(self, folder: Path, where: str, port: int, random: Random) -> None:
        self.folder = folder
        self.where = where
        self.random = random
        self.harmed = False
        self.db = None if "://" in where else Path(where)
        self.counted: Counter[str] = Counter()
        self.memory: list[tuple[float, float]] = []
        self.address = f"http://127.0.0.1:{port}"
        self._port = port
        self._expected: set[int] = set()
        self._watch = ProcessWatch()
        self._said = folder.parent / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def arena(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    def below(self, what: str = "") -> list[int]:
        """Return the processes that it has started, those with `what` on their command line."""
        return [pid for pid in descendants(self.arena) if what in command_line(pid)]

    def run(self, seconds: float, incidents: tuple[Incident, ...]) -> None:
        """Serve for so long, with incidents. Raises BenchError where the server ends and none explains it."""
        until = time.monotonic() + seconds
        due = time.monotonic() + self.random.uniform(*INCIDENT_SECONDS)
        while time.monotonic() < until:
            self._keep_up()
            self._watch.note(self.arena)
            if incidents and time.monotonic() > due:
                incident = self.random.choice(incidents)
                self.counted[incident.__name__] += 1
                incident(self)
                self._expected |= EXIT_CODES.get(incident.__name__, set())
                due = time.monotonic() + self.random.uniform(*INCIDENT_SECONDS)
            elif not incidents:
                self.memory.append((time.monotonic(), _resident(self.arena)))
            time.sleep(LOOK_SECONDS if incidents else 1.0)

    def stop(self) -> None:
        """End it in good order. Raises BenchError where something is left."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=STUCK_SECONDS)
        self._watch.await_ends()

    def kill(self) -> None:
        """End it at once, with all that it has started."""
        if self._process is not None and self._process.poll() is None:
            kill_everything(self)

    def _keep_up(self) -> None:
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            said = self._said.read_text(errors="replace")[-3000:]
            full = code == 2 and "disk" in said
            if (code not in self._expected and not full) or "Traceback" in said:
                raise BenchError(f"the server ended with exit code {code} after {dict(self.counted)}: {said}")
            self._watch.await_ends()
            self.counted["starts"] += 1
        with self._said.open("wb") as log:
            words = [*program(), "serve", "--port", str(self._port), "--db", self.where]
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)


def prepare(where: str) -> dict[str, str]:
    """Make the league and the accounts; return the token of each owner."""
    _arena(where, "league", "create", LEAGUE, "--game", "cambio", "--seats", "4")
    tokens = {}
    for number in range(OWNERS):
        made = _arena(where, "accounts", "create", f"owner{number}")
        found = re.search(r"arena_\S+", made)
        if found is None:
            raise BenchError(f"no token in: {made}")
        tokens[f"owner{number}"] = found[0]
    return tokens


def check(where: str, owners: Owners) -> str:
    """Raise BenchError where a hand-in is lost, there twice or undecided, or a batch is not sound; return a summary."""
    with open_store(where) as store:
        rows = {row.id: row for row in HandIns(store).newest(None, 10**6)}
    if lost := sorted(set(owners.answered) - set(rows)):
        raise BenchError(f"hand-ins {lost} were answered, and are not there")
    if len(rows) > len(owners.answered) + 1:
        raise BenchError(f"{len(rows)} hand-ins are there, and {len(owners.answered)} were answered")
    states = Counter(rows[number].state for number in owners.answered)
    verified = _arena(where, "league", "verify", LEAGUE)
    return f"{len(owners.answered)} hand-ins ({dict(states)}); {verified.strip().splitlines()[-1]}"


def drain(server: SoakServer) -> None:
    """Serve until all hand-ins are decided. Raises BenchError if for some time none is."""
    until, fewest = 0.0, 10**6
    while True:
        with open_store(server.where) as store:
            left = [row for row in HandIns(store).newest(None, 10**6) if not row.is_finished]
        if not left:
            return
        if len(left) < fewest:
            until, fewest = time.monotonic() + DRAIN_SECONDS, len(left)
        elif time.monotonic() > until:
            states = ", ".join(f"{row.id} ({row.state}, attempt {row.attempt})" for row in left)
            raise BenchError(f"no hand-in was decided for {DRAIN_SECONDS:g} s: {states}")
        server.run(2.0, ())


def soak(seconds: float, server: SoakServer, tokens: dict[str, str], incidents: tuple[Incident, ...]) -> list[str]:
    """Soak a league for so long; return what came of it, as sentences."""
    bots = [samples(None)[bot] for bot in BOTS]
    with visiting(server.address, LEAGUE, tokens, bots) as (owners, seen):
        server.run(seconds * 2 / 3, incidents)
        server.memory.clear()
        server.run(seconds / 3, ())
    calm = list(server.memory)
    drain(server)
    server.stop()
    if owners.failure:
        raise BenchError(owners.failure)
    return [
        check(server.where, owners),
        f"what happened: {dict(server.counted)}; visits: {dict(seen)}; attempts to hand in: {owners.attempts}",
        growth(calm),
    ]


def growth(memory: list[tuple[float, float]]) -> str:
    """Say how the memory of the server grew while nothing went wrong.

    memory: moments in seconds, each with the MiB of the server.

    Raises BenchError where it grew by more than GROWTH_MIB from the first quarter of the time to the last.
    """
    quarter = max(len(memory) // 4, 1)
    first, last = (median(each for _, each in part) for part in (memory[:quarter], memory[-quarter:]))
    slope = linear_regression(*zip(*memory, strict=True)).slope * 60 if len(memory) > 1 else 0.0
    told = f"memory of the server: {first:.0f} MiB in the first quarter, {last:.0f} in the last ({slope:+.2f} MiB/min)"
    if last > first + GROWTH_MIB:
        raise BenchError(told)
    return told


def _resident(pid: int) -> float:
    """Return the resident memory of a process in MiB; 0 where it is gone."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0


def _arena(where: str, *words: str) -> str:
    """Run a command of arena and return what it prints. Raises BenchError where it fails."""
    done = subprocess.run([*program(), *words, "--db", where], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"arena {' '.join(words)} failed: {done.stdout}{done.stderr.strip()}")
    return done.stdout


def restarting(command: str, times: int) -> Incident:
    """Return an incident that restarts the server of the database, as often at most."""
    left = iter(range(times))

    def restart_database(_run: object) -> None:
        if next(left, None) is not None:
            subprocess.run(command, shell=True, check=True)

    return restart_database


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(min=0), default=60.0, show_default=True, help="How long.")
@click.option("--seed", type=int, help="Of what happens  [default: others each time]")
@click.option("--port", default=8765, show_default=True, help="Port of the server.")
@click.option("--db", "url", help="An empty PostgreSQL database  [default: an SQLite file on a disk of its own]")
@click.option("--restart", help="With --db: a command that restarts the database server; it is run twice.")
def main(minutes: float, seed: int | None, port: int, url: str | None, restart: str | None) -> None:
    """Keep a league open while whatever can go wrong does, and see that nothing is lost."""
    chosen = Random().randrange(10**6) if seed is None else seed
    click.echo(f"--seed {chosen}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-soak-")))
        place, more = stack.enter_context(disk(folder, DISK, click.echo))
        if url is not None:
            more = (restarting(restart, 2),) if restart else ()
        where = url or str(place / "league.db")
        tokens = prepare(where)
        server = SoakServer(place, where, port, Random(chosen))
        stack.callback(server.kill)
        for line in soak(minutes * 60, server, tokens, (*HARMLESS, *more)):
            click.echo(line)
    click.echo("nothing lost, nothing twice, nothing left over")


if __name__ == "__main__":
    main()
