"""Processes that check side by side: real ones, as they are killed, interrupted and pinned."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from arena_classroom.check_pool import CheckPool

from arena.bots.check_processes import core_shares
from tests.tournament.processes import wait_until

pytestmark = pytest.mark.processes

WORK = """
import os, signal, sys, time
from pathlib import Path
from arena_classroom.check_pool import CheckPool

def work(folder):
    try:
        Path(folder, str(os.getpid())).touch()
        signal.pause()
    finally:
        Path(folder, f"{os.getpid()}.over").touch()

if __name__ == "__main__":
    for _ in CheckPool(2, work).run([sys.argv[1]] * 3):
        pass
"""


def doubled(number: int) -> int:
    return 2 * number


def fatal(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def failing(number: int) -> int:
    raise ValueError(f"wrong {number}")


def cores(number: int) -> tuple[int, ...]:
    return tuple(sorted(os.sched_getaffinity(0)))


@pytest.mark.promise
def test_each_task_is_done_once() -> None:
    assert sorted(CheckPool(2, doubled).run(range(7))) == [(number, 2 * number) for number in range(7)]


def test_a_process_that_is_killed_does_not_stop_the_others() -> None:
    outcomes = dict(CheckPool(2, fatal).run(range(8)))
    assert sorted(outcomes) == [*range(8)]
    lost = {number for number, outcome in outcomes.items() if outcome is None}
    assert 3 in lost
    assert len(lost) <= 2
    assert all(outcome == number for number, outcome in outcomes.items() if number not in lost)


def test_an_error_is_raised_here() -> None:
    with pytest.raises(ValueError, match="wrong 0"):
        list(CheckPool(1, failing).run([0]))


def test_processes_share_the_cores() -> None:
    mine = os.sched_getaffinity(0)
    assert {*dict(CheckPool(1, cores).run([0])).values()} == {tuple(sorted(mine))}
    for jobs in range(1, len(mine) + 1):
        shares = core_shares(jobs)
        assert len(shares) == jobs
        assert len({core for share in shares for core in share}) == sum(map(len, shares)) <= len(mine)
    assert all(set(share) == mine for share in core_shares(len(mine) + 1))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_ends_arena_ends_the_checks_in_order(tmp_path: Path, number: signal.Signals) -> None:
    """Also where nothing of arena is left to tell them: they end with it, and clean up."""
    script = tmp_path / "script.py"
    script.write_text(WORK)
    folder = tmp_path / "began"
    folder.mkdir()
    with subprocess.Popen([sys.executable, str(script), str(folder)], stderr=subprocess.DEVNULL) as process:
        wait_until(process, lambda: len(list(folder.iterdir())) >= 2)
        pids = [int(path.name) for path in folder.iterdir()]
        handles = [os.pidfd_open(pid) for pid in pids]
        process.send_signal(number)
        for handle in handles:
            poller = select.poll()
            poller.register(handle, select.POLLIN)
            assert poller.poll(60_000)
            os.close(handle)
    assert {path.name for path in folder.iterdir()} == {f"{pid}{end}" for pid in pids for end in ("", ".over")}
