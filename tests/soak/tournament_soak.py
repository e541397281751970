"""Play tournaments for half an hour under kills, stops, locks, a full disk and floods.

    python -m tests.soak.tournament_soak [--minutes 30] [--seed N]

Plays one tournament after another by the command line and disturbs each at random moments: kills everything at once, or
arena, a referee or a bot alone; asks arena to stop, or freezes it; locks the database, or fills the disk. Each
tournament is resumed until it is finished. In every other one a bot floods the referee below gRPC.

Nothing may be lost or stored twice; no bot but the flooding one may have a fault, if none was killed;
results must be those of an undisturbed tournament, byte for byte, unless a bot was killed or flooded; no
process and no folder may be left. The disk is a file system in memory, which needs root.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import IO

import click

from arena.bench.figures import BenchError
from arena.bench.processes import descendants
from arena.bench.tournament_benchmark import program
from tests.soak.incidents import (
    EXIT_CODES,
    FULL,
    HARMLESS,
    LOOK_SECONDS,
    Incident,
    ProcessWatch,
    command_line,
    disk,
    kill_bot,
)
from tests.soak.kill_resume import CommandTournament

FIELD = "random,cautious,counter,bluffer"
ROUNDS = 600
DISK = "96M"
FLOODS = (
    "wrong-tokens", "silent-streams", "header-bomb", "large-hellos", "rapid-reset", "pings", "windows", "connections",
    "closed-window", "blind",
)  # fmt: skip
"""Attacks of sample_bots/naughty/http2_attacker.py."""

INCIDENT_SECONDS = (0.5, 6.0)
"""How long nothing happens, at least and at most."""

STUCK_SECONDS = 180.0


class SoakTournament:
    """A tournament while it is played, and what is done to it.

    folder: of its database.
    room: for temporary files.
    """

    def __init__(self, folder: Path, room: Path, name: str, bots: str, random: Random) -> None:
        plan = ["--game", "cambio", "--bots", bots, "--seed", "1", "--rounds", str(ROUNDS), "--move-time", "500ms"]
        self.folder = folder
        self.db = folder / f"{name}.db"
        self.tournament = CommandTournament(self.db, plan, room.parent / f"{name}.events")
        self.random = random
        self.counted: Counter[str] = Counter()
        self.harmed = False
        self._room = room
        self._watch = ProcessWatch()
        self._process: subprocess.Popen[str] | None = None

    @property
    def arena(self) -> int:
        """The id of the process."""
        assert self._process is not None
        return self._process.pid

    def play(self, incidents: tuple[Incident, ...]) -> None:
        """Play it to its end, with incidents. Raises BenchError where something is lost, or left over."""
        while not self._run(incidents):
            self.tournament.check()
        self.tournament.check()

    def _run(self, incidents: tuple[Incident, ...]) -> bool:
        """Begin or go on; return whether it is finished."""
        env = os.environ | {"TMPDIR": str(self._room)}
        with tempfile.TemporaryFile("w+") as stderr:
            self._process = subprocess.Popen(
                self.tournament.words(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr, text=True,
                env=env,
            )  # fmt: skip
            expected: set[int] = {0}
            due = time.monotonic() + self.random.uniform(*INCIDENT_SECONDS)
            stuck = time.monotonic() + STUCK_SECONDS
            while self._process.poll() is None:
                self._watch.note(self.arena)
                if time.monotonic() > stuck:
                    self._process.kill()
                    raise BenchError(f"arena did not end within {STUCK_SECONDS:g} s; it said: {_said(stderr)}")
                if incidents and time.monotonic() > due:
                    incident = self.random.choice(incidents)
                    self.counted[incident.__name__] += 1
                    incident(self)
                    expected |= EXIT_CODES.get(incident.__name__, set())
                    due = time.monotonic() + self.random.uniform(*INCIDENT_SECONDS)
                time.sleep(LOOK_SECONDS)
            code = self._process.returncode
            self._watch.await_ends()
            if _full_at_start(code, expected, _said(stderr)):
                return False
            if code not in expected or "Traceback" in _said(stderr):
                raise BenchError(f"arena ended with exit code {code} after {dict(self.counted)}: {_said(stderr)}")
        killed = code == -signal.SIGKILL
        if left := [path.name for path in self._room.iterdir()]:
            if not killed:
                raise BenchError(f"{len(left)} folders are left in {self._room}: {', '.join(left[:5])}")
            for path in self._room.iterdir():
                shutil.rmtree(path, ignore_errors=True)
        return code == 0

    def below(self, what: str = "") -> list[int]:
        """Return the processes that arena has started, those with `what` on their command line."""
        return [pid for pid in descendants(self.arena) if what in command_line(pid)]


def _full_at_start(code: int, happened: set[int], said: str) -> bool:
    """Tell whether a run ended as the disk was full when it began: nothing is waited for before there is a plan."""
    return code == 2 and FULL in happened and "disk" in said and "to play" not in said


def _said(stderr: IO[str]) -> str:
    stderr.seek(0)
    return stderr.read()[-2000:]


def soak(seconds: float, random: Random, folder: Path, say: Callable[[str], None]) -> Counter[str]:
    """Play tournaments for so many seconds; return how often what happened.

    Raises BenchError where anything is lost, there twice, left over, or comes out otherwise.
    """
    room = folder / "tmp"
    room.mkdir()
    counted: Counter[str] = Counter()
    with ExitStack() as stack:
        place, more = stack.enter_context(disk(folder, DISK, say))
        alone = SoakTournament(place, room, "alone", FIELD, random)
        alone.play(())
        results = alone.tournament.results()
        say(f"left alone: {alone.tournament.matches()} matches")
        until, number = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            number += 1
            flood = random.choice(FLOODS) if number % 2 == 0 else ""
            bots = f"{FIELD},{_attacker(flood)}" if flood else FIELD
            tournament = SoakTournament(place, room, f"t{number}", bots, random)
            tournament.play((*HARMLESS, *more) if number % 4 else (*HARMLESS, *more, kill_bot))
            if not flood and not tournament.harmed and tournament.tournament.results() != results:
                raise BenchError(f"tournament {number}: the results are not those of the one that was left alone")
            if not tournament.harmed:
                _look_for_faults(tournament, number)
            counted += tournament.counted
            for path in (*place.glob(f"t{number}.*"), *folder.glob(f"t{number}.*")):
                path.unlink()
            happened = ", ".join(f"{name} {count}" for name, count in sorted(tournament.counted.items()))
            say(f"tournament {number}{f' with {flood}' if flood else ''}: {happened or 'nothing happened'}")
    counted["tournaments"] = number
    return counted


def _attacker(flood: str) -> str:
    frames = Path(__file__).parents[2] / "sample_bots/naughty/http2_attacker.py"
    return f"{sys.executable} {frames} {flood} soak"


def _look_for_faults(tournament: SoakTournament, number: int) -> None:
    """Raise BenchError where a bot of the usual field has a fault."""
    shown = subprocess.run(
        [*program(), "ranking", "1", "--json", "--db", str(tournament.db)], stdout=subprocess.PIPE, check=True
    ).stdout
    for row in json.loads(shown)["ranking"]:
        if row["bot"] in FIELD.split(",") and row["faults"]:
            raise BenchError(f"tournament {number}: {row['bot']} has {row['faults']} faults, and did nothing wrong")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(min=0), default=30.0, show_default=True, help="How long.")
@click.option("--seed", type=int, help="Of what happens  [default: others each time]")
def main(minutes: float, seed: int | None) -> None:
    """Play tournaments while whatever can go wrong does, and see that nothing is lost, and nothing left over."""
    chosen = Random().randrange(10**6) if seed is None else seed
    click.echo(f"--seed {chosen}")
    with tempfile.TemporaryDirectory(prefix="arena-soak-") as folder:
        counted = soak(minutes * 60, Random(chosen), Path(folder), click.echo)
    click.echo("nothing lost, nothing twice, nothing left over: " + ", ".join(f"{n} {c}" for n, c in counted.items()))


if __name__ == "__main__":
    main()
