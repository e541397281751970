"""A person at a terminal: types lines into a program that believes it sits at one."""

import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.play.typed_input import Session, pipe


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Callable[..., Session]]:
    """Start `arena` in a terminal."""
    opened: list[Session] = []

    def start(*arguments: str) -> Session:
        opened.append(Session(tmp_path, *arguments))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.fixture
def piped(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run `arena` with lines as its standard input."""
    return partial(pipe, tmp_path)
