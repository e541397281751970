"""Keep a league open for an hour under kills, stops, locks and a full disk, with hand-ins and viewers.

    python -m tests.soak.league_soak [--minutes 60] [--seed N] [--burst N] [--load N]
                                     [--db postgresql://... --restart COMMAND]

`arena serve` runs a league of Cambio. Every 20 s somebody hands in a bot by the API, and tries again until the server
has answered: sound ones, some that sleep 0.9 s over each answer, and ten that are broken; programs read the board by
the API, and readers walk through the pages and follow their events. With `--burst` so many hand-ins of a crowd come one
after the other besides, none of them sleepy, and with `--load` so many processes keep the cores busy. Meanwhile the
server is killed, with its referees and bots or alone, stopped, frozen, its database locked and its disk filled; on
PostgreSQL, COMMAND restarts the database server twice. Whenever it has ended it is started again. In the last third of
the time nothing goes wrong, and the memory of the server is measured. Then it serves on, without visitors and load,
until all hand-ins are decided: the check of a sleepy bot takes eight minutes. Every minute a line tells how far it is.

At the end every hand-in that was answered must be there once, the sound and the sleepy ones accepted and the broken
ones refused, in calm times some batch must have been stored every minute, all matches must be verified by `arena league
verify`, and no process may be left. After a failure its folder stays, with the database and what the server has said.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import linear_regression, median
from threading import Event

import click

from arena.bench.figures import BenchError
from arena.bench.processes import descendants
from arena.bench.tournament_benchmark import program
from arena.bots.hand_in_queue import MOST_BUSY
from arena.bots.hand_in_rows import FAILED, HandInRow
from arena.bots.hand_in_worker import CHECK_SECONDS
from arena.bots.hand_ins import BUSY_PAUSES, HandIns
from arena.league.store.batch_queries import BatchQueries
from arena.run.remote.tokens import new_token, token_hash
from arena.store import StoreUnavailable, open_store
from arena.values.rows import utc_now
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
from tests.soak.soak_bots import SoakBot, soak_bots

LEAGUE = "soak"
OWNERS = 24
HAND_IN_SECONDS = 20.0
CROWD = 200
"""How many owners the hand-ins of a burst come from, five bots each at most."""

INCIDENT_SECONDS = (5.0, 25.0)
"""How long nothing happens, at least and at most."""

STUCK_SECONDS = 120.0
DRAIN_SECONDS = max(BUSY_PAUSES) + CHECK_SECONDS
"""Within which one of the last hand-ins at least must be decided: the server grants that much itself."""

TELL_SECONDS = 60.0
"""From one line about how far it is to the next."""

GROWTH_MIB = 24.0
"""What the server may need more at the end of a calm time than at its beginning: rows of new batches in its caches."""

MOST_STILL_SECONDS = 60.0
"""How long no batch may be stored in a calm time: sleepy bots hold up nobody."""

BUSY = "while True: pass"
DISK = "4G"


class SoakServer:
    """`arena serve`, started again whenever it has ended.

    where: the database, a file or the address of one on a server.
    log: the file of what it says.
    say: called with a line now and then about how far it is.
    folder, db, harmed: as in `Disturbed`.
    """

    def __init__(
        self, folder: Path, where: str, log: Path, port: int, random: Random, say: Callable[[str], None]
    ) -> None:
        self.folder = folder
        self.where = where
        self.log = log
        self.random = random
        self.harmed = False
        self.db = None if "://" in where else Path(where)
        self.counted: Counter[str] = Counter()
        self.memory: list[tuple[float, float]] = []
        self.address = f"http://127.0.0.1:{port}"
        self._port = port
        self._expected: set[int] = set()
        self._watch = ProcessWatch()
        self._say = say
        self._began = time.monotonic()
        self._tells_at = self._began + TELL_SECONDS
        self._said_before = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def arena(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    def below(self, what: str = "") -> list[int]:
        """Return the processes that it has started, those with `what` on their command line."""
        return [pid for pid in descendants(self.arena) if what in command_line(pid)]

    def run(self, seconds: float, incidents: tuple[Incident, ...], people: tuple[Owners, ...] = ()) -> None:
        """Serve for so long.

        Args:
            seconds: How long.
            incidents: What may happen meanwhile.
            people: Those who hand in.

        Raises BenchError where the server ends and no incident explains it, or does not take a hand-in.
        """
        until = time.monotonic() + seconds
        due = time.monotonic() + self.random.uniform(*INCIDENT_SECONDS)
        while time.monotonic() < until:
            self._keep_up()
            self._watch.note(self.arena)
            self._tell()
            for owners in people:
                owners.check_taken()
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

    def _tell(self) -> None:
        """Say how far it is, if it is time to."""
        now = time.monotonic()
        if now >= self._tells_at:
            self._tells_at = now + TELL_SECONDS
            happened = ", ".join(f"{name} {count}" for name, count in sorted(self.counted.items()))
            self._say(f"{(now - self._began) / 60:.0f} min: {standing(self.where)}; {happened or 'nothing happened'}")

    def _keep_up(self) -> None:
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            said = self.log.read_bytes()[self._said_before :].decode(errors="replace")[-3000:]
            full = code == 2 and "disk" in said
            if (code not in self._expected and not full) or "Traceback" in said:
                raise BenchError(f"the server ended with exit code {code} after {dict(self.counted)}: {said}")
            self._watch.await_ends()
            self.counted["starts"] += 1
        with self.log.open("ab") as log:
            self._said_before = log.tell()
            words = [*program(), "serve", "--log", "json", "--port", str(self._port), "--db", self.where]
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)


def prepare(where: str, owners: list[str]) -> dict[str, str]:
    """Make the league and the accounts of owners; return the token of each."""
    _arena(where, "league", "create", LEAGUE, "--game", "cambio", "--seats", "4")
    tokens = {owner: new_token() for owner in owners}
    with open_store(where) as store:
        for owner, token in tokens.items():
            store.accounts.add(owner, "author", token_hash(token))
    return tokens


def standing(where: str) -> str:
    """Say how many hand-ins are decided and how many are not, and how many batches are stored.

    where: the database.
    """
    try:
        with open_store(where) as store:
            rows, batches = HandIns(store).newest(None, 10**6), len(BatchQueries(store).played(1))
    except StoreUnavailable as error:
        return str(error)
    counted = Counter(row.state for row in rows if row.is_finished)
    decided = ", ".join(f"{number} {state}" for state, number in sorted(counted.items())) or "none decided"
    waiting = sum(row.is_waiting for row in rows)
    return (
        f"hand-ins: {decided}, {len(rows) - counted.total() - waiting} under way, {waiting} waiting; "
        f"{batches} batches stored"
    )


def check(where: str, answered: dict[int, SoakBot]) -> str:
    """Say what became of all hand-ins, and verify the league.

    Args:
        where: The database.
        answered: What the server has taken, by the number of the hand-in.

    Raises BenchError as `decided` does, and where a batch is not sound.
    """
    with open_store(where) as store:
        rows = HandIns(store).newest(None, 10**6)
    return f"{decided(rows, answered)}; {_arena(where, 'league', 'verify', LEAGUE).strip().splitlines()[-1]}"


def decided(rows: Iterable[HandInRow], answered: dict[int, SoakBot]) -> str:
    """Say what became of hand-ins.

    Args:
        rows: All that are stored.
        answered: What the server has taken, by the number of the hand-in.

    Raises BenchError where one is lost, there twice, undecided or decided wrongly. A hand-in for which the machine was
    too busy in all its attempts may fail.
    """
    stored = {row.id: row for row in rows}
    if lost := sorted(set(answered) - set(stored)):
        raise BenchError(f"hand-ins {lost} were answered, and are not there")
    if len(stored) > len(answered) + 2:  # both kinds of owners may have been stopped before they had the answer
        raise BenchError(f"{len(stored)} hand-ins are there, and {len(answered)} were answered")
    too_busy = {number for number in answered if stored[number].state == FAILED and stored[number].busy > MOST_BUSY}
    for number, bot in answered.items():
        if number not in too_busy and stored[number].state != bot.verdict:
            raise BenchError(f"hand-in {number} ({bot.what}) is {stored[number].state}: {stored[number].sentence}")
    waited = sorted(_seconds(row.created, row.ended) for row in stored.values() if row.ended)
    counted = Counter(bot.verdict for bot in answered.values())
    return (
        f"{len(answered)} hand-ins ({dict(counted)}), decided after {median(waited):.1f} s (median) to "
        f"{waited[-1]:.1f} s; for {len(too_busy)} the machine was too busy"
    )


def longest_standstill(stored: Iterable[str], since: str, until: str) -> str:
    """Say how long no batch was stored at most between two moments.

    Args:
        stored: When batches were stored, in UTC, ISO 8601.
        since: The first moment, likewise.
        until: The last one.

    Raises BenchError where that is more than MOST_STILL_SECONDS.
    """
    within = sorted(moment for moment in stored if since < moment < until)
    longest = max(_seconds(before, after) for before, after in pairwise([since, *within, until]))
    sentence = f"{len(within)} batches in the calm time, at most {longest:.0f} s without one"
    if longest > MOST_STILL_SECONDS:
        raise BenchError(sentence)
    return sentence


def _seconds(begin: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).total_seconds()


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
            raise BenchError(f"no hand-in was decided for {DRAIN_SECONDS:g} s: {'; '.join(map(undecided, left))}")
        server.run(2.0, ())


def undecided(row: HandInRow) -> str:
    """Say how far a hand-in is that is not decided."""
    return (
        f"{row.id} ({row.name} of {row.created}: {row.state}, attempt {row.attempt}, {row.died} of them died, "
        f"{row.abandoned} abandoned, {row.busy} on a busy machine; {len(row.steps)} steps since {row.started})"
    )


def soak(
    seconds: float,
    server: SoakServer,
    people: tuple[Owners, ...],
    over: Event,
    incidents: tuple[Incident, ...],
    load: int = 0,
) -> list[str]:
    """Soak a league; return what came of it, as sentences.

    Args:
        seconds: How long.
        server: Of the league.
        people: Those who hand in.
        over: What stops them.
        incidents: What may happen to the server.
        load: How many processes keep the cores busy meanwhile.
    """
    with busy(load), visiting(server.address, LEAGUE, people, over) as seen:
        server.run(seconds * 2 / 3, incidents, people)
        server.memory.clear()
        began = utc_now()
        server.run(seconds / 3, (), people)
        ended = utc_now()
    for owners in people:
        owners.check_complete()
    calm = list(server.memory)
    drain(server)
    server.stop()
    with open_store(server.where) as store:
        stored = [batch.ended for batch in BatchQueries(store).played(1)]
    return [
        check(server.where, {number: bot for owners in people for number, bot in owners.answered.items()}),
        f"what happened: {dict(server.counted)}; visits: {dict(seen)}; attempts to hand in: "
        f"{sum(owners.attempts for owners in people)}",
        longest_standstill(stored, began, ended),
        growth(calm),
    ]


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the cores busy by so many processes while the block runs."""
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextmanager
def kept_on_failure(say: Callable[[str], None]) -> Iterator[Path]:
    """Lend a folder, which stays where the block fails; then it says so."""
    folder = Path(tempfile.mkdtemp(prefix="arena-soak-"))
    try:
        yield folder
    except BaseException:
        say(f"what is left of it: {folder} (server.log, and a copy of the database)")
        raise
    shutil.rmtree(folder)


@contextmanager
def copied_on_failure(place: Path, copy: Path) -> Iterator[None]:
    """Copy a folder where the block fails."""
    try:
        yield
    except BaseException:
        shutil.copytree(place, copy)
        raise


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


@contextmanager
def _telling_errors() -> Iterator[None]:
    """Tell what is wrong without a traceback."""
    try:
        yield
    except BenchError as error:
        raise click.ClickException(str(error)) from None


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(min=0), default=60.0, show_default=True, help="How long.")
@click.option("--seed", type=int, help="Of what happens  [default: others each time]")
@click.option("--burst", type=click.IntRange(0, 5 * CROWD), default=0, help="How many hand-ins come at once besides.")
@click.option("--load", type=click.IntRange(min=0), default=0, help="How many processes keep the cores busy.")
@click.option("--port", default=8765, show_default=True, help="Port of the server.")
@click.option("--db", "url", help="An empty PostgreSQL database  [default: an SQLite file on a disk of its own]")
@click.option("--restart", help="With --db: a command that restarts the database server; it is run twice.")
def main(
    minutes: float, seed: int | None, burst: int, load: int, port: int, url: str | None, restart: str | None
) -> None:
    """Keep a league open while whatever can go wrong does, and see that nothing is lost."""
    chosen = Random().randrange(10**6) if seed is None else seed
    click.echo(f"--seed {chosen}")
    with _telling_errors(), ExitStack() as stack:
        folder = stack.enter_context(kept_on_failure(click.echo))
        place, more = stack.enter_context(disk(folder, DISK, click.echo))
        if url is not None:
            more = (restarting(restart, 2),) if restart else ()
        where = url or str(place / "league.db")
        crowd = [f"crowd{number}" for number in range(min(burst, CROWD))]
        tokens = prepare(where, [f"owner{number}" for number in range(OWNERS)] + crowd)
        bots = soak_bots(folder)
        server = SoakServer(place, where, folder / "server.log", port, Random(chosen), click.echo)
        stack.enter_context(copied_on_failure(place, folder / "database"))
        stack.callback(server.kill)
        over = Event()
        some = {owner: token for owner, token in tokens.items() if owner not in crowd}
        people = [Owners(server.address, some, bots, over, HAND_IN_SECONDS)]
        if burst:
            others = {owner: tokens[owner] for owner in crowd}
            quick = [bot for bot in bots if bot.what != "sleepy"]
            people.append(Owners(server.address, others, quick, over, 0.0, burst))
        for line in soak(minutes * 60, server, tuple(people), over, (*HARMLESS, *more), load):
            click.echo(line)
    click.echo("nothing lost, nothing twice, nothing left over")


if __name__ == "__main__":
    main()
