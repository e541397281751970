"""Pauses of the machine: what is one, who is charged for it, and which matches are void."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import trio

from referee.process import awake_clock
from referee.process.awake_clock import (
    AwakeClock,
    Beat,
    BotTree,
    Pause,
    Standstill,
    pause_between,
    run_awake,
    standstill,
)
from referee.process.cpu_accounting import descendants, few_descendants
from tests.referee.real import Referee, phase, sample

PAUSE_SECONDS = 2.5

BOT = """
import pathlib, sys, time
from arena.sdk import Bot

class Mine(Bot):
    games = ("cambio",)
    asked = False

    def choose(self, question):
        if not self.asked:
            self.asked = True
            pathlib.Path(sys.argv[2]).touch()
            if sys.argv[1] == "sleeps":
                time.sleep(0.2)
            else:
                while time.process_time() < 0.5:
                    pass
        return question.legal[0]

Mine().run()
"""


GREEDY = """
import subprocess, sys, time
from arena.sdk import Bot

class Greedy(Bot):
    games = ("cambio",)
    started = False

    def choose(self, question):
        if not self.started:
            self.started = True
            for _ in range(24):
                subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
            time.sleep(1.0)
        return question.legal[0]

Greedy().run()
"""
"""It takes all cores, with many processes, so that the referee gets few."""


class FakeTree:
    """A bot whose processes use so many seconds from each beat to the next; None: nobody knows."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds

    def measure(self, now: float, *, scan: bool = False) -> float | None:
        return self._seconds


def beat(at: float, *, suspended: float = 0.0, waited: float = 0.0, slices: int = 10) -> Beat:
    return Beat(at, suspended, waited, slices)


@pytest.mark.parametrize(
    ("later", "pause"),
    [
        pytest.param(beat(100.05, slices=11), Pause(0.0, 0.0), id="in time"),
        pytest.param(beat(100.25, slices=11), Pause(0.0, 0.0), id="late, as on any busy machine"),
        pytest.param(beat(125.0, slices=13), Pause(24.98, 0.0), id="stopped"),
        pytest.param(beat(125.0, waited=24.9, slices=13), Pause(0.0, 0.0), id="waited for a core all the time"),
        pytest.param(beat(125.0, waited=5.0, slices=13), Pause(19.98, 0.0), id="stopped, then waited for a core"),
        pytest.param(beat(125.0, slices=5010), Pause(0.0, 0.0), id="woke every 5 ms, to wait for the interpreter"),
        pytest.param(beat(100.05, suspended=3600.0, slices=11), Pause(0.0, 3600.0), id="suspended"),
        pytest.param(beat(110.0, suspended=60.0, slices=12), Pause(9.98, 60.0), id="both"),
    ],
)
def test_who_neither_waited_nor_ran_was_not_there(later: Beat, pause: Pause) -> None:
    found = pause_between(beat(100.0), later, read_at=100.02)
    assert found.counted == pytest.approx(pause.counted)
    assert found.suspended == pytest.approx(pause.suspended)


@pytest.mark.parametrize(
    ("used", "time", "seen"),
    [
        pytest.param([], 100.0, Standstill(25.0, 0), id="no bot"),
        pytest.param([0.0, 0.5], 100.5, Standstill(25.0, 0), id="a bot stopped a little later"),
        pytest.param([0.0, 2.0], 100.0, Standstill(25.0, 1), id="a bot went on"),
        pytest.param([0.0, None], 100.0, Standstill(25.0, 1), id="a bot with too many threads to know"),
    ],
)
def test_a_pause_is_left_out_and_what_a_bot_got_of_it_is_its_own_time(
    used: list[float | None], time: float, seen: Standstill, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(awake_clock, "perf_counter", lambda: now)
    trees = iter(used)
    monkeypatch.setattr(awake_clock, "BotTree", lambda pid: FakeTree(next(trees)))
    clock = AwakeClock()
    for pid in range(len(used)):
        clock.watch(pid)
    assert clock.current_time() == 100.0
    now = 125.0
    last = clock.beat(beat(99.99), beat(now, slices=13))
    assert clock.current_time() == pytest.approx(time)
    assert Standstill(clock.stood, clock.doubts) == seen
    now = 125.05
    clock.beat(last, beat(now, slices=14))
    assert clock.current_time() == pytest.approx(time + 0.05), "then it goes on"
    assert Standstill(clock.stood, clock.doubts) == seen


def test_a_suspension_that_no_clock_counted_is_told_and_not_left_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.05
    monkeypatch.setattr(awake_clock, "perf_counter", lambda: now)
    clock = AwakeClock()
    clock.beat(beat(100.0), beat(now, suspended=3600.0, slices=11))
    assert clock.current_time() == pytest.approx(100.05)
    assert clock.stood == pytest.approx(3600.0)


def test_pauses_that_have_ended_lately_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    now, suspended = 100.0, 50.0
    monkeypatch.setattr(awake_clock, "perf_counter", lambda: now)
    monkeypatch.setattr(awake_clock, "_suspended_seconds", lambda: suspended)
    clock = AwakeClock()
    assert clock.lost_within(30.0) == 0.0
    suspended = 80.0
    assert clock.lost_within(30.0) == pytest.approx(30.0), "also before the beat that finds it"
    now = 125.0
    clock.beat(beat(100.0, suspended=50.0), beat(now, suspended=80.0, slices=12))
    assert clock.lost_within(30.0) == pytest.approx(55.0)
    now = 154.9
    assert clock.lost_within(30.0) == pytest.approx(55.0)
    now = 155.1
    assert clock.lost_within(30.0) == 0.0


def test_steps_of_the_time_of_day_are_told_to_who_judges_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    now, suspended, ahead = 100.0, 0.0, 1000.0
    monkeypatch.setattr(awake_clock, "perf_counter", lambda: now)
    monkeypatch.setattr(awake_clock, "_suspended_seconds", lambda: suspended)
    monkeypatch.setattr(awake_clock, "_ahead_seconds", lambda: ahead)
    clock = AwakeClock()
    ahead += 300.0
    assert clock.lost_within(30.0) == pytest.approx(300.0), "also before the beat that finds it"
    last = clock.beat(beat(now), beat(now, slices=11))
    assert clock.lost_within(30.0) == pytest.approx(300.0)
    ahead += 0.2
    suspended, ahead = 50.0, ahead + 50.0
    last = clock.beat(last, beat(now, suspended=suspended, slices=12))
    assert clock.lost_within(30.0) == pytest.approx(350.2), "a suspension counts once"
    assert clock.stood_within(30.0) == clock.stood == pytest.approx(50.0)
    ahead -= 3600.0
    clock.beat(last, beat(now, suspended=suspended, slices=13))
    assert clock.lost_within(30.0) == pytest.approx(350.2), "leases hold longer by themselves if it is set back"
    now = 130.1
    clock.beat(beat(130.0, suspended=suspended), beat(now, suspended=suspended, slices=11))
    assert clock.lost_within(30.0) == 0.0


def test_a_bot_is_forgotten_with_its_process() -> None:
    clock = AwakeClock()
    clock.watch(os.getpid())
    clock.unwatch(os.getpid())
    clock.beat(beat(100.0), beat(125.0, slices=13))
    assert clock.doubts == 0


def test_time_limits_are_prolonged_by_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(awake_clock, "perf_counter", lambda: now)
    clock = AwakeClock()

    async def wait() -> list[bool]:
        nonlocal now
        is_over = []
        with trio.move_on_after(10) as limit:
            last = beat(now)
            for now, slices in ((125.0, 13), (125.05, 14), (134.9, 1014), (135.1, 1024)):
                last = clock.beat(last, beat(now, slices=slices))
                await trio.lowlevel.cancel_shielded_checkpoint()
                is_over.append(limit.cancel_called)
        return is_over

    assert trio.run(wait, clock=clock) == [False, False, False, True]


def test_limits_of_a_run_are_those_of_its_clock() -> None:
    async def run(*arguments: int) -> tuple[bool, tuple[int, ...]]:
        return isinstance(trio.lowlevel.current_clock(), AwakeClock), arguments

    assert run_awake(run, 1, 2) == (True, (1, 2))


def test_by_another_clock_nothing_stands_still() -> None:
    async def look() -> Standstill:
        return standstill()

    assert trio.run(look) == Standstill(0.0, 0)


# With the kernel's counts


@pytest.fixture
def burning() -> Iterator[int]:
    """A process whose child uses a core."""
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {'while True: pass'!r}])"
    root = subprocess.Popen([sys.executable, "-c", child])
    yield root.pid
    for pid in (root.pid, *descendants(root.pid)):
        os.kill(pid, signal.SIGKILL)
    root.wait()


@pytest.mark.processes
def test_the_cpu_time_of_all_processes_of_a_bot_counts(burning: int, monkeypatch: pytest.MonkeyPatch) -> None:
    until(lambda: bool(descendants(burning)))
    tree = BotTree(burning)
    tree.measure(0.0)
    used = 0.0
    while used < 0.2:
        more = tree.measure(0.1)
        assert more is not None
        assert more >= 0.0
        used += more
    for pid in (burning, *descendants(burning)):
        os.kill(pid, signal.SIGSTOP)
        until(partial(is_stopped, pid))
    tree.measure(0.2)
    assert tree.measure(0.3, scan=True) == 0.0, "who is stopped uses none"
    monkeypatch.setattr(awake_clock, "MOST_THREADS", 1)
    assert tree.measure(0.4, scan=True) is None, "it is not known"


@pytest.mark.processes
def test_few_descendants_are_those_of_processes_with_few_threads(burning: int) -> None:
    until(lambda: bool(descendants(burning)))
    assert few_descendants(burning, 2) == descendants(burning)
    assert few_descendants(burning, 1) is None


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    process = Referee(tmp_path)
    yield process
    process.close()


def until(is_true: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not is_true():
        assert time.monotonic() < began + 60
        os.sched_yield()


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def stand_still(pids: list[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    for pid in pids:
        until(partial(is_stopped, pid))
    end = time.monotonic() + PAUSE_SECONDS
    until(lambda: time.monotonic() > end)
    for pid in reversed(pids):
        os.kill(pid, signal.SIGCONT)


@pytest.mark.promise
def test_a_pause_of_all_is_charged_to_nobody_and_stands_in_the_record(referee: Referee, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    order = phase([sys.executable, "-c", BOT, "sleeps", str(asked)], sample(), matches=1, move_time=2.0, sandbox="off")
    order.time.bank_ms = 0
    referee.order(order)
    until(asked.exists)
    stand_still([referee.process.pid, *descendants(referee.process.pid)])
    report = referee.await_end()
    [record] = report.records
    assert not record.faults
    assert not report.failures
    assert PAUSE_SECONDS * 1000 - 100 < record.standstill_ms < PAUSE_SECONDS * 1000 + 1000
    assert max(record.charged_us) < 2_000_000
    assert report.end.void == 0


@pytest.mark.processes
def test_a_match_whose_bot_went_on_while_the_referee_stood_still_is_void(referee: Referee, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    order = phase(
        [sys.executable, "-c", BOT, "computes", str(asked)], sample(), matches=1, move_time=20.0, sandbox="off"
    )
    order.time.bank_ms = 0
    referee.order(order)
    until(asked.exists)
    stand_still([referee.process.pid])
    report = referee.await_end()
    assert not report.records
    assert not report.failures, "and it is not blamed"
    assert report.end.void == 1


@pytest.mark.processes
def test_who_takes_all_cores_causes_no_pause(referee: Referee) -> None:
    order = phase([sys.executable, "-c", GREEDY], sample(), matches=4, move_time=60.0)
    report = referee.play(order)
    assert [record.standstill_ms for record in report.records] == [0, 0, 0, 0]
    assert report.end.void == 0
    assert sum(record.charged_us[0] for record in report.records) > 1_000_000, "its time is its own"
