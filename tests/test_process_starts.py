"""Tests that start processes are marked, and fail if they are not."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import process_starts
from tests.process_starts import MARKERS, pytest_collection_modifyitems, pytest_runtest_call, started

ROOT = Path(__file__).parent.parent


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


def test_a_marked_test_is_refused_where_make_test_slow_would_not_find_it(tmp_path: Path) -> None:
    pattern = re.search(r"^SLOW_FILES = .*'(mark.*)'", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert pattern is not None
    assert pattern[1] in Path(process_starts.__file__).read_text(), "both look for the same words"
    named, hidden = tmp_path / "test_named.py", tmp_path / "test_hidden.py"
    named.write_text("@pytest.mark.slow\ndef test_it(): ...\n")
    hidden.write_text("from helpers import tedious\n@tedious\ndef test_it(): ...\n")
    slow: Any = [SimpleNamespace(path=path, get_closest_marker=lambda name: name == "slow") for path in (named, hidden)]
    plain: Any = SimpleNamespace(path=hidden, get_closest_marker=lambda name: None)
    pytest_collection_modifyitems([slow[0], plain])
    with pytest.raises(pytest.UsageError, match=r"write pytest.mark.slow in .*test_hidden.py"):
        pytest_collection_modifyitems(slow)
