"""What tests rest on: how many run side by side, and waiting for processes."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from os import sched_getaffinity

import pytest

from tests import conftest
from tests.tournament import processes


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that ends when its input does."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as one:
        yield one
        one.kill()


@pytest.mark.parametrize(
    ("asked", "variable", "ours"), [("auto", "", True), ("auto", "5", False), ("logical", "", False)]
)
def test_xdist_decides_how_many_run_side_by_side_unless_it_is_auto(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, asked: str, variable: str, ours: bool
) -> None:
    monkeypatch.setattr(pytestconfig.option, "numprocesses", asked, raising=False)
    monkeypatch.setenv("PYTEST_XDIST_AUTO_NUM_WORKERS", variable)
    number = conftest.pytest_xdist_auto_num_workers(pytestconfig)
    assert number == (len(sched_getaffinity(0)) + 1 if ours else None)


@pytest.mark.processes
def test_what_a_process_brings_about_as_its_last_act_is_found(process: "subprocess.Popen[bytes]") -> None:
    def look() -> str:
        if process.returncode is not None:
            return "done"
        process.communicate(b"\n")  # it ends after this look
        return ""

    assert processes.wait_until(process, look) == "done"


@pytest.mark.processes
def test_what_was_seen_last_is_said(process: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    monkeypatch.setattr(processes, "PATIENCE", 0.0)
    with pytest.raises(AssertionError, match=r"it does not happen within 0 s; seen last: \[\]"):
        processes.wait_until(process, lambda: found)
    process.wait()
    with pytest.raises(AssertionError, match=r"has ended before, with code -9; seen last: \[\]"):
        processes.wait_until(process, lambda: found)


def test_the_memory_of_this_process_is_limited() -> None:
    assert "memory limit" in {thread.name for thread in threading.enumerate()}


@pytest.mark.processes
def test_a_process_of_tests_with_too_much_memory_says_where_it_was_and_ends() -> None:
    code = (
        "from tests import memory_limit\n"
        "memory_limit.start(2, memory_limit.memory() + (64 << 20))\n"
        "def hoard():\n"
        "    blocks = []\n"
        "    while True:\n"
        "        blocks.append(bytearray(1 << 16)) if len(blocks) < 4096 else None\n"
        "hoard()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1
    assert "MiB of memory, so it ends:" in done.stderr
    assert "in hoard" in done.stderr
