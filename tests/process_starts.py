"""A plugin of pytest that fails an unmarked test which starts processes of Python: they make tests dear.

Markers: a test is `processes` if it starts some, and `promise` if `make test` runs it all the same.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from functools import cache, wraps
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

MARKERS = ("processes", "promise", "slow", "toolchain")
"""Those of tests that may start processes."""

FIXTURES = frozenset({"spawned_checks", "with_processes"})
"""Whoever wants one of these starts some."""

PROGRAMS = ("/python", "/python3", "/bin/arena")
"""How the words end that name a program of Python, wherever they stand in a command."""

started: list[str] = []
"""What was started for the test that runs. That a program was looked for, or asked its version, does not count."""


def pytest_configure() -> None:
    """Note in `started`, from now on, the processes of Python that this process starts."""
    subprocess.Popen.__init__ = _noting(subprocess.Popen.__init__, _python)  # type: ignore[method-assign]
    BaseProcess.start = _noting(BaseProcess.start, lambda process: f"process {process.name}")  # type: ignore[method-assign]
    os.fork = _noting(os.fork, lambda: "a fork")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Mark who wants such a fixture. Raises pytest.UsageError for a file that `make test-slow` would not find."""
    hidden = set()
    for item in items:
        if FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("processes")
        if any(map(item.get_closest_marker, ("processes", "slow"))) and not is_found(item.path):
            hidden.add(str(item.path))
    if hidden:
        names = ", ".join(sorted(hidden))
        raise pytest.UsageError(f"`make test-slow` finds marked tests by their text: write pytest.mark.slow in {names}")


@cache
def is_found(path: Path) -> bool:
    """Return whether `make test-slow` finds marked tests in a file: by these words, which SLOW_FILES names."""
    return re.search(r"mark\.(slow|processes)|with_processes|spawned_checks", path.read_text("utf-8")) is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    started.clear()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fail a test that started processes, itself or by its fixtures, and is not marked."""
    yield
    if started and not any(map(item.get_closest_marker, MARKERS)):
        pytest.fail(
            f"it started a process ({started[0]}): mark it `processes`, or play its matches `in_process`", pytrace=False
        )


def _noting(start: Callable[..., Any], words: Callable[..., str]) -> Callable[..., Any]:
    @wraps(start)
    def noted(*args: Any, **options: Any) -> Any:
        if what := words(*args, **options):
            started.append(what)
        return start(*args, **options)

    return noted


def _python(popen: object, args: str | os.PathLike[str] | Sequence[Any], *others: object, **options: object) -> str:
    """Return a command line that starts Python; empty for another."""
    texts = [os.fsdecode(word) for word in ([args] if isinstance(args, str | os.PathLike) else args)]
    is_ours = any(sys.executable in text or f"/{text}".endswith(PROGRAMS) for text in texts)
    return " ".join(texts) if is_ours else ""
