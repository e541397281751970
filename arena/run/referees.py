"""Referee processes, and the streams to them.

A referee is a process of its own session on a core of its own. Its standard input is a pipe that
nobody writes to: when arena is gone, however it went, the pipe ends, and the referee ends its bots and
itself. gRPC's blocking stream is read by one thread per referee, which hands each message over to trio
and waits until it is taken, so a referee that is faster than the database is held back.
"""

import compileall
import os
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.util import find_spec
from queue import SimpleQueue
from typing import IO

import trio

from arena.run.core_load import CoreLoad
from arena.run.referee_process import GRPC_ENVIRONMENT, RefereeProcess
from arena.values.tournament_errors import MachineBusy, RefereeError
from referee.v1.work_pb2 import Phase, WorkRequest, WorkResponse

READY_SECONDS = 30
END_SECONDS = 5

_OPTIONS = (
    ("grpc.default_authority", "localhost"),
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.enable_http_proxy", 0),
)


DIED = "died"
REFUSED = "could not go on"


class RefereeGone(Exception):
    """A referee ended before its work did.

    how: `DIED`, where its process or stream ended; `REFUSED`, where it said that it cannot play.
    why: the reason, as ": REASON"; may be empty.
    """

    def __init__(self, how: str, why: str) -> None:
        super().__init__(f"{how}{why}")
        self.how = how
        self.why = why


class Referee:
    """A running referee process; made by `running`.

    messages: what it says; the channel ends when the process or its stream does.
    last_words: the last lines of its stderr.
    """

    def __init__(self, process: RefereeProcess, say: Callable[[str], None]) -> None:
        self._process = process
        self.process = process.popen
        self.last_words: deque[str] = deque(maxlen=5)
        self._say = say
        self._heard, self.messages = trio.open_memory_channel[WorkResponse](0)
        self._requests: SimpleQueue[WorkRequest | None] = SimpleQueue()
        self._spoke = trio.Event()
        self._ready = False
        self._ending = ""
        self._silent = trio.Event()

    def load(self) -> CoreLoad:
        """Return what measures how busy its bots keep a core."""
        return CoreLoad(self.process.pid)

    def play(self, phase: Phase) -> None:
        """Give it a phase, to be played after those given before."""
        self._requests.put(WorkRequest(phase=phase))

    def watch(self, seconds: float) -> None:
        """Have it report matches under way for so long."""
        self._requests.put(WorkRequest(watch_ms=round(seconds * 1000)))

    def finish(self) -> None:
        """Have it begin no more matches, and end its phases once those under way are over."""
        self._requests.put(WorkRequest(finish=True))

    async def why(self) -> str:
        """Return why it ended, as the end of a sentence: its last words or, without any, how its stream did."""
        with trio.move_on_after(END_SECONDS):
            await self._silent.wait()
        reason = self.last_words[-1] if self.last_words else self._ending
        return f": {reason}" if reason else ""

    async def wait_ready(self) -> None:
        """Wait until it listens. Raises RefereeError where it does not."""
        with trio.move_on_after(READY_SECONDS):
            await self._spoke.wait()
            if not self._ready:
                raise RefereeError("a referee process ended before it was ready" + await self.why())
            return
        raise MachineBusy(f"a referee process was not ready after {READY_SECONDS:g} s" + await self.why())

    async def hear_stdout(self) -> None:
        """Read its standard output to the end: one word, "ready"."""
        async for line in _lines(self.process.stdout):
            self._ready = self._ready or line == "ready"
            self._spoke.set()
        self._spoke.set()

    async def hear_stderr(self) -> None:
        """Pass on the lines of its standard error."""
        async for line in _lines(self.process.stderr):
            self.last_words.append(line)
            self._say(line)
        self._silent.set()

    async def converse(self, address: str) -> None:
        """Send phases and hand over messages until the stream ends or is cancelled."""
        for name, value in GRPC_ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        import grpc  # after its environment is set; its 70 ms pass while the process starts

        def read() -> None:
            try:
                for response in call:
                    trio.from_thread.run(self._heard.send, response)
            except grpc.RpcError as error:
                self._ending = str(error.details())
                error.__traceback__ = None  # it is the call itself, and must not wait for the interpreter's end
            except (trio.BrokenResourceError, trio.Cancelled, trio.RunFinishedError):
                pass  # nobody listens any more

        async with self._heard:
            await self._spoke.wait()
            with grpc.insecure_channel(address, options=_OPTIONS) as channel:
                call = channel.stream_stream(
                    "/referee.v1.WorkService/Work",
                    request_serializer=WorkRequest.SerializeToString,
                    response_deserializer=WorkResponse.FromString,
                )(iter(self._requests.get, None))
                try:
                    await trio.to_thread.run_sync(read, abandon_on_cancel=True, limiter=trio.CapacityLimiter(1))
                finally:
                    self._requests.put(None)
                    call.cancel()

    async def end(self) -> None:
        """Close its input, wait until it has ended its bots and itself, and kill it where it does not."""
        self.messages.close()
        self._process.close_pipes()
        with trio.move_on_after(END_SECONDS):
            await self._gone()
        if self.process.poll() is None:
            self._process.kill()
            await self._gone()

    async def _gone(self) -> None:
        """Wait until the process has ended, and reap it."""
        if self.process.poll() is None:
            pidfd = os.pidfd_open(self.process.pid)
            try:
                await trio.lowlevel.wait_readable(pidfd)
            finally:
                os.close(pidfd)
            self.process.wait()


@asynccontextmanager
async def running(
    nursery: trio.Nursery, core: int | None, say: Callable[[str], None], early: RefereeProcess | None = None
) -> AsyncIterator[Referee]:
    """Start a referee, pinned to `core`; end it, and everything it started, with the block.

    nursery: outlives the block.
    say: is told every line that the referee prints to stderr.
    early: the process, if it was started already.

    Raises RefereeError where it does not come up.
    """
    process = early or RefereeProcess(core)
    try:
        referee = Referee(process, say)
        conversation = trio.CancelScope()
        try:
            nursery.start_soon(referee.hear_stdout)
            nursery.start_soon(referee.hear_stderr)
            nursery.start_soon(_within, conversation, referee.converse, process.address)
            await trio.to_thread.run_sync(_compile_for_bots)
            await referee.wait_ready()
            yield referee
        finally:
            conversation.cancel()
            with trio.CancelScope(shield=True):
                await referee.end()
    finally:
        process.remove_folder()


@cache
def _compile_for_bots() -> None:
    """Have the bytecode at hand that Python bots need: confined as they are, none of them could keep it for the next.

    Without it every start of a bot costs a second of CPU instead of a tenth.
    """
    for package in ("arena.sdk", "referee.v1", "google.protobuf", "grpc"):
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations if spec else None) or ():
            compileall.compile_dir(folder, quiet=2)


async def _within(scope: trio.CancelScope, task: Callable[[str], Awaitable[None]], address: str) -> None:
    with scope:
        await task(address)


async def _lines(pipe: IO[bytes] | None) -> AsyncIterator[str]:
    """Yield the lines of a pipe of a process."""
    assert pipe is not None
    if pipe.closed:  # all was over before this task began
        return
    async with trio.lowlevel.FdStream(os.dup(pipe.fileno())) as stream:
        rest = b""
        while data := await stream.receive_some():
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                yield line.decode(errors="replace").rstrip()
