"""Bots that attack the machine: they get nothing, nobody else loses anything, and nothing of them stays."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.sandbox import choice
from referee.sandbox.cgroups import find_groups
from referee.sandbox.guardian import landlock_version
from referee.v1.work_pb2 import Phase
from tests.referee.real import ROOT, Referee, Report, assert_all_end, phase, pidfds, sample

pytestmark = pytest.mark.processes

INTRUDER = str(ROOT / "sample_bots/naughty/intruder.py")

MODES = ("rlimits",) if choice.probe() else ("bwrap", "rlimits")
GROUPS, WITHOUT_GROUPS = find_groups()
WITHOUT_FENCE = "without bubblewrap only Landlock of version 6 (Linux 6.12) keeps bots from files and processes"

each_mode = pytest.mark.parametrize("mode", MODES)
each_fence = pytest.mark.parametrize(
    "mode",
    [
        pytest.param(mode, marks=pytest.mark.skipif(mode == "rlimits" and landlock_version() < 6, reason=WITHOUT_FENCE))
        for mode in MODES
    ],
)


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Referee]:
    running = Referee(tmp_path_factory.mktemp("referee"))
    yield running
    running.close()


def intruder(*words: str) -> list[str]:
    return [sys.executable, INTRUDER, *words]


def against_good_bots(referee: Referee, order: Phase) -> tuple[Report, str]:
    """Play, see that nobody else suffered, and return the report and what the attacker printed."""
    marker = f"marker={id(order)}"
    order.players[0].command.append(marker)
    report = referee.play(order)
    assert len(report.records) == len(order.matches), "no match is lost"
    assert report.faults(1) == report.faults(2) == [], report.sentences()
    assert_all_end(pidfds(marker))
    told = report.end.players[0].output
    assert "\x1b" not in told + report.sentences()
    return report, told


def attack(referee: Referee, mode: str, *words: str, matches: int = 1) -> tuple[Report, str]:
    return against_good_bots(referee, phase(intruder(*words), sample(), sample(), sandbox=mode, matches=matches))


@each_mode
@pytest.mark.parametrize("name", ["double-fork", "second-stream", "foreign-answers", "crash-at-end", "flood-errors"])
def test_what_harms_nobody_costs_nothing(referee: Referee, mode: str, name: str) -> None:
    report, told = attack(referee, mode, name)
    assert report.sentences() == ""
    assert "GOT" not in told
    if name == "second-stream":
        assert "refused: the token is unknown or was used before" in told


@each_mode
def test_a_fork_bomb_is_stopped(referee: Referee, mode: str) -> None:
    report, told = attack(referee, mode, "fork-bomb")
    if mode == "rlimits" and GROUPS is None and os.geteuid():
        assert "it started more than the 256 processes and threads that it may have" in report.sentences()
    else:
        assert "EAGAIN" in told
    assert set(report.faults(0)) <= {"start", "crash", "withdrawn"}, "it may lack threads of its own then"


@each_fence
def test_no_disk_is_filled(referee: Referee, mode: str) -> None:
    report, told = attack(referee, mode, "disk-filler")
    assert "GOT" not in told
    assert report.sentences() == ""


@each_mode
def test_memory_has_an_end(referee: Referee, mode: str) -> None:
    report, told = attack(referee, mode, "memory-hog")
    assert set(report.faults(0)) <= {"memory", "withdrawn"}
    assert "out of memory: it may hold 256 MB" in report.sentences()
    assert "GOT" not in told


@each_mode
def test_shared_memory_has_an_end(referee: Referee, mode: str) -> None:
    report, told = attack(referee, mode, "memory-family")
    assert set(report.faults(0)) <= {"memory", "withdrawn"}, report.sentences()
    assert "GOT" not in told


@each_fence
def test_nobody_is_killed_or_traced(referee: Referee, mode: str) -> None:
    report, told = attack(referee, mode, "killer", str(referee.process.pid))
    assert "GOT kill of the referee" not in told
    assert "GOT ptrace" not in told
    assert referee.process.poll() is None
    assert report.sentences() == "" or "GOT kill of its parent" in told


@each_fence
def test_files_of_others_are_not_read(referee: Referee, mode: str, tmp_path: Path) -> None:
    database = tmp_path / "arena.db"
    database.write_bytes(b"SQLite format 3\0 CREATE TABLE alembic_version")
    paths = [str(database), "/etc/shadow", os.path.expanduser("~/.bashrc"), f"/proc/{referee.process.pid}/environ"]
    report, told = attack(referee, mode, "reader", *(f"at:{path}" for path in paths))
    assert "GOT" not in told, told
    assert report.sentences() == ""


@each_fence
def test_another_bot_s_file_is_not_read(referee: Referee, mode: str) -> None:
    sampled = sample()[-1]
    report, told = attack(referee, mode, "reader", f"at:{sampled}")
    assert "GOT" not in told, told
    assert report.sentences() == ""


@each_fence
def test_nobody_is_dialled(referee: Referee, mode: str) -> None:
    name = f"arena-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as hidden:
        hidden.bind(f"\0{name}")
        hidden.listen()
        report, told = attack(referee, mode, "network", str(tcp.getsockname()[1]), name)
    assert "a connection to ('" not in told, told
    if mode == "bwrap":
        assert "GOT" not in told
    assert report.sentences() == ""


@each_mode
@pytest.mark.parametrize(
    ("name", "kinds", "word"),
    [
        ("torn", {"protocol", "withdrawn"}, "cannot be decoded"),
        ("reconnect", {"crash", "withdrawn", "hung", "timeout"}, ""),
        ("escapes", {"illegal"}, "not legal there"),
    ],
)
def test_what_is_wrong_is_its_own_loss(referee: Referee, mode: str, name: str, kinds: set[str], word: str) -> None:
    order = phase(intruder(name), sample(), sample(), sandbox=mode, matches=1, move_time=0.5, bank=0.1)
    report, told = against_good_bots(referee, order)
    assert set(report.faults(0)) <= kinds, report.sentences()
    assert word in report.sentences()
    assert "GOT" not in told, told


def test_no_text_of_a_bot_carries_escapes(referee: Referee) -> None:
    report, told = attack(referee, "auto", "escapes")
    end = report.end.players[0]
    texts = [told, end.name, end.version, report.sentences()]
    texts += [note.text for record in report.records for note in record.notes]
    assert "<script>" in told
    assert "<script>" in end.name
    assert any("<script>" in note.text for record in report.records for note in record.notes)
    for text in texts:
        assert all(each.isprintable() or each == "\n" for each in text), text


def test_a_bot_that_burns_all_it_can_runs_out_of_time(referee: Referee) -> None:
    order = phase(intruder("cpu-burner"), sample(), sample(), matches=1, move_time=0.5, bank=0.1, chips=10)
    report, _ = against_good_bots(referee, order)
    assert report.faults(0)[:2] == ["timeout", "hung"]


def test_who_answers_just_in_time_is_not_punished_and_who_is_late_is(referee: Referee) -> None:
    order = phase(intruder("slow", "0.2"), sample(), sample(), matches=1, move_time=5.0, bank=0.1)
    assert against_good_bots(referee, order)[0].sentences() == ""
    order = phase(intruder("slow", "0.5"), sample(), sample(), matches=1, move_time=0.1, bank=0.1)
    report, _ = against_good_bots(referee, order)
    assert set(report.faults(0)) <= {"timeout", "hung", "withdrawn"}
    assert report.faults(0)


def test_half_a_call_is_no_hello(referee: Referee) -> None:
    order = phase(intruder("half-a-call"), intruder("half-a-call"), matches=1)
    order.time.start_time_ms = 2000
    for player in order.players:
        player.command.append("mark")
    report = referee.play(order)
    assert "no valid hello within 2 s: it made no gRPC call" in report.sentences()
