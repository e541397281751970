"""Referee processes, and the streams to them.

A referee is a process of its own session on a core of its own. Its standard input is a pipe that
nobody writes to: when arena is gone, however it went, the pipe ends, and the referee ends its bots and
itself. gRPC's blocking stream is read by one thread per referee, which hands each message over to trio
and waits until it is taken, so a referee that is faster than the database is held back.
"""

import compileall
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from typing import IO

import trio

from arena.tournament.errors import RefereeError
from referee.v1.work_pb2 import Phase, WorkRequest, WorkResponse

READY_SECONDS = 30
END_SECONDS = 5

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
_GRPC = {
    "GRPC_ENABLE_FORK_SUPPORT": "0",
    "GRPC_VERBOSITY": "ERROR",
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener",
}
"""No fork handlers, no chatter, and the poller that costs less per message; unknown experiments do no harm."""

_OPTIONS = (
    ("grpc.default_authority", "localhost"),
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.enable_http_proxy", 0),
)


class RefereeGone(Exception):
    """A referee or its stream ended before its work did."""


class Referee:
    """A running referee process; made by `running`.

    messages: what it says; the channel ends when the process or its stream does.
    last_words: the last lines of its stderr.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", say: Callable[[str], None]) -> None:
        self.process = process
        self.last_words: deque[str] = deque(maxlen=5)
        self._say = say
        self._heard, self.messages = trio.open_memory_channel[WorkResponse](0)
        self._requests: SimpleQueue[WorkRequest | None] = SimpleQueue()
        self._spoke = trio.Event()
        self._ready = False
        self._ending = ""
        self._silent = trio.Event()

    def play(self, phase: Phase) -> None:
        """Give it a phase, to be played after those given before."""
        self._requests.put(WorkRequest(phase=phase))

    async def why(self) -> str:
        """Return why it ended, as the end of a sentence: its last words or, without any, how its stream did."""
        with trio.move_on_after(END_SECONDS):
            await self._silent.wait()
        told = self.last_words[-1] if self.last_words else self._ending
        return f": {told}" if told else ""

    async def wait_ready(self) -> None:
        """Wait until it listens. Raises RefereeError where it does not."""
        with trio.move_on_after(READY_SECONDS):
            await self._spoke.wait()
            if not self._ready:
                raise RefereeError("a referee process ended before it was ready" + await self.why())
            return
        raise RefereeError(f"a referee process was not ready after {READY_SECONDS} s" + await self.why())

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
        for name, value in _GRPC.items():
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
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        with trio.move_on_after(END_SECONDS):
            await self._gone()
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
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


def cores(jobs: int) -> list[int | None]:
    """Return a core for each of `jobs` referees, or none where there are more referees than cores.

    Drawn by lot, so that two tournaments at the same time do not both crowd the first cores.
    """
    free = list(os.sched_getaffinity(0))
    return [*random.sample(free, jobs)] if jobs <= len(free) else [None] * jobs


@asynccontextmanager
async def running(nursery: trio.Nursery, core: int | None, say: Callable[[str], None]) -> AsyncIterator[Referee]:
    """Start a referee, pinned to `core`; end it, and everything it started, with the block.

    nursery: outlives the block. say: is told every line that the referee prints to stderr.

    Raises RefereeError where it does not come up.
    """
    await trio.to_thread.run_sync(_compile_for_bots)
    folder = Path(tempfile.mkdtemp(prefix="arena-", dir=_short_folder()))
    folder.chmod(0o711)  # bots reach their socket below it
    address = f"unix:{folder}/work"
    try:
        referee = Referee(_spawn(address, folder, core), say)
        conversation = trio.CancelScope()
        try:
            nursery.start_soon(referee.hear_stdout)
            nursery.start_soon(referee.hear_stderr)
            nursery.start_soon(_within, conversation, referee.converse, address)
            await referee.wait_ready()
            yield referee
        finally:
            conversation.cancel()
            with trio.CancelScope(shield=True):
                await referee.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _compile_for_bots() -> None:
    """Have the bytecode at hand that Python bots need: confined as they are, none of them could keep it for the next.

    Without it every start of a bot costs a second of CPU instead of a tenth.
    """
    for package in ("arena.sdk", "referee.v1", "google.protobuf", "grpc"):
        found = find_spec(package)
        for folder in (found.submodule_search_locations if found else None) or ():
            compileall.compile_dir(folder, quiet=2)


def _spawn(address: str, folder: Path, core: int | None) -> "subprocess.Popen[bytes]":
    """Start the process. From the main thread: its parent-death signal follows the thread that spawned it.

    All that it makes lies in `folder`, so whichever of the two is killed, the other one leaves nothing behind.
    """
    env = {name: os.environ[name] for name in _KEPT if name in os.environ} | _GRPC | {"TMPDIR": str(folder)}
    # -P: whatever lies in the current folder must not be imported in place of a module of ours.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "referee", "--address", address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        start_new_session=True,
    )
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
        # Its bots inherit both. Without preemption at every wake-up, each process ends its batch before the next one
        # runs: larger batches, 12 % less CPU per decision.
        with suppress(OSError):
            os.sched_setscheduler(process.pid, os.SCHED_BATCH, os.sched_param(0))
    return process


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


def _short_folder() -> str | None:
    """Return where to make folders of sockets: a socket's path ends at 107 bytes, of which its folders take 50."""
    return "/tmp" if len(os.fsencode(tempfile.gettempdir())) > 57 else None
