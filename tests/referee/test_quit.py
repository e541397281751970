"""A bot that hangs can be asked where it is, whoever started arena."""

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from referee.process.bot_process import let_bots_hear_quit


@pytest.fixture(autouse=True)
def ignored() -> Iterator[None]:
    before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGQUIT, before)


def inherited() -> bool:
    """Return whether a program that is started now ignores SIGQUIT."""
    status = subprocess.check_output(["cat", "/proc/self/status"], text=True)
    [mask] = [line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:")]
    return bool(int(mask, 16) >> (signal.SIGQUIT - 1) & 1)


def test_bots_hear_it_though_it_is_ignored_here() -> None:
    assert inherited()
    let_bots_hear_quit()
    assert not inherited()
    os.kill(os.getpid(), signal.SIGQUIT)


def test_it_ends_a_referee_where_it_was_not_ignored() -> None:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    let_bots_hear_quit()
    assert signal.getsignal(signal.SIGQUIT) is signal.SIG_DFL
