"""Processes that compute side by side for a command, and end with it."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


@contextmanager
def process_pool(jobs: int, killed: Exception) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool whose processes leave Ctrl-C to this one, and do not outlive it.

    If the block fails, they are ended at once: their results are no longer wanted, and a task may take a minute.

    jobs: the number of processes.
    killed: raised if one of them is killed.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _initialise)
    try:
        yield pool
    except BrokenProcessPool:
        raise killed from None
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def map_in_order(
    pool: ProcessPoolExecutor, function: Callable[[Task], Result], tasks: Iterable[Task], most: int
) -> Iterator[Result]:
    """Yield the result of each task, in order.

    most: how many tasks are submitted before the first result is awaited.
    """
    waiting = deque[Future[Result]]()
    for task in tasks:
        waiting.append(pool.submit(function, task))
        if len(waiting) > most or waiting[0].done():
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _initialise() -> None:
    """Leave Ctrl-C to the parent process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
