"""Run a match in a thread, so that the terminal keeps the main thread and its signals."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Self

import trio

from arena.run.single_match import Invite, Single
from referee.process.awake_clock import run_awake
from referee.v1.work_pb2 import Invitation


class MatchThread:
    """A context manager that starts a match, and on exit cancels it and ends all its processes."""

    def __init__(self, match: Callable[[Invite], Awaitable[Single]]) -> None:
        """Prepare a match.

        match: plays it under trio, and calls its argument with each invitation.
        """
        self._match = match
        self._invitations: SimpleQueue[Invitation | None] = SimpleQueue()
        self._played: Single | None = None
        self._failure: BaseException | None = None
        self._scope = trio.CancelScope()
        self._token: trio.lowlevel.TrioToken | None = None
        self._running = Event()
        self._thread = Thread(target=self._run, name="match")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.wait()
        if self._token is not None:
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._scope.cancel)
        self._thread.join()

    def invitations(self) -> Iterator[Invitation]:
        """Yield each invitation for a person's seat, until the match is over."""
        while (invitation := self._invitations.get()) is not None:
            yield invitation

    def stop_inviting(self) -> None:
        """End `invitations`, although the match continues."""
        self._invitations.put(None)

    def result(self) -> Single:
        """Wait for the end of the match and return it. Raises RefereeError if the match failed."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        assert self._played is not None
        return self._played

    def _run(self) -> None:
        try:
            run_awake(self._play)
        except Exception as failure:
            self._failure = failure
        finally:
            self._running.set()
            self._invitations.put(None)

    async def _play(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._running.set()
        with self._scope:
            self._played = await self._match(self._invitations.put)
