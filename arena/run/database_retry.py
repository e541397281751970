"""Repeats what the database cannot do now: it is locked by another program, its disk is full, its server is gone.

A tournament of hours must not end because somebody looked at its file with a tool that locks it, or because a disk
was full for a minute. So the same is tried again until it works; only after a long time, or soon after the
tournament was stopped, the error ends it.
"""

from collections.abc import Callable
from logging import DEBUG, INFO
from typing import TypeVar

import trio

from arena.store import Store, StoreUnavailable
from arena.values.server_log import Notice, log_event

GIVE_UP_SECONDS = 3600.0
"""How long one incident may last."""

STOP_SECONDS = 15.0
"""How long one may last after the tournament was stopped: whoever pressed Ctrl-C waits for it."""

ATTEMPT_SECONDS = 5.0
"""How long one attempt waits for the transaction of another program."""

RETRY_SECONDS = 1.0
"""Between two attempts."""

Value = TypeVar("Value")


class DatabaseRetry:
    """Calls functions that use a database until it lets them; says so once per incident, and when that is over."""

    def __init__(self, store: Store, say: Callable[[str], None]) -> None:
        """Begin without an incident.

        store: waits from now on for `ATTEMPT_SECONDS` only.
        say: is told what people should read.
        """
        store.patience = ATTEMPT_SECONDS
        self._say = say
        self._began: float | None = None
        self._failing = 0
        self._stopped = trio.Event()
        self._give_up_at = float("inf")

    async def call(self, function: Callable[..., Value], *arguments: object) -> Value:
        """Run a function in a thread until the database lets it; return what it returns.

        It may run several times, so it must not matter where a first run ended.

        Raises StoreUnavailable where the incident lasts too long, and whatever else the function raises.
        """
        failed = False
        try:
            while True:
                try:
                    value = await trio.to_thread.run_sync(function, *arguments)
                except StoreUnavailable as error:
                    self._failing += not failed
                    failed = True
                    await self._wait(error)
                else:
                    break
        finally:
            self._failing -= failed
        if failed and not self._failing:
            self._recover()
        return value

    @property
    def is_waiting(self) -> bool:
        """Whether the database cannot be used now."""
        return self._began is not None

    def stop(self) -> None:
        """Give up soon: the tournament was stopped."""
        self._give_up_at = min(self._give_up_at, trio.current_time() + STOP_SECONDS)
        self._stopped.set()

    async def _wait(self, error: StoreUnavailable) -> None:
        """Wait before the next attempt. Raises the error where there is to be none."""
        now = trio.current_time()
        if self._began is None:
            self._began = now
            sentence = (
                f"{error.problem}; finished matches are kept in memory, and storing them is tried again for up to "
                f"{GIVE_UP_SECONDS / 60:.0f} minutes: end what is in the way, or stop with Ctrl-C"
            )
            self._say(Notice(sentence, "database_unavailable"))
        log_event("database_retried", error.problem, level=DEBUG)
        if now >= min(self._began + GIVE_UP_SECONDS, self._give_up_at):
            raise error
        with trio.move_on_after(RETRY_SECONDS):
            if self._stopped.is_set():
                await trio.sleep_forever()
            await self._stopped.wait()

    def _recover(self) -> None:
        """End the incident: all that failed has worked. What never failed says nothing, as readers pass a lock."""
        if self._began is not None:
            seconds = trio.current_time() - self._began
            self._began = None
            sentence = f"the database can be used again after {seconds:.0f} s; nothing is lost"
            self._say(Notice(sentence, "database_available", level=INFO))
