"""Pools of processes end with the command that started them."""

import os
import signal
from pathlib import Path

import pytest

from arena.values.errors import ArenaError
from arena.values.process_pool import process_pool

PATIENCE = 60
"""Seconds for whatever a test waits for."""


def wait_for_end(pipe: str) -> None:
    """Write something into a named pipe, then wait for a signal."""
    Path(pipe).write_text("begun")
    signal.pause()


def interrupted_at_work(pipe: Path) -> None:
    with process_pool(1, ArenaError("killed")) as pool:
        pool.submit(wait_for_end, str(pipe))
        assert pipe.read_text() == "begun"
        raise KeyboardInterrupt


@pytest.mark.promise
def test_an_interrupted_command_does_not_wait_for_its_tasks(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(KeyboardInterrupt):
        interrupted_at_work(pipe)


@pytest.mark.promise
def test_a_process_that_is_killed_is_an_error_of_the_caller() -> None:
    with pytest.raises(ArenaError, match="killed"), process_pool(1, ArenaError("killed")) as pool:
        pool.submit(os.kill, pool.submit(os.getpid).result(PATIENCE), signal.SIGKILL).result(PATIENCE)
