"""A clock that stands still while the machine does, so that a pause of the machine is charged to nobody.

A container that is frozen, a virtual machine that is moved, a group of processes that is stopped: referee and bots
stand still together, and the clocks of the kernel go on. A thread beats some times in a second. Where a beat comes far
too late, the kernel tells why (/proc/self/task/TID/schedstat, see its sched-stats documentation): a thread that waited
for a core, or for the interpreter, was kept from its work by others, and that time goes on. A thread that did neither
was not there at all: this time is left out, and whatever waits on trio's clock waits that much longer.

Bots that went on meanwhile have used the time of others. This cannot be put right, so it is told (`doubts`).
"""

import os
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter
from types import TracebackType
from typing import NamedTuple, Self, TypeVar, TypeVarTuple, Unpack

import trio

from referee.process.cpu_accounting import cpu_seconds, few_descendants

BEAT_SECONDS = 0.1
"""How often the thread beats."""

GAP_SECONDS = 0.25
"""A beat that comes later than this is looked into: a shorter pause is part of what a busy machine does."""

SLICE_SECONDS = 0.025
"""A thread that got a core more often than this was there: one that waits for the interpreter does every 5 ms."""

SCAN_SECONDS = 2.0
"""How old the list of a bot's processes may be."""

MOST_THREADS = 256
"""How many threads of a bot are looked at. Of one that has more it is not known whether it stood still."""

STOP_SECONDS = 0.1
STOP_SHARE = 0.05
"""CPU time that a bot may get in a pause, as not all processes stop in the same moment: seconds, and a share of it."""

PATIENCE_SECONDS = 1.0
"""How long a reader of the clock waits for a beat that is due; after that the thread has no core, and time goes on."""

Arguments = TypeVarTuple("Arguments")
Value = TypeVar("Value")

DIFFERENCE_SECONDS = 1.0
"""By how much two processes of a machine may differ over how long it stood still."""

MOST_PAUSES = 100
"""How many pauses and steps of the time of day are remembered."""


class Beat(NamedTuple):
    """What the thread finds at a beat."""

    at: float
    """When it is: `perf_counter`, in seconds."""
    suspended: float
    """How long the machine has been suspended since it was started, in seconds."""
    waited: float
    """How long the thread has waited for a core, in seconds."""
    slices: int
    """How often the thread got a core."""


class Pause(NamedTuple):
    """How long the machine stood still between two beats."""

    counted: float
    """The seconds that the kernel's clock counted."""
    suspended: float
    """The seconds that the kernel's clock did not count."""


def pause_between(earlier: Beat, later: Beat, read_at: float) -> Pause:
    """Return how long the machine stood still between two beats.

    read_at: when somebody last read the clock.
    """
    gap = later.at - earlier.at
    waited = later.waited - earlier.waited
    was_there = (later.slices - earlier.slices) * SLICE_SECONDS > gap
    counted = 0.0
    if gap - waited > GAP_SECONDS and not was_there:
        counted = max(0.0, later.at - max(read_at, earlier.at) - waited)
    suspended = later.suspended - earlier.suspended
    return Pause(counted, suspended if suspended > GAP_SECONDS else 0.0)


class BotTree:
    """The CPU time of a bot's processes, from one beat to the next."""

    def __init__(self, root_pid: int) -> None:
        self._root_pid = root_pid
        self._used: dict[int, float] = {}
        self._scanned_at = -SCAN_SECONDS
        self._is_known = True

    def measure(self, now: float, *, scan: bool = False) -> float | None:
        """Return the CPU seconds since the last call; None where it has too many threads to know.

        now: `perf_counter`.
        scan: look for new processes in any case; all that these used counts.
        """
        if scan or now - self._scanned_at >= SCAN_SECONDS:
            self._scanned_at = now
            below = few_descendants(self._root_pid, MOST_THREADS)
            self._is_known = below is not None
            self._used = {pid: self._used.get(pid, 0.0) for pid in (self._root_pid, *(below or ()))}
        seconds = 0.0
        for pid, before in list(self._used.items()):
            try:
                self._used[pid] = cpu_seconds(pid)
            except OSError:  # it has ended
                del self._used[pid]
            else:
                seconds += self._used[pid] - before
        return seconds if self._is_known else None


class Standstill(NamedTuple):
    """What a clock has seen so far: `AwakeClock.stood` and `AwakeClock.doubts`."""

    stood: float = 0.0
    doubts: int = 0


class AwakeClock(trio.abc.Clock):
    """Trio's clock without the pauses of the machine; a context, within which the thread beats.

    stood: how long the machine has stood still, in seconds in all. doubts: in how many of these pauses bots went on.
    """

    def __init__(self) -> None:
        self.stood = 0.0
        self.doubts = 0
        self._bots: dict[int, BotTree] = {}
        self._pauses: list[tuple[float, float, float]] = []
        self._suspended = _suspended_seconds()
        self._ahead = _ahead_seconds()
        self._state = (perf_counter(), 0.0)
        self._read_at = 0.0
        self._judging = threading.Lock()
        self._open = threading.Lock()  # held until the clock stops: to wait for it costs less than for an event
        self._open.acquire()
        self._thread = threading.Thread(target=self._beat_until_closed, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def stop(self) -> None:
        """Stop beating; time goes on as usual."""
        self._open.release()
        self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start_clock(self) -> None:
        """Do nothing: it runs."""

    def current_time(self) -> float:
        """Return the seconds since some point in the past, without those in which the machine stood still."""
        beat_at, offset = self._state
        now = perf_counter()
        if now - beat_at > GAP_SECONDS and self._thread.is_alive():
            return self._await_beat(now)
        self._read_at = now
        return now + offset

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Return in how many seconds a time of this clock comes."""
        return deadline - self.current_time()

    def stood_within(self, seconds: float) -> float:
        """Return how many seconds the machine stood still in pauses that ended within the last `seconds`."""
        return self._lately(seconds)[0]

    def lost_within(self, seconds: float) -> float:
        """Return how many seconds the time of day gained on this clock in pauses and steps of the last `seconds`.

        Who judges by the time of day whether another process of this machine is gone should not count these: it stood
        still as well, or the time was set, and it needs a moment to say that it lives.
        """
        return self._lately(seconds)[1]

    def _lately(self, seconds: float) -> tuple[float, float]:
        now = self.current_time()
        recent = [(stood, lost) for ended, stood, lost in list(self._pauses) if now - ended < seconds]
        suspended, step = self._unseen()
        return sum(stood for stood, _ in recent) + suspended, sum(lost for _, lost in recent) + max(suspended, step)

    def _unseen(self) -> tuple[float, float]:
        """Return how long the machine has been suspended, and how far the time of day was set, since the last beat."""
        suspended, step = _suspended_seconds() - self._suspended, _ahead_seconds() - self._ahead
        return suspended if suspended > GAP_SECONDS else 0.0, step if step > GAP_SECONDS else 0.0

    def watch(self, pid: int) -> None:
        """Tell whether the bot of this process goes on in pauses."""
        self._bots[pid] = BotTree(pid)

    def unwatch(self, pid: int) -> None:
        """Forget a bot, before its process is reaped."""
        self._bots.pop(pid, None)

    def _await_beat(self, began: float) -> float:
        """Wait for the beat that says whether the machine stood still; return the time after it."""
        while True:
            time.sleep(0.001)
            beat_at, offset = self._state
            now = perf_counter()
            if now - beat_at <= GAP_SECONDS:
                break
            if now - began > PATIENCE_SECONDS:
                with self._judging:
                    offset = self._state[1]
                    self._state = now, offset
                break
        self._read_at = now
        return now + offset

    # In the thread

    def _beat_until_closed(self) -> None:
        """Beat; where the kernel does not count what threads do (see `is_counted`), nothing is left out."""
        with suppress(OSError), open(f"/proc/self/task/{threading.get_native_id()}/schedstat", "rb") as file:
            last = look(file.fileno())
            while last.slices and not self._open.acquire(timeout=BEAT_SECONDS):
                last = self.beat(last, look(file.fileno()))

    def beat(self, last: Beat, beat: Beat) -> Beat:
        """Judge the time since the last beat; return the one from which the next is judged."""
        pause = pause_between(last, beat, self._read_at)
        seconds = pause.counted + pause.suspended
        used = [bot.measure(beat.at, scan=seconds > 0) for bot in list(self._bots.values())]
        counted = pause.counted
        if seconds:
            known = [one for one in used if one is not None]
            most = max(known, default=0.0)
            if len(known) < len(used) or most > STOP_SECONDS + STOP_SHARE * seconds:
                self.doubts += 1
            else:
                counted = max(0.0, counted - most)  # what a bot got is its own time
            self.stood += seconds
        with self._judging:
            offset = self._state[1] - counted
            self._state = beat.at, offset
        step = self._unseen()[1]
        lost = pause.counted + max(pause.suspended, step)  # a suspension moves the time of day, too
        self._suspended, self._ahead = beat.suspended, _ahead_seconds()
        if lost:
            self._pauses = [*self._pauses[-MOST_PAUSES:], (beat.at + offset, seconds, lost)]
        return beat


def _suspended_seconds() -> float:
    """Return how long the machine has been suspended since it was started, in seconds."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


def _ahead_seconds() -> float:
    """Return by how many seconds the time of day is ahead of the clock that nobody sets."""
    return time.clock_gettime(time.CLOCK_REALTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


def look(schedstat: int) -> Beat:
    """Return a beat that is made now.

    schedstat: the open file of the thread.
    """
    suspended = _suspended_seconds()
    _, waited, slices = os.pread(schedstat, 96, 0).split()
    return Beat(perf_counter(), suspended, int(waited) * 1e-9, int(slices))


def run_awake(function: Callable[[Unpack[Arguments]], Awaitable[Value]], *arguments: *Arguments) -> Value:
    """Run an async function like `trio.run`, with time limits that pauses of the machine prolong."""
    with AwakeClock() as clock:
        return trio.run(function, *arguments, clock=clock)


def awake_clock() -> AwakeClock | None:
    """Return the clock of this run of trio; None where it runs by another, as in tests."""
    clock = trio.lowlevel.current_clock()
    return clock if isinstance(clock, AwakeClock) else None


def standstill() -> Standstill:
    """Return what the clock of this run of trio has seen so far."""
    clock = awake_clock()
    return Standstill(clock.stood, clock.doubts) if clock is not None else Standstill()


def stood_too(seconds: float) -> bool:
    """Return whether this process stood still as long as another one of its machine says it did.

    A pause of the machine stops both; whoever stops one of them has not stopped the machine.
    """
    clock = awake_clock()
    return clock is None or seconds <= clock.stood_within(float("inf")) + DIFFERENCE_SECONDS
