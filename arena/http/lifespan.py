"""The lifespan of an ASGI application: it starts before the first request, and ends after the last."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio

from arena.http.exchange import Application, Message


@asynccontextmanager
async def lifespan(app: Application) -> AsyncGenerator[None, None]:
    """Have an application start, and end after the block; one that knows no lifespan is served without.

    Raises what the application raises as it starts, or later.
    """
    running = _Lifespan(app)
    async with trio.open_nursery() as nursery:
        error: Exception | None = await nursery.start(running.run)
        if error is None:
            yield
            running.ends.set()
    if error is not None:
        raise error


class _Lifespan:
    """The lifespan of one application, which runs in a task of its own.

    ends: set when the application is to end.
    """

    def __init__(self, app: Application) -> None:
        self.ends = trio.Event()
        self._app = app
        self._is_asked = False
        self._has_started = False
        self._failure: str | None = None
        self._task_status: trio.TaskStatus[Exception | None] = trio.TASK_STATUS_IGNORED

    async def run(self, task_status: "trio.TaskStatus[Exception | None]") -> None:
        """Run until the application has ended; it is started with the error that kept it from starting, or None."""
        self._task_status = task_status
        scope = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}, "state": {}}
        error: Exception | None = None
        try:
            await self._app(scope, self._receive, self._send)
        except Exception as raised:
            if self._has_started:
                raise
            error = raised
        if not self._has_started:
            failed = self._failure is not None
            task_status.started(error or RuntimeError(self._failure) if failed else None)

    async def _receive(self) -> Message:
        if not self._is_asked:
            self._is_asked = True
            return {"type": "lifespan.startup"}
        await self.ends.wait()
        return {"type": "lifespan.shutdown"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "lifespan.startup.complete":
            self._has_started = True
            self._task_status.started(None)
        elif message["type"] == "lifespan.startup.failed":
            self._failure = str(message.get("message", ""))
