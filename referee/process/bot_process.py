"""One bot process: started confined, its output kept within bounds, ended with all it started."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

import trio

from referee import sandbox
from referee.process.exit_status import ExitStatus
from referee.wire import clean_bytes

OUTPUT_BYTES = 64 * 1024
FLOOD_PAUSE = 0.02
"""Seconds between two reads of a bot that has printed more than is kept."""

LAST_WORDS_BYTES = 4096

OUT_OF_MEMORY = (
    b"MemoryError", b"std::bad_alloc", b"java.lang.OutOfMemoryError", b"runtime: out of memory",
    b"runtime: cannot allocate memory", b"JavaScript heap out of memory", b"Cannot allocate memory",
    b"insufficient memory for the Java Runtime Environment",
)  # fmt: skip
"""What programs say as they end for want of memory: Python, C++, Java, Go and Node; the errno of all others."""


FRESH_BYTES = 1024
"""What is kept of what a bot prints over one question."""

FAILURE_BYTES = 2048
"""What is reported of what a process printed before it failed."""

MOST_ESCAPED = 4
"""How many characters an escape takes at most for each byte that it stands for."""

_CONTINUATIONS = bytes(range(0x80, 0xC0))


class Output:
    """The last 64 KiB of what the processes of one player print.

    pull: reads what lies in the pipe of the process that runs now; None where none does.
    """

    def __init__(self) -> None:
        self._kept = bytearray()
        self._fresh = bytearray()
        self._of_process = 0
        self.truncated = False
        self.pull: Callable[[], None] | None = None

    def begin(self) -> None:
        """Note that a new process begins: `last_words` are its own from now on."""
        self._of_process = 0

    def add(self, data: bytes) -> None:
        """Append what was printed, dropping the oldest beyond the bound."""
        self._of_process += len(data)
        self._kept += data
        if (excess := len(self._kept) - OUTPUT_BYTES) > 0:
            del self._kept[:excess]
            self.truncated = True
        self._fresh += data[-FRESH_BYTES:]
        del self._fresh[:-FRESH_BYTES]

    def fresh(self) -> list[str]:
        """Return the lines that were printed since the last call, the last KB of them, as harmless text."""
        if self.pull is not None:
            self.pull()
        if not self._fresh:
            return []
        text = clean_bytes(bytes(self._fresh), FRESH_BYTES)
        self._fresh.clear()
        return [line for line in text.splitlines() if line.strip()]

    def tail(self, size: int) -> bytes:
        """Return the last bytes that the newest process printed, as they are."""
        size = min(size, self._of_process)
        return bytes(self._kept[-size:]) if size else b""

    def last_words(self) -> tuple[str, bool]:
        """Return the last 2 KiB that the newest process printed, as harmless text, and whether it printed more."""
        words = self.tail(FAILURE_BYTES)
        cut = len(words) < self._of_process
        if cut:
            words = words.lstrip(_CONTINUATIONS)  # the rest of a character whose beginning was cut off
        return clean_bytes(words, MOST_ESCAPED * FAILURE_BYTES), cut

    def text(self) -> str:
        """Return it as harmless text."""
        return clean_bytes(bytes(self._kept), OUTPUT_BYTES)


class Endpoint(Protocol):
    """What a process needs to know of where it is to dial (see `referee.connection.endpoints.Endpoint`)."""

    folder: str
    address: str
    token: str
    root: int | None

    def give_to(self, user: int | None) -> None:
        """Let nobody but a user dial."""


class BotProcess:
    """A running bot. Made by `start`; `kill` it, then `wait`."""

    def __init__(
        self, popen: "subprocess.Popen[bytes]", output: Output, guard: int | None, launch: sandbox.Launch
    ) -> None:
        self._popen = popen
        self._output = output
        self._guard = guard
        self._launch = launch
        self._pidfd = os.pidfd_open(popen.pid)

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        folder: str,
        *,
        endpoint: Endpoint,
        memory_bytes: int,
        confinement: sandbox.Confinement,
        output: Output,
        others: Sequence[str] = (),
        cores: Iterable[int] = (),
    ) -> "BotProcess":
        """Start `command` in `folder`, confined. Raises OSError where it cannot be started at all.

        endpoint: where it is to dial. others: files and folders of other bots. cores: those it is pinned to; none:
        where we are.

        Must be called in the main thread: a parent-death signal follows the thread that spawned, and
        trio's own spawning uses a worker thread that goes away. No preexec_fn: gRPC has threads.
        """
        launch = sandbox.confined(
            command,
            folder,
            sockets=endpoint.folder,
            env=sandbox.environment(endpoint.address, endpoint.token),
            memory_bytes=memory_bytes,
            confinement=confinement,
            others=others,
        )
        try:
            endpoint.give_to(launch.user)
            popen = launch.start(folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError:
            launch.end()
            raise
        finally:
            launch.close()
        if launch.user is None and confinement.mode != "bwrap":
            endpoint.root = popen.pid
        if cores := frozenset(cores):
            os.sched_setaffinity(popen.pid, cores)
        guard = None
        if popen.stdin is not None:
            guard = os.dup(popen.stdin.fileno())
            popen.stdin.close()
        return cls(popen, output, guard, launch)

    @property
    def pid(self) -> int:
        """The id of what was started: the sandbox, which has the bot among its children."""
        return self._popen.pid

    async def collect(self) -> None:
        """Keep what the process prints until its output is closed."""
        assert self._popen.stdout is not None
        fd = self._popen.stdout.fileno()
        os.set_blocking(fd, False)
        self._output.pull = self._pull
        while True:
            try:
                data = os.read(fd, OUTPUT_BYTES)
            except BlockingIOError:
                await trio.lowlevel.wait_readable(fd)
                continue
            if not data:
                return
            self._output.add(data)
            # Whoever prints without end waits in his own pipe rather than take our time.
            await trio.sleep(FLOOD_PAUSE if self._output.truncated else 0)

    def _pull(self) -> None:
        """Read what lies in the pipe now: what a bot printed before an answer is there when the answer is."""
        assert self._popen.stdout is not None
        with suppress(BlockingIOError):
            self._output.add(os.read(self._popen.stdout.fileno(), OUTPUT_BYTES))

    async def wait(self) -> ExitStatus:
        """Wait for the process to end and return how it did."""
        await trio.lowlevel.wait_readable(self._pidfd)
        return ExitStatus.of(self._popen.wait())

    def out_of_memory(self) -> bool:
        """Tell whether it lacked memory: the kernel says so of its control group, or it said so in its last words."""
        words = self._output.tail(LAST_WORDS_BYTES)
        return self._launch.out_of_memory() or any(word in words for word in OUT_OF_MEMORY)

    def kill(self) -> None:
        """End the process and everything it started, at once."""
        if self._guard is not None:
            os.close(self._guard)
            self._guard = None
        elif self._popen.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._popen.pid, signal.SIGKILL)

    def close(self) -> None:
        """End whatever is left of it, and give back what it held."""
        self.kill()
        self._launch.end()
        os.close(self._pidfd)
        self._output.pull = None
        if self._popen.stdout is not None:
            self._popen.stdout.close()
