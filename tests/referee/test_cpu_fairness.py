"""Fair clocks: what a bot is excused for, when it rests, and which matches are void."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio
import trio.testing

from referee.process import cpu_accounting
from referee.process.cpu_accounting import (
    SCAN_SECONDS,
    CpuAccounting,
    CpuUse,
    ProcessTree,
    descendants,
    is_counted,
)
from referee.process.cpu_fairness import BotCpu, RefereeCpu

pytestmark = pytest.mark.promise

NewTable = Callable[..., Any]

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "print('up', flush=True); input()"], stdin=0)
child.wait()
"""


@pytest.fixture
def tree_root() -> Iterator["subprocess.Popen[str]"]:
    """A process, its child and its grandchild; all end when its input is closed."""
    command = [sys.executable, "-c", f"import subprocess, sys; subprocess.call([sys.executable, '-c', {PARENT!r}])"]
    root = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert root.stdout
    assert root.stdin
    assert root.stdout.readline() == "up\n"
    yield root
    if root.poll() is None:
        for pid in [root.pid, *descendants(root.pid)]:
            os.kill(pid, signal.SIGCONT)
    root.stdin.close()
    root.wait()
    root.stdout.close()


def state(pid: int) -> str:
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


def wait_until(pids: list[int], stopped: bool) -> None:
    begun = time.monotonic()
    while any((state(pid) == "T") != stopped for pid in pids):
        assert time.monotonic() < begun + 60
        os.sched_yield()


def ends(tree_root: "subprocess.Popen[str]") -> bool:
    """Close its input, and tell whether all end by that: who was told to stop never does, however late it is seen."""
    assert tree_root.stdin
    tree_root.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        tree_root.wait(60)
    return tree_root.returncode is not None


def test_descendants_are_found_in_all_generations(tree_root: "subprocess.Popen[str]") -> None:
    assert len(descendants(tree_root.pid)) == 2
    assert tree_root.pid not in descendants(tree_root.pid)


async def test_who_has_no_question_is_frozen_until_the_next(tree_root: "subprocess.Popen[str]") -> None:
    cpu = BotCpu(tree_root.pid, RefereeCpu(), ponder=False)
    below = descendants(tree_root.pid)
    cpu.pause()
    wait_until(below, stopped=True)
    assert state(tree_root.pid) != "T", "what ends the bot must not be frozen with it"
    cpu.resume()
    wait_until(below, stopped=False)
    cpu.pause()
    wait_until(below, stopped=True)
    cpu.release()
    wait_until(below, stopped=False)
    cpu.pause()
    assert ends(tree_root), "it was let go"
    cpu.close()


async def test_who_may_ponder_never_rests(tree_root: "subprocess.Popen[str]") -> None:
    cpu = BotCpu(tree_root.pid, RefereeCpu(), ponder=True)
    cpu.pause()
    assert ends(tree_root)


async def test_of_a_bot_with_many_threads_nothing_is_looked_for_on_the_loop(
    tree_root: "subprocess.Popen[str]", monkeypatch: pytest.MonkeyPatch, mock_clock: trio.testing.MockClock,
    nursery: trio.Nursery,
) -> None:  # fmt: skip
    scans: list[int] = []

    def counting(root_pid: int) -> list[int]:
        scans.append(threading.get_ident())
        return descendants(root_pid)

    below = descendants(tree_root.pid)
    cpu = BotCpu(tree_root.pid, RefereeCpu(), ponder=False)
    before = cpu._tree.measure()
    monkeypatch.setattr(cpu_accounting, "FEW_THREADS", 1)
    monkeypatch.setattr(cpu_accounting, "descendants", counting)
    nursery.start_soon(cpu.watch_crowd, trio.CapacityLimiter(1))
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(SCAN_SECONDS)
    cpu._tree.pids = []
    cpu.pause()
    assert cpu._tree.is_crowded
    assert cpu._tree.measure() == before, "what is not counted is not excused"
    while len(cpu._paused_pids) < len(below):
        await trio.lowlevel.checkpoint()
    wait_until(below, stopped=True)
    cpu.resume()
    wait_until(below, stopped=False)
    assert scans
    assert threading.get_ident() not in scans
    nursery.cancel_scope.cancel()
    cpu.close()


@pytest.mark.skipif(not is_counted(), reason="this kernel does not count what threads wait (no /proc/PID/schedstat)")
async def test_the_kernel_counts_what_processes_ran(tree_root: "subprocess.Popen[str]") -> None:
    accounting = ProcessTree(tree_root.pid).measure()
    assert accounting.ran > 0
    assert accounting.waited >= 0
    own = CpuAccounting()
    own.add([os.getpid()])
    before = own.measure()
    while own.measure().since(before).ran < 0.01:
        sum(range(1000))
    own.close()


def test_what_an_ended_thread_had_is_not_lost() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input('ready')"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.read(5) == b"ready"  # before that it may not have run at all
    accounting = CpuAccounting()
    accounting.add([child.pid])
    before = accounting.measure()
    child.communicate(b"\n")
    assert accounting.measure() == accounting.measure()
    assert accounting.measure().ran >= before.ran > 0


@dataclass
class Uses:
    """Stands for what the kernel counts."""

    bot: CpuUse = field(default_factory=lambda: CpuUse(0.0, 0.0))
    own: CpuUse = field(default_factory=lambda: CpuUse(0.0, 0.0))


@pytest.fixture
def uses(monkeypatch: pytest.MonkeyPatch) -> Uses:
    uses = Uses()
    monkeypatch.setattr(ProcessTree, "measure", lambda self: uses.bot)
    monkeypatch.setattr(RefereeCpu, "measure", lambda self: uses.own)
    return uses


@pytest.mark.parametrize(
    ("ran", "waited", "own", "delay", "excused", "lag"),
    [
        (0.2, 0.0, 0.0, 0.0, 0.0, 0.0),  # it slept: that is its own business
        (0.2, 0.5, 0.0, 0.0, 0.5, 0.0),
        (0.2, 0.5, 0.1, 0.05, 0.65, 0.15),
        (0.9, 7.0, 0.0, 0.0, 0.1, 0.0),  # eight threads on one core: it was running nearly all the time
        (3.0, 0.5, 0.2, 0.0, 0.0, 0.2),  # three cores' worth
    ],
)
async def test_what_is_excused(
    uses: Uses, mock_clock: trio.testing.MockClock, ran: float, waited: float, own: float, delay: float, excused: float,
    lag: float,
) -> None:  # fmt: skip
    referee = RefereeCpu()
    cpu = BotCpu(os.getpid(), referee, ponder=True)
    cpu.resume()
    mock_clock.jump(1.0)
    uses.bot, uses.own = CpuUse(ran, waited), CpuUse(9.0, own)
    assert cpu.measure_delay(delay) == pytest.approx((excused, lag))
    assert referee.max_lag == pytest.approx(lag)
    assert cpu.waited == pytest.approx(min(waited, max(0.0, 1.0 - ran)))
    mock_clock.jump(1.0)
    assert cpu.measure_delay() == (0.0, 0.0), "it is told once"


async def test_who_shares_a_core_is_charged_while_it_sleeps_however_busy_the_referee_is(
    uses: Uses, mock_clock: trio.testing.MockClock
) -> None:
    cpu = BotCpu(os.getpid(), None, ponder=True)
    cpu.resume()
    mock_clock.jump(1.0)
    uses.bot, uses.own = CpuUse(0.1, 0.02), CpuUse(0.5, 7.0)
    assert cpu.measure_delay(0.3) == (0.02, 0.0)


@dataclass
class FakeCpu:
    """A CPU control with the delay that a test sets, which notes how it is called."""

    next: tuple[float, float] = (0.0, 0.0)
    calls: list[str] = field(default_factory=list)

    def resume(self) -> None:
        self.calls.append("resume")

    def pause(self) -> None:
        self.calls.append("pause")

    def release(self) -> None:
        self.calls.append("release")

    def measure_delay(self, lag: float = 0.0) -> tuple[float, float]:
        delay, self.next = self.next, (0.0, 0.0)
        return delay


async def test_what_the_machine_kept_is_not_charged(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    cpu = a.player.cpu = FakeCpu()
    match = table.match([a, b])
    table.flush()
    mock_clock.jump(0.8)
    cpu.next = (0.5, 0.0)
    a.answer((a.questions()[0].id, "one"))
    assert match.seats[0].total == pytest.approx(0.3)
    assert cpu.calls == ["resume", "pause"]
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    mock_clock.jump(0.4)
    a.answer((a.questions()[0].id, "one"))
    assert match.seats[0].total == pytest.approx(0.7), "it is excused once"
    a.player.disconnect()
    assert cpu.calls == ["resume", "pause", "resume", "pause", "release"]


async def test_the_end_of_its_time_is_put_off(
    new_table: NewTable, mock_clock: trio.testing.MockClock, nursery: trio.Nursery
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    cpu = a.player.cpu = FakeCpu(next=(0.75, 0.0))
    match = table.match([a, b])
    table.flush()
    (question,) = a.questions()
    nursery.start_soon(a.player.watch_clock, table.flush)
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(3.0)  # the move time of 1 s and the bank of 2 s
    await trio.testing.wait_all_tasks_blocked()
    assert match.seats[0].strikes == 0
    mock_clock.jump(0.7)
    await trio.testing.wait_all_tasks_blocked()
    assert match.seats[0].strikes == 0
    mock_clock.jump(0.1)
    await trio.testing.wait_all_tasks_blocked()
    assert match.seats[0].strikes == 1
    assert cpu.calls == ["resume", "pause"]
    assert not a.fault
    a.answer((question.id, "one"))
    nursery.cancel_scope.cancel()


async def test_an_answer_that_lay_here_too_long_voids_its_match(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    cpu = a.player.cpu = FakeCpu()
    a.player._max_lag = 0.1
    match, other = table.match([a, b]), table.match([b, a])
    table.flush()
    cpu.next = (0.1, 0.1)
    a.answer((a.questions()[0].id, "one"))
    assert match.lag == 0.0, "it is no more than may be"
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    cpu.next = (0.2, 0.2)
    a.answer((a.questions()[0].id, "one"))
    assert sorted([match.lag, other.lag]) == [0.0, 0.2]
