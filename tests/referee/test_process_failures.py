"""Every failure of a bot's process is reported when it happens: real processes under a real referee."""

import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.process.bot_process import FAILURE_BYTES, Output
from referee.process.exit_status import ExitStatus
from referee.sandbox import choice
from referee.v1.work_pb2 import Fault, ProcessFailure
from tests.referee.real import ROOT, Referee, Report, bot_seed, phase, sample

NAUGHTY = str(ROOT / "sample_bots/naughty/naughty.py")
MODES = ("rlimits",) if choice.probe() else ("bwrap", "rlimits")
HELLO = """echo '{"type":"hello","name":"scribe"}'"""


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Referee]:
    running = Referee(tmp_path_factory.mktemp("referee"))
    yield running
    running.close()


def kinds(report: Report) -> list[str]:
    names = [ProcessFailure.Kind.Name(each.kind) for each in report.failures]
    return [name.removeprefix("KIND_").lower() for name in names]


def ending(failure: ProcessFailure) -> ExitStatus:
    return ExitStatus(
        failure.exit_code if failure.HasField("exit_code") else None,
        failure.signal if failure.HasField("signal") else None,
    )


def naughty(mischief: str, *arguments: str) -> list[str]:
    return [sys.executable, NAUGHTY, mischief, *arguments]


def bridged(script: str) -> list[str]:
    return [sys.executable, "-m", "arena.bridge", "--", "sh", "-c", script]


def test_the_shared_kinds_have_the_numbers_of_faults() -> None:
    shared = set(ProcessFailure.Kind.keys()) & set(Fault.Kind.keys())
    assert shared == {
        "KIND_UNSPECIFIED",
        *(f"KIND_{word}" for word in ["CRASH", "HUNG", "MEMORY", "PROTOCOL", "START"]),
    }
    assert all(int(ProcessFailure.Kind.Value(name)) == int(Fault.Kind.Value(name)) for name in shared)


CRASHES = (
    (naughty("crash-at-question"), "crash", ExitStatus(code=7), "what a question!\n"),
    (bridged(f"{HELLO}; read w; read s; echo off >&2; kill -9 $$"), "crash", ExitStatus(signal=9), "off\n"),
)
"""What is told of them comes through the sandbox, and so is tried in each."""

OTHERS = (
    (naughty("exit-at-once"), "start", ExitStatus(code=3), "I would rather not\n"),
    (naughty("garbage"), "protocol", ExitStatus(), ""),
    ([sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"], "start", ExitStatus(signal=11), ""),
    (bridged(f"{HELLO}; read w; read s; exit 5"), "crash", ExitStatus(code=5), ""),
)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("mode", "command", "kind", "how", "printed"),
    [*((mode, *crash) for mode in MODES for crash in CRASHES), *(("auto", *other) for other in OTHERS)],
)
def test_a_failure_is_reported_with_its_ending_and_last_words(
    referee: Referee, mode: str, command: list[str], kind: str, how: ExitStatus, printed: str
) -> None:
    before = time.time_ns() // 1000
    report = referee.play(phase(command, sample(), sample(), matches=1, sandbox=mode))
    assert set(kinds(report)) == {kind}
    assert {each.player for each in report.failures} == {0}
    assert [ending(each) for each in report.failures] == [how] * len(report.failures)
    assert all(each.output.startswith(printed) for each in report.failures), report.failures
    times = [each.time_us for each in report.failures]
    assert times == sorted(set(times))
    assert before <= times[0] <= times[-1] <= time.time_ns() // 1000
    assert len(report.failures) == report.end.players[0].process_faults
    found_guilty = [each.guilty for each in report.failures if each.HasField("guilty")]
    assert found_guilty == [0] * sum(len(each.matches) for each in report.failures)


@pytest.mark.processes
def test_who_hangs_is_ended_by_the_referee_and_has_no_exit_code(referee: Referee) -> None:
    report = referee.play(phase(naughty("hang"), sample(), matches=1, move_time=0.1, bank=0.0, chips=6))
    assert set(kinds(report)) == {"hung"}
    assert {ending(each) for each in report.failures} == {ExitStatus()}
    assert {tuple(each.matches) for each in report.failures} == {(0,)}


@pytest.mark.processes
def test_who_takes_too_much_memory(referee: Referee) -> None:
    hog = [sys.executable, str(ROOT / "sample_bots/naughty/intruder.py"), "memory-hog", "mark"]
    report = referee.play(phase(hog, sample(), matches=1))
    assert set(kinds(report)) == {"memory"}
    assert "out of memory: it may hold 256 MB" in report.failures[0].sentence


@pytest.mark.processes
def test_a_program_that_cannot_be_started(referee: Referee, tmp_path: Path) -> None:
    order = phase(sample(), sample(), matches=1)
    order.players[0].folder = str(tmp_path / "gone")
    report = referee.play(order)
    assert kinds(report) == ["start"] * 3
    assert {ending(each) for each in report.failures} == {ExitStatus()}
    assert report.failures[0].sentence == "it cannot be started: No such file or directory"


@pytest.mark.processes
def test_a_machine_that_can_start_no_program_is_no_failure_of_bots(tmp_path: Path) -> None:
    short = Referee(tmp_path)
    try:
        short.play(phase(sample(), sample(), matches=1))
        used = max(int(name) for name in os.listdir(f"/proc/{short.process.pid}/fd"))
        resource.prlimit(short.process.pid, resource.RLIMIT_NOFILE, (used + 2, used + 2))
        with pytest.raises(AssertionError, match="no program can be started: Too many open files"):
            short.play(phase(sample(), sample(), matches=1))
    finally:
        short.close()


@pytest.mark.processes
def test_matches_under_suspicion_and_the_guilty_one_are_told_apart(referee: Referee) -> None:
    report = referee.play(phase(naughty("crash-in-one-match", bot_seed(2, 0).hex()), sample(), sample(), chips=10))
    first, *later = report.failures
    assert len(first.matches) > 1
    assert not first.HasField("guilty")
    assert 2 in first.matches
    assert all(list(each.matches) == [each.guilty] == [2] for each in later if each.HasField("guilty"))
    assert any(each.HasField("guilty") for each in later)


@pytest.mark.promise
def test_it_is_reported_at_once_and_not_at_the_end_of_the_phase(tmp_path: Path) -> None:
    running = Referee(tmp_path)
    order = phase(naughty("crash-at-question"), naughty("hang"), matches=12, move_time=60, chips=10)
    running.order(order)
    for response in running.responses:
        assert not response.ends
        if response.process_failures:
            break
    running.process.kill()
    running.close()


def test_the_tail_is_of_the_newest_process_bounded_and_harmless() -> None:
    output = Output()
    output.start_process()
    output.add(b"of the first process\n")
    output.start_process()
    assert output.process_tail() == ("", False)
    output.add(b"\x1b[31mred\n")
    assert output.process_tail() == ("\\x1b[31mred\n", False)
    output.add("é".encode() * FAILURE_BYTES)
    assert output.process_tail() == ("é" * (FAILURE_BYTES // 2), True)
    output.add(b"x" + "é".encode() * (FAILURE_BYTES // 2 - 1) + b"x")
    assert output.process_tail() == ("x" + "é" * (FAILURE_BYTES // 2 - 1) + "x", True)
    output.add("é".encode() * (FAILURE_BYTES // 2) + b"y")
    assert output.process_tail() == ("é" * (FAILURE_BYTES // 2 - 1) + "y", True), "no half of a character"


def test_what_an_earlier_process_said_of_memory_is_not_the_newest_ones_doing() -> None:
    output = Output()
    output.start_process()
    output.add(b"MemoryError\n")
    output.start_process()
    assert output.raw_tail(100) == b""


@pytest.mark.parametrize(
    ("status", "how", "words"),
    [
        (0, ExitStatus(code=0), "exited with code 0"),
        (128, ExitStatus(code=128), "exited with code 128"),
        (137, ExitStatus(signal=9), "was ended by signal SIGKILL"),
        (-9, ExitStatus(signal=9), "was ended by signal SIGKILL"),
        (-35, ExitStatus(signal=35), "was ended by signal 35"),
        (255, ExitStatus(code=255), "exited with code 255"),
    ],
)
def test_an_exit_status_says_how_a_process_ended(status: int, how: ExitStatus, words: str) -> None:
    assert ExitStatus.of(status) == how
    assert str(how) == words


@pytest.mark.processes
def test_a_real_status_agrees() -> None:
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", "kill -KILL $$"], {})
    assert ExitStatus.of(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])) == ExitStatus(signal=signal.SIGKILL)
