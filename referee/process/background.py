"""Work for a bot, of a size that its author chooses, in threads beside the loop that serves all bots."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import trio

Result = TypeVar("Result")

background_threads: set[str] = set()
"""The ids of the threads that do such work: no bot waits for them, so their waiting for a core is no delay."""

FORGOTTEN_FROM = 256
"""How many are kept before those that have ended are forgotten."""


async def in_background(work: Callable[[], Result], threads: trio.CapacityLimiter) -> Result:
    """Return what `work` returns; it runs in a thread, to its end.

    threads: bounds how many there are.
    """
    return await trio.to_thread.run_sync(_work, work, limiter=threads)


def _work(work: Callable[[], Result]) -> Result:
    if len(background_threads) >= FORGOTTEN_FROM:
        background_threads.intersection_update(os.listdir("/proc/self/task"))
    background_threads.add(str(threading.get_native_id()))
    with suppress(OSError):  # off the core of the loop, where there is another
        os.sched_setaffinity(0, os.sched_getaffinity(os.getppid()) | os.sched_getaffinity(0))
    return work()
