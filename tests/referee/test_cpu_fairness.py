"""Fair clocks: what a bot is excused for, when it rests, and which matches are void."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio
import trio.testing

from referee.process.cpu_accounting import (
    Household,
    Processor,
    Use,
    family,
    is_counted,
)
from referee.process.cpu_fairness import Bench, Keeper

NewTable = Callable[..., Any]

FAMILY = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "print('up', flush=True); input()"], stdin=0)
child.wait()
"""


@pytest.fixture
def household() -> Iterator["subprocess.Popen[str]"]:
    """A process, its child and its grandchild; all end when its input is closed."""
    command = [sys.executable, "-c", f"import subprocess, sys; subprocess.call([sys.executable, '-c', {FAMILY!r}])"]
    root = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert root.stdout
    assert root.stdin
    assert root.stdout.readline() == "up\n"
    yield root
    if root.poll() is None:
        for pid in [root.pid, *family(root.pid)]:
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


def ends(household: "subprocess.Popen[str]") -> bool:
    """Close its input, and tell whether all end by that: who was told to stop never does, however late it is seen."""
    assert household.stdin
    household.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        household.wait(60)
    return household.returncode is not None


def test_a_family_is_all_that_descends(household: "subprocess.Popen[str]") -> None:
    assert len(family(household.pid)) == 2
    assert household.pid not in family(household.pid)


async def test_who_has_no_question_is_frozen_until_the_next(household: "subprocess.Popen[str]") -> None:
    kept = Keeper(household.pid, Bench(), ponder=False)
    below = family(household.pid)
    kept.rest()
    wait_until(below, stopped=True)
    assert state(household.pid) != "T", "what ends the bot must not be frozen with it"
    kept.run()
    wait_until(below, stopped=False)
    kept.rest()
    wait_until(below, stopped=True)
    kept.release()
    wait_until(below, stopped=False)
    kept.rest()
    assert ends(household), "it was let go"
    kept.close()


async def test_who_may_ponder_never_rests(household: "subprocess.Popen[str]") -> None:
    kept = Keeper(household.pid, Bench(), ponder=True)
    kept.rest()
    assert ends(household)


@pytest.mark.skipif(not is_counted(), reason="this kernel does not count what threads wait (no /proc/PID/schedstat)")
async def test_the_kernel_counts_what_processes_ran(household: "subprocess.Popen[str]") -> None:
    looked = Household(household.pid).use()
    assert looked.ran > 0
    assert looked.waited >= 0
    own = Processor()
    own.watch([os.getpid()])
    before = own.use()
    while own.use().since(before).ran < 0.01:
        sum(range(1000))
    own.close()


def test_what_an_ended_thread_had_is_not_lost() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    looked = Processor()
    looked.watch([child.pid])
    before = looked.use()
    child.communicate()
    assert looked.use() == looked.use()
    assert looked.use().ran >= before.ran > 0


@dataclass
class Uses:
    """Stands for what the kernel counts."""

    bot: Use = field(default_factory=lambda: Use(0.0, 0.0))
    own: Use = field(default_factory=lambda: Use(0.0, 0.0))


@pytest.fixture
def uses(monkeypatch: pytest.MonkeyPatch) -> Uses:
    told = Uses()
    monkeypatch.setattr(Household, "use", lambda self: told.bot)
    monkeypatch.setattr(Bench, "use", lambda self: told.own)
    return told


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
    bench = Bench()
    kept = Keeper(os.getpid(), bench, ponder=True)
    kept.run()
    mock_clock.jump(1.0)
    uses.bot, uses.own = Use(ran, waited), Use(9.0, own)
    assert kept.excused(delay) == pytest.approx((excused, lag))
    assert bench.lag == pytest.approx(lag)
    assert kept.waited == pytest.approx(min(waited, max(0.0, 1.0 - ran)))
    mock_clock.jump(1.0)
    assert kept.excused() == (0.0, 0.0), "it is told once"


@dataclass
class Told:
    """A keeper that excuses what a test says, and notes what it is told."""

    next: tuple[float, float] = (0.0, 0.0)
    calls: list[str] = field(default_factory=list)

    def run(self) -> None:
        self.calls.append("run")

    def rest(self) -> None:
        self.calls.append("rest")

    def release(self) -> None:
        self.calls.append("release")

    def excused(self, delay: float = 0.0) -> tuple[float, float]:
        found, self.next = self.next, (0.0, 0.0)
        return found


async def test_what_the_machine_kept_is_not_charged(new_table: NewTable, mock_clock: trio.testing.MockClock) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    kept = a.player.keeper = Told()
    match = table.match([a, b])
    table.flush()
    mock_clock.jump(0.8)
    kept.next = (0.5, 0.0)
    a.answer((a.questions()[0].id, "one"))
    assert match.chairs[0].total == pytest.approx(0.3)
    assert kept.calls == ["run", "rest"]
    table.flush()
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    mock_clock.jump(0.4)
    a.answer((a.questions()[0].id, "one"))
    assert match.chairs[0].total == pytest.approx(0.7), "it is excused once"
    a.player.disconnect()
    assert kept.calls == ["run", "rest", "run", "rest", "release"]


async def test_the_end_of_its_time_is_put_off(
    new_table: NewTable, mock_clock: trio.testing.MockClock, nursery: trio.Nursery
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    kept = a.player.keeper = Told(next=(0.75, 0.0))
    match = table.match([a, b])
    table.flush()
    (question,) = a.questions()
    nursery.start_soon(a.player.watch_clock, table.flush)
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(3.0)  # the move time of 1 s and the bank of 2 s
    await trio.testing.wait_all_tasks_blocked()
    assert match.chairs[0].strikes == 0
    mock_clock.jump(0.7)
    await trio.testing.wait_all_tasks_blocked()
    assert match.chairs[0].strikes == 0
    mock_clock.jump(0.1)
    await trio.testing.wait_all_tasks_blocked()
    assert match.chairs[0].strikes == 1
    assert kept.calls == ["run", "rest"]
    assert not a.fault
    a.answer((question.id, "one"))
    nursery.cancel_scope.cancel()


async def test_an_answer_that_lay_here_too_long_voids_its_match(
    new_table: NewTable, mock_clock: trio.testing.MockClock
) -> None:
    table = new_table()
    a, b = table.bot(), table.bot()
    kept = a.player.keeper = Told()
    a.player._most_lag = 0.1
    match, other = table.match([a, b]), table.match([b, a])
    table.flush()
    kept.next = (0.1, 0.1)
    a.answer((a.questions()[0].id, "one"))
    assert match.lag == 0.0, "it is no more than may be"
    b.answer((b.questions()[0].id, "one"))
    table.flush()
    kept.next = (0.2, 0.2)
    a.answer((a.questions()[0].id, "one"))
    assert sorted([match.lag, other.lag]) == [0.0, 0.2]
