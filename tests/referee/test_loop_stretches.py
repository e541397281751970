"""Whatever a bot does, the loop hears the others as soon as without it: else they were charged for its work."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.connection import grpc_server
from tests.referee.real import ROOT, Referee, phase, sample
from tests.sandbox.test_launch import OLD_DATABASE

BURDEN = str(ROOT / "sample_bots/naughty/burden.py")
FACTOR = 4
"""How much longer the longest stretch may be than without an attacker: that is the start of a phase, some 12 ms."""

pytestmark = pytest.mark.skipif(
    not grpc_server.__file__.endswith(".py"), reason="what is compiled cannot be watched from outside"
)


def play(folder: Path, command: list[str], home: Path = ROOT) -> list[float]:
    """Play matches of a bot with two good ones; return the CPU time of each stretch in which nobody was heard."""
    noted = folder / "stretches.json"
    referee = Referee(folder, "tests.referee.watched", str(noted))
    order = phase(command, sample(), sample(), matches=12, chips=5)
    order.players[0].folder = str(home)
    report = referee.play(order)
    referee.close()
    assert len(report.records) == 12
    assert report.faults(1) == report.faults(2) == []
    stretches: list[float] = json.loads(noted.read_text())
    return stretches


@pytest.fixture(scope="module")
def longest(tmp_path_factory: pytest.TempPathFactory) -> float:
    """The longest stretch without an attacker, in seconds."""
    return max(play(tmp_path_factory.mktemp("quiet"), [sys.executable, BURDEN, "quiet"]))


@pytest.mark.processes
@pytest.mark.parametrize("burden", ["messages", "large-messages", "notes", "output", "crash", "files", "processes"])
def test_what_a_bot_does_keeps_nobody_from_being_heard(tmp_path: Path, longest: float, burden: str) -> None:
    assert max(play(tmp_path, [sys.executable, BURDEN, burden])) < FACTOR * longest


def many_files(home: Path) -> Path:
    for number in range(10_000):
        (home / f"{number:0200}").touch()
    return home


def many_databases(home: Path) -> Path:
    for number in range(990):
        (home / f"{number:0200}.db").write_bytes(OLD_DATABASE)
    return home


def deep(home: Path) -> Path:
    while len(str(home)) < 3800:
        home /= "d"
        os.mkdir(home)
    return home


@pytest.mark.processes
@pytest.mark.parametrize("fill", [many_files, many_databases, deep])
def test_what_lies_in_its_folder_keeps_nobody_from_being_heard(
    tmp_path: Path, longest: float, fill: Callable[[Path], Path]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    try:
        assert max(play(tmp_path, sample(), fill(home))) < FACTOR * longest
    finally:
        subprocess.run(["rm", "-r", home], check=True)  # what clears up after tests calls itself for each folder
