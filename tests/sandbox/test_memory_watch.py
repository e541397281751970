"""The memory of bots where no control group limits it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from referee import sandbox
from referee.process import memory_watch
from referee.process.cpu_accounting import descendants
from referee.process.memory_watch import LOOK_SECONDS, held_bytes, watch_memory
from tests.sandbox.conftest import Start

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


def test_it_looks_until_the_limit_is_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: Iterator[bool] = iter([False, False, True])
    monkeypatch.setattr(memory_watch, "exceeds", lambda root_pid, memory_bytes: next(looks))
    ended: list[float] = []

    async def main() -> None:
        await watch_memory(1, 5, lambda: ended.append(trio.current_time()), trio.CapacityLimiter(1))

    clock = MockClock(autojump_threshold=0)
    trio.run(main, clock=clock)
    assert ended == [clock.current_time()]
    assert LOOK_SECONDS <= 0.5, "at least twice a second"
    assert list(looks) == []


SHARED = "m = mmap.mmap(-1, 16 << 20); held.append(m); m.write(bytes(16 << 20))"
READ_ONLY = """
m = mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); held.append(m); m.write(bytes(16 << 20))
libc.mprotect(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(m))), ctypes.c_size_t(16 << 20), 1)
"""
ZERO_PAGES = """
m = mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=1); held.append(m)
m.madvise(15)
sum(m[page] for page in range(0, 8 << 30, 2 << 20))
"""


@pytest.mark.parametrize("code", [SHARED, READ_ONLY, ZERO_PAGES], ids=["shared", "read-only", "zero pages"])
def test_a_real_bot_is_ended_whatever_it_holds(start: Start, code: str) -> None:
    program = (
        "import ctypes, mmap, time\nlibc, held = ctypes.CDLL(None), []\nfor _ in range(128):\n"
        + "".join(f"    {line}\n" for line in code.strip().splitlines())
        + "print('all', flush=True)\ntime.sleep(60)\n"
    )

    async def watch(pid: int, end: trio.Event) -> None:
        with trio.fail_after(30):
            await watch_memory(pid, 64 * MB, end.set, trio.CapacityLimiter(1))

    async def main(pid: int) -> None:
        end = trio.Event()
        await watch(pid, end)
        assert end.is_set()
        assert held_bytes(descendants(pid), 0) > 64 * MB

    with start(program, memory=64 * MB) as (launch, popen):
        assert not launch.limits_memory
        trio.run(main, popen.pid)
