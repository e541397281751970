"""Processes in which bots are checked side by side."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Generic, TypeVar

from arena.bots.check_processes import core_shares, end_with_parent, interrupts_held, take_interrupts

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class CheckPool(Generic[Task, Outcome]):
    """Does tasks in several processes.

    A process that is killed takes only its own task with it: `run` yields None for that, and for those that were under
    way beside it, as nobody knows which one was the reason.
    """

    def __init__(self, jobs: int, work: Callable[[Task], Outcome]) -> None:
        """Prepare a pool.

        jobs: the number of processes.
        work: what each does with a task; both are sent to it.
        """
        self._jobs = jobs
        self._work = work

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome | None]]:
        """Yield the place and the outcome of each task, as they are done. Raises what `work` raises."""
        waiting = list(enumerate(tasks))[::-1]
        while waiting:
            yield from self._run_pool(waiting)

    def _run_pool(self, waiting: list[tuple[int, Task]]) -> Iterator[tuple[int, Outcome | None]]:
        """Do tasks from the end of the list until there are none, or a process is killed."""
        context = get_context("spawn")
        shares = context.SimpleQueue()
        for share in core_shares(self._jobs):
            shares.put(share)
        pool = ProcessPoolExecutor(self._jobs, context, _initialise, (shares,))
        running: dict[Future[Outcome], int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self._jobs:
                    place, task = waiting[-1]
                    with interrupts_held():
                        running[pool.submit(_run, self._work, task)] = place
                    waiting.pop()
                done = wait(running, return_when=FIRST_COMPLETED).done
                whole = [future for future in done if not isinstance(future.exception(), BrokenProcessPool)]
                for future in whole:
                    outcome = future.result()
                    yield running.pop(future), outcome
                if len(whole) < len(done):
                    break
        except BrokenProcessPool:
            pass  # it broke before it could take the next task
        except BaseException:
            _interrupt(pool)
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            shares.close()
        yield from ((place, None) for place in sorted(running.values()))


def _interrupt(pool: ProcessPoolExecutor) -> None:
    """Have the processes of a pool end what they do, and remove their files."""
    for process in list((pool._processes or {}).values()):
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, signal.SIGINT)


def _run(work: Callable[[Task], Outcome], task: Task) -> Outcome:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return work(task)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _initialise(shares: Any) -> None:
    """Take a share of the cores, leave the terminal's Ctrl-C to the parent process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    take_interrupts()
    os.sched_setaffinity(0, shares.get())
    end_with_parent()
