"""How the process of a server is set up, once the application starts: threads, memory and garbage collection."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import trio

SWITCH_INTERVAL = 0.0005
"""Seconds after which a computing thread lets another one run.

While one thread replays a match, another sends the files of its page, and waits for the interpreter lock after every
system call. With Python's default of 5 ms the scripts of a page took ten times as long as its match.
"""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Parameters of mallopt(3), from malloc.h of glibc."""

MALLOC_ARENAS = 2
"""Malloc arenas of all threads.

By default glibc has up to eight per core, and each keeps what its threads have freed: the server of a league grew by
2 MiB a minute in its first ten minutes, while what Python had allocated stayed level.
"""

LARGE_BYTES = 128 * 1024
"""From this size on malloc maps an allocation by itself (mmap), so that freeing it returns the memory at once.

By default glibc raises this threshold up to 32 MiB, and the process keeps what is freed between other allocations.
"""

TRIM_SECONDS = 60.0
"""Between two returns of freed memory to the system; each takes a millisecond on idle cores."""


@contextmanager
def process_settings() -> Iterator[None]:
    """Set up the process while the block runs, which begins before threads do. What malloc keeps stays as it is set."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(SWITCH_INTERVAL)
    _set_up_malloc()
    # Loaded modules stay and need no garbage collection. A long match is ten thousand small objects, none of them
    # garbage before the match is dropped: with Python's default thresholds, collections took half of the time.
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)


def _set_up_malloc() -> None:
    """Have malloc share arenas, and keep little of what is freed."""
    with suppress(AttributeError):  # only glibc has it
        set_parameter = ctypes.CDLL(None).mallopt
        set_parameter(M_ARENA_MAX, MALLOC_ARENAS)
        set_parameter(M_MMAP_THRESHOLD, LARGE_BYTES)
        set_parameter(M_TRIM_THRESHOLD, LARGE_BYTES)


async def return_memory() -> None:
    """Return freed memory to the system, again and again."""
    with suppress(AttributeError):  # only glibc has it
        trim = ctypes.CDLL(None).malloc_trim
        while True:
            await trio.sleep(TRIM_SECONDS)
            await trio.to_thread.run_sync(trim, 0)
