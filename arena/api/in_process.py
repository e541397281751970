"""In-process bots: functions and classes of the caller, each in a thread that is connected to its referee.

A referee takes them for remote bots: their clock runs, and one that does not answer loses matches like any other. What
their code raises is no fault of a bot, but a mistake that its author wants to see: it ends the run.
"""

import ctypes
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from threading import Lock, Thread
from time import monotonic

from arena.api.field import NewBot
from arena.run.exception_groups import unwrap_group
from arena.run.referee_process import GRPC_ENVIRONMENT
from arena.sdk.errors import CallLost
from arena.sdk.message_codec import MessageCodec, is_coroutine_function

END_SECONDS = 1.0
"""How long bots may take to return when all is over, before their threads are interrupted."""


class _Interrupted(BaseException):
    """Raised in the thread of a bot that is still thinking when nobody waits for it any more."""


class InProcessBots:
    """Connects in-process bots to referees; a context manager that ends their threads. Thread-safe.

    failure: what the first bot that failed has raised, with a note that names the bot; None if none did.
    """

    def __init__(self, bots: Mapping[str, NewBot], stop: Callable[[], None]) -> None:
        """Make it in the caller's thread.

        bots: what makes each bot, by name.
        stop: is called, in any thread, when a bot has failed.
        """
        self.failure: BaseException | None = None
        self._bots = bots
        self._stop = stop
        self._lock = Lock()
        self._threads: dict[tuple[str, str], Thread] = {}
        self._over = False
        self._context = copy_context()  # where notebooks keep to which cell output belongs
        if bots:
            _load_grpc()

    def connect(self, name: str, address: str, token: str) -> None:
        """Have a bot play at a referee, in a new thread; an earlier one for the same player is ended."""
        context = self._context.copy()
        thread = Thread(target=context.run, args=(self._play, name, address, token), name=f"bot {name}", daemon=True)
        with self._lock:
            if self._over:
                return
            earlier = self._threads.pop((address, token), None)
            self._threads = {key: running for key, running in self._threads.items() if running.is_alive()}
            self._threads[address, token] = thread
            thread.start()
        if earlier is not None:
            _interrupt(earlier)

    def __enter__(self) -> "InProcessBots":
        return self

    def __exit__(self, *_error: object) -> None:
        with self._lock:
            self._over = True
        deadline = monotonic() + END_SECONDS
        for thread in self._threads.values():
            thread.join(max(0.0, deadline - monotonic()))
        for thread in self._threads.values():
            _interrupt(thread)

    def _play(self, name: str, address: str, token: str) -> None:
        with suppress(_Interrupted):  # also while another error is handled
            try:
                codec = MessageCodec(self._bots[name](), token)
                if is_coroutine_function(codec.choose):
                    from arena.sdk.concurrent import play
                else:
                    from arena.sdk.blocking import play
                play(codec, address)
            except (CallLost, _Interrupted):
                pass  # the referee has ended, or no longer waits for this thread
            except BaseExceptionGroup as group:
                self._fail(name, unwrap_group(group))
            except BaseException as error:
                self._fail(name, error)

    def _fail(self, name: str, error: BaseException) -> None:
        with self._lock:
            if self._over or self.failure is not None:
                return
            error.add_note(f"raised by the in-process bot {name}, in its thread")
            self.failure = error
        self._stop()


def _load_grpc() -> None:
    """Import gRPC in this thread: the SDK's way to import it quickly is not for several threads at once."""
    for name, value in GRPC_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    import grpc  # noqa: F401

    with suppress(ImportError):  # a version of grpcio with which bots use the public API
        import arena.sdk.direct_call  # noqa: F401


def _interrupt(thread: Thread) -> None:
    """Raise _Interrupted in a thread that has not ended: it acts as soon as the thread runs Python code."""
    if thread.is_alive() and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Interrupted))
