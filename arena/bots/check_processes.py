"""What processes need in which bots are checked: interrupts, cores, and an end with their parent.

A check must run in the main thread of a process: bots and referees end with the thread that started them. Each process
has its share of the cores to itself, one core by default, as a referee has in a tournament.
"""

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, parent_process, resource_tracker, set_forkserver_preload
from multiprocessing.connection import wait as wait_for
from threading import Thread
from time import sleep

PRELOADED = "arena.bots.preloaded"
"""What the process imports from which those of checks are forked."""

CLEANUP_SECONDS = 5
"""How long a process may take to clean up when arena was killed."""


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Within the block, start processes by `multiprocessing` that are not interrupted before `take_interrupts`.

    An interrupt amid their imports would end them with a traceback. It is kept for later, in this thread too.
    """
    resource_tracker.ensure_running()  # whose start would take them up again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_fork_server() -> None:
    """Start the process from which those of checks are forked, unless it runs; it ends with this one."""
    set_forkserver_preload([PRELOADED])
    with interrupts_held():
        forkserver.ensure_running()


def take_interrupts() -> None:
    """Let this process, started within `interrupts_held`, be interrupted, also by what came before."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def core_shares(jobs: int, fewest: int = 1) -> list[list[int]]:
    """Return the cores of each of `jobs` processes: shares of the same size, or all cores if there are too few.

    fewest: the cores that a share has at least.
    """
    cores = sorted(os.sched_getaffinity(0))
    random.shuffle(cores)  # so that two commands at the same time do not both crowd the first cores
    size = len(cores) // jobs
    return [cores[place * size : (place + 1) * size] if size >= fewest else cores for place in range(jobs)]


def end_with_parent() -> None:
    """Have this process, a child by `multiprocessing`, interrupted when its parent ends; leave Ctrl-C to the parent."""
    os.setpgid(0, 0)
    parent = parent_process()
    assert parent is not None

    def watch(sentinel: int) -> None:
        wait_for([sentinel])
        os.kill(os.getpid(), signal.SIGINT)
        sleep(CLEANUP_SECONDS)
        os._exit(1)

    Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
