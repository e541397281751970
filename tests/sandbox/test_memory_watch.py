"""The memory of bots where no control group limits it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from referee import sandbox
from referee.process import memory_watch
from referee.process.cpu_accounting import descendants
from referee.process.memory_watch import LOOK_SECONDS, Excess, find_excess, held_bytes, watch_memory
from tests.sandbox.conftest import Run, Start

MB = 1 << 20


@pytest.fixture
def confinement(mode: str) -> sandbox.Confinement:
    return replace(sandbox.choose(mode), groups=None)


def process(proc: Path, pid: int, status: str, rollup: str | None = None) -> None:
    """Write what the kernel tells of a process. status, rollup: fields and their kB, "VmPTE 40 RssAnon 8"."""
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
    times = iter([0.0, 0.5, 1.0, 1.5])  # the deadline, and before each process
    monkeypatch.setattr(time, "thread_time", lambda: next(times))
    assert held_bytes([7, 8, 9], 0, tmp_path) == (34 + 94 + 94) * 1024


def test_it_looks_beside_the_loop_until_the_limit_is_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: Iterator[Excess | None] = iter([None, None, Excess.MEMORY])
    threads: set[int] = set()

    def look(root_pid: int, memory_bytes: int) -> Excess | None:
        threads.add(threading.get_ident())
        return next(looks)

    monkeypatch.setattr(memory_watch, "find_excess", look)
    ended: list[tuple[Excess, float]] = []

    async def main() -> None:
        await watch_memory(1, 5, lambda excess: ended.append((excess, trio.current_time())), trio.CapacityLimiter(1))

    clock = MockClock(autojump_threshold=0)
    trio.run(main, clock=clock)
    assert ended == [(Excess.MEMORY, clock.current_time())]
    assert threading.get_ident() not in threads
    assert LOOK_SECONDS <= 0.5, "at least twice a second"
    assert list(looks) == []


BEGIN = """
import ctypes, mmap, os, resource, time
libc, held = ctypes.CDLL(None), []
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
resource.setrlimit(resource.RLIMIT_STACK, (resource.getrlimit(resource.RLIMIT_STACK)[1],) * 2)
"""


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_no_more_processes_are_looked_at_than_a_bot_may_have(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def note(path: Path, names: tuple[str, ...]) -> dict[str, int]:
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
        assert find_excess(os.getpid(), 1 << 40, 5) is Excess.PROCESSES
        assert read == [], "what is too much is not looked at"
        os.killpg(popen.pid, signal.SIGKILL)


CHILDREN = """
if number < 8 and not os.fork(): held = os.urandom(1 << 20) * 16; time.sleep(60)
"""
GROWING_STACK = """
place = libc.mmap(None, 64 << 20, 0, 0x4022, -1, 0)
libc.munmap(place, 64 << 20)
stack = libc.mmap(place + (64 << 20) - 4096, 4096, 3, 0x132, -1, 0)
for below in range(0, 48 << 20, 4096): ctypes.memset(stack - below, 1, 1)
"""
"""A new stack (MAP_GROWSDOWN) with free addresses below, on which it grows page by page."""
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

HOLDING = {
    "children": CHILDREN,
    "read-only": READ_ONLY,
    "growing stacks": GROWING_STACK,
    "zero pages": ZERO_PAGES,
    "files": FILES,
    "empty files": EMPTY_FILES,
}


@pytest.mark.parametrize("kind", HOLDING)
def test_a_real_bot_is_ended_whatever_it_holds(start: Start, mode: str, kind: str) -> None:
    if "files" in kind and mode == "rlimits":
        pytest.skip("without bubblewrap a bot writes no files")
    code = HOLDING[kind]
    program = (
        f"{BEGIN}for number in range(128):\n"
        + "".join(f"    {line}\n" for line in code.strip().splitlines())
        + "print('all', flush=True)\ntime.sleep(60)\n"
    )

    async def watch(pid: int, end: trio.Event) -> None:
        with trio.fail_after(30):
            await watch_memory(pid, 64 * MB, lambda excess: end.set(), trio.CapacityLimiter(1))

    async def main(pid: int) -> None:
        end = trio.Event()
        await watch(pid, end)
        assert end.is_set()
        assert held_bytes(descendants(pid), 0) > 64 * MB

    with start(program, memory=64 * MB) as (launch, popen):
        assert not launch.limits_memory
        trio.run(main, popen.pid)


REFUSED = """
import ctypes, mmap, os
fits = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
def attempt(what, call):
    try:
        call()
    except OSError as error:
        print(what, error.strerror)
    else:
        print(what, "done")
attempt("anonymous:", lambda: mmap.mmap(-1, 4096))
attempt("zeros:", lambda: mmap.mmap(os.open("/dev/zero", os.O_RDONLY), 4096, prot=mmap.PROT_READ))
attempt("nameless file:", lambda: os.memfd_create("x"))
"""


def test_shared_memory_that_could_not_be_found_is_refused(run: Run) -> None:
    told = run(REFUSED)
    assert told.stdout.splitlines() == [
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
