"""A person who types at a pseudo-terminal, or into a pipe."""

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
    for terminal_session in opened:
        terminal_session.close()


@pytest.fixture
def piped(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run `arena` with lines as its standard input."""
    return partial(pipe, tmp_path)
