"""Runs trio in a thread of its own: so it works whatever event loop the caller has, and Ctrl-C reaches the caller.

Nothing of `arena.api` imports `arena.cli`, which sets up the process for a command.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

import trio

from arena.values.errors import ArenaError

T = TypeVar("T")


class StopRequest:
    """Asks a run that trio executes in another thread to stop. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_made = False
        self._waiting: tuple[trio.lowlevel.TrioToken, trio.Event] | None = None

    def make(self) -> None:
        """Stop the run, now or as soon as it sees this."""
        with self._lock:
            self._is_made = True
            if self._waiting is not None:
                token, event = self._waiting
                with suppress(trio.RunFinishedError):
                    token.run_sync_soon(event.set)

    async def wait(self, stop: Callable[[signal.Signals], None]) -> None:
        """Call `stop` once the request is made. A `StopSource` of `arena.run.stop_signals`."""
        event = trio.Event()
        with self._lock:
            self._waiting = trio.lowlevel.current_trio_token(), event
            if self._is_made:
                event.set()
        await event.wait()
        stop(signal.SIGINT)


class _Background(Generic[T]):
    """A function that runs in a thread.

    result: calls it there and hands on what it returns or raises.
    """

    def __init__(self, run: Callable[[StopRequest], T], done: Callable[[], None]) -> None:
        self.stop = StopRequest()
        self._run = run
        self._done = done
        self._result: T
        self._error: BaseException | None = None
        Thread(target=self._work, name="arena", daemon=True).start()

    def _work(self) -> None:
        try:
            self._result = self._run(self.stop)
        except BaseException as error:
            self._error = error
        finally:
            self._done()

    def result(self) -> T:
        """Return what the function has returned, or raise what it has raised, sentences without a traceback."""
        error, self._error = self._error, None
        if isinstance(error, ArenaError):
            raise error.with_traceback(None)
        if error is not None:
            raise error
        return self._result


def wait_for(run: Callable[[StopRequest], T]) -> T:
    """Call a function in a thread and return its result.

    Whatever interrupts the caller, Ctrl-C above all, makes the stop request, and is raised once the function has ended.
    """
    done = Event()
    background = _Background(run, done.set)
    try:
        done.wait()
    except BaseException:
        background.stop.make()
        done.wait()
        raise
    return background.result()


async def wait_for_async(run: Callable[[StopRequest], T]) -> T:
    """Do the same in a coroutine of asyncio or trio, whose cancellation makes the stop request."""
    return await (_wait_in_trio(run) if trio.lowlevel.in_trio_task() else _wait_in_asyncio(run))


async def _wait_in_trio(run: Callable[[StopRequest], T]) -> T:
    done, token = trio.Event(), trio.lowlevel.current_trio_token()

    def wake() -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(done.set)

    return await _wait(_Background(run, wake), done.wait, trio.CancelScope(shield=True))


async def _wait_in_asyncio(run: Callable[[StopRequest], T]) -> T:
    done, loop = asyncio.Event(), asyncio.get_running_loop()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(done.set)

    return await _wait(_Background(run, wake), done.wait, nullcontext())


async def _wait(
    background: _Background[T], wait: Callable[[], Awaitable[object]], shield: AbstractContextManager[object]
) -> T:
    """Wait until a function has ended, and return its result.

    shield: in it the wait is not cancelled once more.
    """
    try:
        await wait()
    except BaseException:  # cancelled, or Ctrl-C
        background.stop.make()
        with shield:
            await wait()
        raise
    return background.result()
