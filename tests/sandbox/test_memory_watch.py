"""The memory of bots where no control group limits it."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from referee import sandbox
from referee.process import memory_watch, open_descriptors
from referee.process.memory_watch import Excess, MemoryWatch, held_bytes, watch_memory
from referee.process.open_descriptors import kept_bytes
from tests.sandbox.conftest import Run, Start

pytestmark = pytest.mark.promise

MB = 1 << 20


@pytest.fixture
def confinement(mode: str) -> sandbox.Confinement:
    return replace(sandbox.choose(mode), groups=None)


def process(proc: Path, pid: int, status: str, rollup: str | None = None) -> None:
    """Write what the kernel tells of a process, which has no descriptor.

    status, rollup: fields and their kB, "VmPTE 40 RssAnon 8".
    """
    (proc / str(pid)).mkdir()
    for name, fields in (("status", status), ("smaps_rollup", rollup)):
        if fields is not None:
            words = fields.split()
            lines = [f"{key}:\t{value} kB\n" for key, value in zip(words[::2], words[1::2], strict=True)]
            (proc / str(pid) / name).write_text("Name:\tbot\n" + "".join(lines))


def test_everything_that_a_process_holds_counts_and_its_files_do_not(tmp_path: Path) -> None:
    process(tmp_path, 7, "RssAnon 100 RssShmem 20 VmSwap 3 VmPTE 4 RssFile 9000 VmSize 70000")
    assert held_bytes([7, 8], 1 << 40, tmp_path) == 127 * 1024, "8 has ended"


def test_shares_are_asked_for_only_beyond_the_limit(tmp_path: Path) -> None:
    for pid in (7, 8):  # one forked the other: both hold the same 100 kB
        process(tmp_path, pid, "RssAnon 100 VmPTE 4", "Rss 110 Pss_Anon 50 Pss_Shmem 1 SwapPss 2 Pss_File 30")
    assert held_bytes([7, 8], 208 * 1024, tmp_path) == 208 * 1024
    assert held_bytes([7, 8], 200 * 1024, tmp_path) == 114 * 1024
    (tmp_path / "8" / "smaps_rollup").unlink()
    assert held_bytes([7, 8], 200 * 1024, tmp_path) == (57 + 104) * 1024, "what cannot be asked counts in full"


def test_shares_are_asked_for_within_a_bounded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for pid in (7, 8, 9):
        process(tmp_path, pid, "RssAnon 90 VmPTE 4", "Pss_Anon 30")
    times = iter([0.0, 0.0, 0.0, 0.0, 0.25, 0.5, 1.0])  # the deadline, and twice before each process
    monkeypatch.setattr(time, "thread_time", lambda: next(times))
    assert held_bytes([7, 8, 9], 200 * 1024, tmp_path) == (34 + 94 + 94) * 1024


def test_shares_are_asked_for_until_it_is_clear_that_too_much_is_held(tmp_path: Path) -> None:
    for pid, held in ((7, 10), (8, 90), (9, 80)):
        process(tmp_path, pid, f"RssAnon {held}", f"Pss_Anon {held - 5}")
    assert held_bytes([7, 8, 9], 100 * 1024, tmp_path) == (85 + 75) * 1024, "7 is not asked"
    assert held_bytes([7, 8, 9], 89 * 1024, tmp_path) == 180 * 1024, "8 alone has too much, and nobody is asked"


def opening(proc: Path, pid: int, *targets: str) -> None:
    (proc / str(pid) / "fd").mkdir()
    for number, target in enumerate(targets):
        (proc / str(pid) / "fd" / str(number)).symlink_to(target)


def test_what_the_kernel_may_keep_for_open_descriptors_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_descriptors, "_socket_bytes", lambda: 400 * 1024)
    for pid in (7, 8):
        process(tmp_path, pid, "RssAnon 100")
        with (tmp_path / str(pid) / "status").open("a") as file:
            file.write("FDSize:\t64\n")
    opening(tmp_path, 7, "socket:[1]", "socket:[2]", "pipe:[3]", "pipe:[3]", "/dev/null", "anon_inode:[eventpoll]")
    opening(tmp_path, 8, "socket:[1]", "anon_inode:[eventfd]", "/usr/lib/x", "anon_inode:[eventpoll]")
    kept = 2 * 400 * 1024 + 512 * 1024 + (6 + 4) * 256
    assert held_bytes([7, 8], 10 * MB, tmp_path) == 200 * 1024 + kept
    assert held_bytes([7, 8], 128 * 512 * 1024 + 200 * 1024, tmp_path) == 200 * 1024, "they have no room for more"
    shutil.rmtree(tmp_path / "8" / "fd")
    (tmp_path / "8" / "fd").touch()
    assert held_bytes([7, 8], 64 * MB, tmp_path) == 200 * 1024 + kept - 4 * 256 + 64 * 512 * 1024, "8 may not be read"
    assert kept_bytes({7: 64}, -1.0, tmp_path) == 64 * 512 * 1024, "there is no time to ask"


def test_what_the_kernel_notes_of_mappings_counts_where_it_could_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_watch, "_max_areas", lambda: 5000)
    monkeypatch.setattr(memory_watch, "PAGESIZE", 4096)
    for pid, lines in ((7, 3000), (8, 10)):
        process(tmp_path, pid, f"VmSize {1000 * 4 if pid == 8 else 1 << 30} RssAnon 100")
        (tmp_path / str(pid) / "maps").write_text("7f00-7f01 r--p 00000000 00:00 0\n" * lines)
    most = 200 * 1024 + 6000 * 384
    assert held_bytes([7, 8], most, tmp_path) == 200 * 1024, "as many as they can have are no matter"
    assert held_bytes([7, 8], most - 1, tmp_path) == 200 * 1024 + 3010 * 384
    (tmp_path / "8" / "maps").unlink()
    assert held_bytes([7, 8], most - 1, tmp_path) == 200 * 1024 + 3000 * 384, "8 has ended meanwhile"
    (tmp_path / "8" / "maps").mkdir()
    assert held_bytes([7, 8], most - 1, tmp_path) == 200 * 1024 + 4000 * 384, "8 may not be read"
    monkeypatch.setattr(memory_watch, "SHARE_SECONDS", -1.0)
    assert held_bytes([7, 8], most - 1, tmp_path) == 200 * 1024 + 6000 * 384, "there is no time to ask"


def test_it_looks_beside_the_loop_until_the_limit_is_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: Iterator[Excess | None] = iter([None, None, Excess.MEMORY])
    threads: set[int] = set()

    def look(self: MemoryWatch) -> Excess | None:
        threads.add(threading.get_ident())
        return next(looks)

    monkeypatch.setattr(MemoryWatch, "look", look)
    ended: list[tuple[Excess, float]] = []

    async def main() -> None:
        await watch_memory(1, 5, lambda excess: ended.append((excess, trio.current_time())), trio.CapacityLimiter(1))

    clock = MockClock(autojump_threshold=0)
    trio.run(main, clock=clock)
    assert ended == [(Excess.MEMORY, clock.current_time())]
    assert threading.get_ident() not in threads
    assert list(looks) == []


class Program:
    """A program whose kernel tells what it holds and how long it has run.

    looked_at: when it was looked at.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pids = [7]
        self.held = 0
        self.ran = 0.0
        self.looked_at: list[float] = []
        monkeypatch.setattr(memory_watch, "few_descendants", lambda root_pid, most: list(self.pids))
        monkeypatch.setattr(memory_watch, "cpu_seconds", lambda pid: self.ran)
        monkeypatch.setattr(memory_watch, "held_bytes", self._look)

        async def look_here(look: Callable[[], Excess | None], threads: trio.CapacityLimiter) -> Excess | None:
            return look()  # the mock clock does not wait for threads

        monkeypatch.setattr(memory_watch, "in_background", look_here)

    def _look(self, pids: list[int], most: int) -> int:
        self.looked_at.append(round(trio.current_time(), 3))
        return self.held

    def watched(self, memory_bytes: int, run: Callable[[], Awaitable[None]]) -> list[float]:
        """Return when it was looked at while it ran."""

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watch_memory, 1, memory_bytes, lambda excess: None, trio.CapacityLimiter(1))
                await run()
                nursery.cancel_scope.cancel()

        trio.run(main, clock=MockClock(autojump_threshold=0))
        begin = self.looked_at[0]
        return [round(at - begin, 3) for at in self.looked_at]


def test_a_program_that_runs_is_looked_at_before_it_can_have_filled_what_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = Program(monkeypatch)

    async def run() -> None:
        for held in (0, 212, 255):  # of 256 MB
            program.held = held * MB
            with trio.move_on_after(0.26):
                while True:
                    program.ran += 0.01
                    await trio.sleep(0.01)

    assert program.watched(256 * MB, run) == [
        0,
        0.125,
        0.25,
        0.375,
        0.425,
        0.475,
        0.525,
        0.575,
        0.625,
        0.675,
        0.725,
        0.775,
    ]


def test_a_program_that_runs_little_is_looked_at_sooner_once_it_has_started_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = Program(monkeypatch)

    async def run() -> None:
        for turn in range(100):
            program.ran += 0.001
            if turn == 60:
                program.pids.append(8)
            await trio.sleep(0.01)

    assert program.watched(256 * MB, run) == [0, 0.125, 0.525, 0.65, 0.775], "at first nobody knows what it started"


def test_all_that_were_found_are_ended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(memory_watch, "few_descendants", lambda root_pid, most: [7, 8])
    monkeypatch.setattr(memory_watch, "held_bytes", lambda pids, most: 2)
    monkeypatch.setattr(os, "kill", lambda *signal: told.append(signal))
    trio.run(watch_memory, 1, 1, told.append, trio.CapacityLimiter(1))
    assert told == [Excess.MEMORY, (7, signal.SIGKILL), (8, signal.SIGKILL)], "why it ends is known before it ends"
    assert MemoryWatch(1, 1).find_excess() is Excess.MEMORY
    assert told[3:] == [(7, signal.SIGKILL), (8, signal.SIGKILL)]


def test_a_program_that_does_not_run_is_looked_at_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(monkeypatch)
    program.held = 250 * MB

    async def run() -> None:
        await trio.sleep(1.0)
        program.ran = 0.001
        program.pids.append(8)  # what this one has started since it was found nobody knows yet
        await trio.sleep(0.14)

    looks = program.watched(256 * MB, run)
    assert looks == [0, 0.05, 0.45, 0.85, 1.0, 1.05]


BEGIN = """
import contextlib, ctypes, mmap, os, socket, time
libc, held = ctypes.CDLL(None), []
"""


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_no_more_processes_are_looked_at_than_a_bot_may_have(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def note(path: str) -> dict[str, int]:
        read.append(path)
        return {}

    monkeypatch.setattr(memory_watch, "_fields", note)
    start = (
        "os.fork() or time.sleep(60)"
        if kind == "processes"
        else "threading.Thread(target=time.sleep, args=[60]).start()"
    )
    code = f"import os, threading, time\nprint(1, flush=True)\nfor n in range(5):\n    {start}\nprint(2, flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}\ntime.sleep(60)"], stdout=subprocess.PIPE, process_group=0
    ) as popen:
        assert popen.stdout is not None
        while popen.stdout.readline() != b"2\n":
            pass
        monkeypatch.setattr(memory_watch, "SANDBOX_PROCESSES", 0)
        assert MemoryWatch(os.getpid(), 1 << 40, 5).look() is Excess.PROCESSES
        assert read == [], "what is too much is not looked at"
        os.killpg(popen.pid, signal.SIGKILL)


CHILDREN = """
if number < 8 and not os.fork(): held = os.urandom(1 << 20) * 16; time.sleep(60)
"""
READ_ONLY = """
m = mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); held.append(m); m.write(bytes(16 << 20))
libc.mprotect(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(m))), ctypes.c_size_t(16 << 20), 1)
"""
ZERO_PAGES = """
m = mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=1); held.append(m)
m.madvise(15)
sum(m[page] for page in range(0, 8 << 30, 2 << 20))
"""
FILES = """
if number < 6:
    with open(f'{("/tmp", "/dev/shm")[number % 2]}/{number}', 'wb') as file: file.write(bytes(20 << 20))
"""
EMPTY_FILES = "for name in range(1000): open(f'/tmp/{number}-{name}', 'w').close()"

SOCKETS = """
if number < 4 and not os.fork():
    for pair in range(40):
        for end in (ends := socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)):
            end.setblocking(False)
            held.append(end)
            with contextlib.suppress(BlockingIOError):
                while True: end.send(bytes(32768))
    time.sleep(60)
"""
MAPPINGS = """
if number < 8 and not os.fork():
    libc.mmap.restype = ctypes.c_void_p
    m = libc.mmap(None, ctypes.c_size_t(250 << 20), 1, 0x22, -1, ctypes.c_long(0))
    for page in range(m, m + (250 << 20), 8192): libc.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(4096), 0)
    time.sleep(60)
"""
HOLDING = {
    "children": CHILDREN,
    "read-only": READ_ONLY,
    "zero pages": ZERO_PAGES,
    "files": FILES,
    "sockets": SOCKETS,
    "mappings": MAPPINGS,
    "empty files": EMPTY_FILES,
}


@pytest.mark.parametrize("kind", HOLDING)
def test_a_real_bot_is_ended_whatever_it_holds(
    start: Start, mode: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "files" in kind and mode == "rlimits":
        pytest.skip("without bubblewrap a bot writes no files")
    code = HOLDING[kind]
    program = (
        f"{BEGIN}for number in range(128):\n"
        + "".join(f"    {line}\n" for line in code.strip().splitlines())
        + "print('all', flush=True)\ntime.sleep(60)\n"
    )

    seen: list[tuple[list[str], int]] = []
    told: list[Excess] = []

    def held(pids: list[int], most: int) -> int:
        names = [name(pid) for pid in pids]
        seen.append((names, held_bytes(pids, most)))
        return seen[-1][1]

    monkeypatch.setattr(memory_watch, "held_bytes", held)

    async def watch(pid: int) -> None:
        with trio.fail_after(30):
            await watch_memory(pid, 64 * MB, told.append, trio.CapacityLimiter(1))

    with start(program, memory=64 * MB) as (launch, popen):
        assert not launch.limits_memory
        trio.run(watch, popen.pid)
    assert told == [Excess.MEMORY]
    names, found = seen[-1]
    assert Path(sys.executable).name in names, f"what starts it holds {found} bytes: {seen}"


def name(pid: int) -> str:
    """Return what the kernel calls a process; empty where it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


REFUSED = """
import ctypes, fcntl, mmap, os, resource
fits = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
def attempt(what, call):
    try:
        call()
    except OSError as error:
        print(what, error.strerror)
    else:
        print(what, "done")
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
attempt("further stack:", lambda: mmap.mmap(-1, 4096, flags=PRIVATE | 0x100))  # MAP_GROWSDOWN
attempt("larger pipe:", lambda: fcntl.fcntl(os.pipe()[1], 1031, 1 << 20))  # F_SETPIPE_SZ
print("stack:", resource.getrlimit(resource.RLIMIT_STACK)[1] >> 20, "MB")
attempt("anonymous:", lambda: mmap.mmap(-1, 4096))
attempt("zeros:", lambda: mmap.mmap(os.open("/dev/zero", os.O_RDONLY), 4096, prot=mmap.PROT_READ))
attempt("nameless file:", lambda: os.memfd_create("x"))
"""


def test_memory_that_could_not_be_found_is_refused(run: Run) -> None:
    told = run(REFUSED)
    assert told.stdout.splitlines() == [
        "further stack: Cannot allocate memory", "larger pipe: Operation not permitted", "stack: 256 MB",
        "anonymous: Cannot allocate memory", "zeros: Permission denied", "nameless file: Operation not permitted"
    ], told.stderr  # fmt: skip


def test_shared_memory_is_there_where_a_group_counts_it(mode: str, tmp_path: Path) -> None:
    confinement = sandbox.choose(mode)
    if not confinement.counts_memory:
        pytest.skip("no control groups that limit memory")
    assert not replace(confinement, groups=None).counts_memory
    code = "import mmap, os; mmap.mmap(-1, 4096); mmap.mmap(os.open('/dev/zero', 2), 4096)"
    launch = sandbox.confined(
        [sys.executable, "-c", code], str(tmp_path), sockets=str(tmp_path), env={}, memory_bytes=64 * MB,
        confinement=confinement,
    )  # fmt: skip
    with launch.start(str(tmp_path), stderr=subprocess.PIPE) as process:
        launch.close()
        assert process.communicate()[1] == b""
    launch.end()
