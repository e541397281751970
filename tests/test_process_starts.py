"""Tests that start processes are marked, and fail if they are not."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.process_starts import MARKERS, pytest_runtest_call, started


def end_of_test(*markers: str) -> None:
    """Do what is done at the end of a test with these markers."""
    item: Any = SimpleNamespace(get_closest_marker=lambda name: name if name in markers else None)
    call = pytest_runtest_call(item)
    next(call)
    with pytest.raises(StopIteration):
        next(call)


@pytest.mark.promise
def test_processes_of_python_are_seen_however_they_are_started() -> None:
    assert started == []
    subprocess.run([sys.executable, "-c", ""], check=True)
    subprocess.run(["sh", "-c", f"{sys.executable} -c ''"], check=True)
    subprocess.run(args=["env", "python3", "--version"], stdout=subprocess.DEVNULL)
    assert len(started) == 3


def test_other_programs_do_not_count() -> None:
    subprocess.run(["true"], check=True)
    subprocess.run(["echo", "--hostname", "arena"], check=True, stdout=subprocess.DEVNULL)
    assert started == []


def test_who_started_some_must_be_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    end_of_test()
    with monkeypatch.context() as patch:
        patch.setattr("tests.process_starts.started", ["python bot.py"])
        for marker in MARKERS:
            end_of_test(marker)
        with pytest.raises(pytest.fail.Exception, match=r"it started a process \(python bot.py\): mark it `processes`"):
            end_of_test("usefixtures")
