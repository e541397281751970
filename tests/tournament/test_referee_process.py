"""Referees that are started before anything else is ready for them."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from arena.run.referee_process import EarlyReferees, RefereeProcess, cores
from arena.run.referees import running
from tests.tournament.processes import Watched, descendants


def is_left(process: RefereeProcess) -> bool:
    return process.popen.poll() is None or process.folder.exists()


@pytest.mark.processes
def test_a_referee_that_nobody_takes_is_ended() -> None:
    with EarlyReferees([None, None], most=2) as early:
        taken, other = early._waiting
        assert early.take(None) is taken
        assert is_left(taken)
        assert is_left(other)
    assert not is_left(other)
    assert other.popen.returncode == -signal.SIGKILL
    assert is_left(taken), "who takes one ends it"
    early._waiting.append(taken)
    early.close()
    assert not is_left(taken)


def fail_in(early: EarlyReferees) -> None:
    with early:
        raise ZeroDivisionError


@pytest.mark.processes
def test_an_error_ends_it() -> None:
    early = EarlyReferees([None])
    (process,) = early._waiting
    with pytest.raises(ZeroDivisionError):
        fail_in(early)
    assert not is_left(process)


@pytest.mark.processes
def test_no_more_start_than_there_are_matches() -> None:
    with EarlyReferees([None, None, None], most=2) as early:
        assert len(early._waiting) == 2
        assert len(early.cores) == 3
    with EarlyReferees([None], most=-1) as early:
        assert early.take(None) is None


@pytest.mark.processes
def test_a_referee_is_pinned_from_its_start() -> None:
    (core,) = cores(1)
    with EarlyReferees([core]) as early:
        assert early.take(-1) is None
        (process,) = early._waiting
        assert os.sched_getaffinity(process.popen.pid) == {core}


@pytest.mark.promise
def test_a_referee_that_was_started_early_plays() -> None:
    async def play(process: RefereeProcess) -> None:
        async with trio.open_nursery() as nursery, running(nursery, None, print, process) as referee:
            assert referee.process is process.popen

    with EarlyReferees([None]) as early:
        process = early.take(None)
        assert process is not None
        trio.run(play, process)
        assert process.popen.returncode == 0
        assert not is_left(process)


NOTED = """
import sys
from arena.run import referee_process
made = []
class Noted(referee_process.RefereeProcess):
    def __init__(self, core):
        super().__init__(core)
        made.append(self)
referee_process.RefereeProcess = Noted
from arena.cli import main
try:
    main(sys.argv[1:])
finally:
    print(len(made), [process.popen.returncode for process in made], [process.folder.exists() for process in made])
"""


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tourney", "--db", "nowhere/a.db"], "the folder .*nowhere does not exist"),
        (["tourney", "--db", "."], "is a folder"),
        (["tourney", "--bots", "nobody,random"], "nobody"),
        (["match", "random", "nobody"], "nobody"),
        (["match", "random", "random", "--db", "nowhere/a.db"], "the folder .*nowhere does not exist"),
    ],
)
def test_an_error_leaves_no_referee(tmp_path: Path, words: list[str], said: str) -> None:
    command = [sys.executable, "-c", NOTED, words[0], "--game", "cambio", *words[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert re.search(said, done.stderr)
    assert "Traceback" not in done.stderr
    count = min(int(done.stdout.split()[0]), 64)
    assert count >= 1
    assert done.stdout == f"{count} {[-signal.SIGKILL] * count} {[False] * count}\n"


@pytest.mark.processes
@pytest.mark.parametrize(
    "words", [["tourney", "--rounds", "1", "--jobs", "1", "--trust-bots"], ["match", *4 * ["random"]]]
)
def test_the_referee_that_was_started_early_is_the_only_one(tmp_path: Path, words: list[str]) -> None:
    command = [sys.executable, "-c", NOTED, words[0], "--game", "cambio", *words[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "1 [0] [False]"


INTERRUPTED = """
import os, signal, sys
from arena.plan import field
def interrupt(*_, **__):
    print("begun", flush=True)
    signal.pause()
field.samples = interrupt
from arena.cli import main
main(["tourney", "--game", "cambio", "--rounds", "20"])
"""


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_before_the_first_match_leaves_no_referee(tmp_path: Path, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    referees = Watched(descendants(process.pid))
    assert referees._ends
    process.send_signal(number)
    _, said = process.communicate()
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert said == ("interrupted\n" if number == signal.SIGINT else "")
    assert referees.survivors() == []
    assert list(tmp_path.iterdir()) == []
