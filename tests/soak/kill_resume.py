"""Kill everything at random moments, resume, and check that nothing is lost or stored twice.

    python -m tests.soak.kill_resume [--times 20] [--rounds 300] [--seed N]

A tournament is played twice: without interruption, and killed again and again. Each time arena, its referees, their
bots and sandboxes get SIGKILL, none of them a chance to say anything; then `arena tourney resume` continues. At the end
both must have the same bare results (`arena tourney export --results`), byte for byte, and the same ranking.
"""

import json
import math
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from select import poll
from typing import Any

import click

from arena.bench.figures import BenchError
from arena.bench.processes import descendants
from arena.bench.tournament_benchmark import program
from arena.store import open_store

PLAN = ("--game", "cambio", "--bots", "random,cautious,counter,bluffer", "--seed", "1")
"""What is played: bots that draw chance from the match alone, so that its results are fixed."""

START_SECONDS = 2.0
"""Within which arena and its bots are killed while they start."""

_LOOK_SECONDS = 0.02


@dataclass(slots=True)
class ResumeOutcome:
    """What came of a tournament that was killed and resumed."""

    kills: list[int] = field(default_factory=list)
    """The number of processes that went down at each kill."""
    stored: list[int] = field(default_factory=list)
    """The number of matches that were stored after each kill."""
    matches: int = 0
    """The number of matches at the end."""


def kill_and_resume(
    folder: Path, times: int, plan: Sequence[str], rng: Random, say: Callable[[str], None]
) -> ResumeOutcome:
    """Play a tournament in one go, and again with so many kills; return what happened.

    folder: where databases are made.
    plan: the words after `arena tourney`.

    Raises BenchError where anything is lost, there twice, or comes out otherwise.
    """
    whole = CommandTournament(folder / "whole.db", plan)
    whole.finish()
    say(f"in one go: {whole.matches()} matches")
    killed, outcome = CommandTournament(folder / "killed.db", plan), ResumeOutcome()
    stored = 0
    while len(outcome.kills) < times:
        # Most while matches are played, some while arena and bots start.
        share = (whole.matches() - stored) // (times - len(outcome.kills) + 1)
        playing = rng.random() < 0.75
        matches, seconds = (rng.randint(1, max(1, share)), math.inf) if playing else (1, rng.uniform(0, START_SECONDS))
        went = killed.kill(matches, seconds)
        if not went:
            raise BenchError(f"the tournament was over after {len(outcome.kills)} kills: play more rounds")
        stored = killed.check()
        outcome.kills.append(went)
        outcome.stored.append(stored)
        say(f"kill {len(outcome.kills)}: {went} processes, {stored} matches stored")
    killed.finish()
    killed.check()
    outcome.matches = killed.matches()
    for what in ("results", "ranking"):
        if getattr(killed, what)() != getattr(whole, what)():
            raise BenchError(f"the {what} are not those of the tournament that was played in one go")
    return outcome


class CommandTournament:
    """A tournament of a database of its own, played by the command line."""

    def __init__(self, db: Path, plan: Sequence[str], events: Path | None = None) -> None:
        """Make one that has not begun.

        plan: the words after `arena tourney`.
        events: where it tells what it stored.
        """
        self._db = db
        self._plan = plan
        self._events = events or db.with_suffix(".events")
        self._ended: list[int] = []
        self._read = 0

    def words(self) -> list[str]:
        """Return the command line that starts or resumes it."""
        rest = ["resume", "1"] if self._begun() else list(self._plan)
        return [*program(), "tourney", *rest, "--db", str(self._db), "--events", str(self._events)]

    def _begun(self) -> bool:
        """Return whether there is a tournament to resume."""
        if not self._db.exists():
            return False
        with open_store(self._db, create=True) as store:
            return bool(store.tournaments())

    def finish(self) -> None:
        """Play to the end. Raises BenchError where that fails."""
        done = subprocess.run(self.words(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BenchError(f"{' '.join(self.words())} failed: {done.stderr.strip()}")

    def kill(self, matches: int, seconds: float) -> int:
        """Begin or go on, and kill all processes; return how many, 0 where it was over.

        matches, seconds: when so many more are stored, or so long after the start, whatever comes first.
        """
        before, began = len(self._told()), time.monotonic()
        with subprocess.Popen(
            self.words(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            while process.poll() is None:
                if len(self._told()) >= before + matches or time.monotonic() - began >= seconds:
                    return kill_all(process.pid)
                time.sleep(_LOOK_SECONDS)
            assert process.stderr is not None
            if process.returncode:
                complaint = process.stderr.read().strip()
                raise BenchError(f"arena failed with exit code {process.returncode}: {complaint}")
            return 0

    def check(self) -> int:
        """Return how many matches are stored. Raises BenchError where one is missing that was told, or told twice."""
        told = self._told()
        if len(set(told)) < len(told):
            raise BenchError("a match was stored twice")
        if not self._begun():
            if told:
                raise BenchError("events report matches of a tournament that is not stored")
            return 0
        with open_store(self._db) as store:
            stored = set(store.match_ids(1))
        if lost := set(told) - stored:
            raise BenchError(f"{len(lost)} matches that had been stored are lost")
        return len(stored)

    def _told(self) -> list[int]:
        """Return the ids of the matches that were told to be stored; reads what is new of it."""
        if self._events.exists():
            with self._events.open("rb") as file:
                file.seek(self._read)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._read += len(line)
                    with suppress(ValueError):  # cut off by a kill; the next event is on the same line
                        event = json.loads(line)
                        if event["event"] == "match_ended":
                            self._ended.append(event["match"])
        return self._ended

    def matches(self) -> int:
        """Return how many matches are stored."""
        with open_store(self._db) as store:
            return store.count(1)

    def results(self) -> bytes:
        """Return the bare results."""
        return self._print("tourney", "export", "1", "--results")

    def ranking(self) -> list[dict[str, Any]]:
        """Return the ranking without the bots' times."""
        rows = json.loads(self._print("ranking", "1", "--json"))["ranking"]
        return [{name: value for name, value in row.items() if not name.startswith("ms_")} for row in rows]

    def _print(self, *words: str) -> bytes:
        return subprocess.run([*program(), *words, "--db", str(self._db)], stdout=subprocess.PIPE, check=True).stdout


def kill_all(arena: int) -> int:
    """Kill a process with all its descendants, and wait for their ends; return how many there were."""
    ends, below = [], [arena, *descendants(arena)]
    for pid in below:
        with suppress(ProcessLookupError):
            ends.append(os.pidfd_open(pid))
            os.kill(pid, signal.SIGKILL)
    waiting = poll()
    for end in ends:
        waiting.register(end)
    left = len(ends)
    while left:
        for end, _ in waiting.poll():
            waiting.unregister(end)
            os.close(end)
            left -= 1
    return len(ends)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--times", type=click.IntRange(min=1), default=20, show_default=True, help="How often to kill.")
@click.option("--rounds", type=click.IntRange(min=1), default=2000, show_default=True, help="Of the tournament.")
@click.option("--seed", type=int, help="Of the moments  [default: others each time]")
def main(times: int, rounds: int, seed: int | None) -> None:
    """Kill a tournament again and again, and see that nothing is lost and nothing is there twice."""
    chosen = Random().randrange(10**6) if seed is None else seed
    click.echo(f"moments of --seed {chosen}")
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        plan = [*PLAN, "--rounds", str(rounds)]
        outcome = kill_and_resume(Path(folder), times, plan, Random(chosen), click.echo)
    click.echo(
        f"{len(outcome.kills)} kills of {sum(outcome.kills)} processes: {outcome.matches} matches, none lost, none "
        "twice, results the same byte for byte"
    )


if __name__ == "__main__":
    main()
