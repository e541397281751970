"""Processes that compute side by side for a command, and end with it."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread


@contextmanager
def process_pool(jobs: int, killed: Exception) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool whose processes leave Ctrl-C to this one, and do not outlive it.

    If the block fails, they are ended at once: their results are no longer wanted, and a task may take a minute.

    jobs: processes. killed: is raised if one of them is killed.
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


def _initialise() -> None:
    """Leave Ctrl-C to the parent process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
