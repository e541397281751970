"""Bots that meddle with processes and files that are not theirs: nothing of either changes."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.sandbox import choice
from tests.referee.real import ROOT, Referee, phase, sample

pytestmark = pytest.mark.processes

MEDDLER = str(ROOT / "sample_bots/naughty/meddler.py")

each_mode = pytest.mark.parametrize("mode", ["rlimits"] if choice.probe() else ["bwrap", "rlimits"])


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Referee]:
    running = Referee(tmp_path_factory.mktemp("referee"))
    yield running
    running.close()


def attempts(referee: Referee, mode: str, *words: str) -> list[str]:
    """Play a match beside a meddler, which costs nobody anything, and return what it says of its attempts."""
    order = phase([sys.executable, MEDDLER, *words, "mark"], sample(), sample(), sandbox=mode, matches=1)
    report = referee.play(order)
    assert report.sentences() == ""
    told = report.end.players[0].output.splitlines()
    assert not report.end.players[0].truncated
    return told


@pytest.fixture
def other() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that is neither the referee's nor a bot's."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


@each_mode
def test_other_processes_are_not_limited_or_slowed_down(
    referee: Referee, mode: str, other: "subprocess.Popen[bytes]"
) -> None:
    victims = (referee.process.pid, other.pid)

    def state() -> object:
        return [
            (
                [resource.prlimit(pid, limit) for limit in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE)],
                (os.sched_getaffinity(pid), os.sched_getscheduler(pid), os.getpriority(os.PRIO_PROCESS, pid)),
            )
            for pid in victims
        ]

    before = state()
    told = attempts(referee, mode, "processes", *map(str, victims))
    assert len(told) == 13 * len(victims)
    assert not [line for line in told if line.startswith("GOT")]
    assert state() == before
    assert referee.process.poll() is other.poll() is None


@each_mode
def test_metadata_of_files_are_not_changed(referee: Referee, mode: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("as it is")
    os.setxattr(victim, "user.arena", b"ours")

    def state() -> object:
        return [(os.stat(path), os.listxattr(path)) for path in (tmp_path, victim)]

    before = state()
    told = attempts(referee, mode, "files", f"at:{tmp_path}", f"at:{victim}")
    assert len(told) == 15 * 3, "the third is the folder of the referee's socket"
    assert not [line for line in told if line.startswith("GOT")]
    assert state() == before
