"""A bot process: started confined, its output bounded, ended with all it started."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Protocol

import trio

from referee import sandbox
from referee.engine.clean_text import clean_bytes
from referee.process.background import in_background
from referee.process.cpu_accounting import FEW_THREADS, few_descendants
from referee.process.exit_status import ExitStatus
from referee.process.memory_watch import Excess, watch_memory
from referee.sandbox.grants import NOTHING, Grants
from referee.sandbox.shortage import raise_shortage

FAILED_STARTS = 3
"""How many failed starts in a row are too many: the bot is withdrawn."""

OUTPUT_BYTES = 64 * 1024
"""What is kept of the output of one player."""

FLOOD_PAUSE = 0.02
"""Seconds between two reads from a bot that has printed more than is kept."""

ERROR_BYTES = 4096
"""How far back the output is searched for errors of memory."""

OUT_OF_MEMORY = (
    b"MemoryError", b"std::bad_alloc", b"java.lang.OutOfMemoryError", b"runtime: out of memory",
    b"runtime: cannot allocate memory", b"JavaScript heap out of memory", b"Cannot allocate memory",
    b"insufficient memory for the Java Runtime Environment",
)  # fmt: skip
"""What programs print when they run out of memory: Python, C++, Java, Go and Node; the errno of all others."""

NO_NETWORK = b"Address family not supported"
"""What programs print when they may not open a socket of the network: the errno."""

NOTED_BYTES = 8 * 1024
"""What is noted of the output that belongs to one question: a whole traceback."""

FAILURE_BYTES = 8 * 1024
"""What is reported of the output of a process that failed."""

ESCAPE_CHARACTERS = 4
"""The most characters that one byte becomes when it is escaped."""

_CONTINUATIONS = bytes(range(0x80, 0xC0))


class Output:
    """The last 64 KiB that the processes of one player print.

    truncated: older output was dropped. read_pipe: adds what lies in the pipe of the running process; None where none
    runs.
    """

    def __init__(self) -> None:
        self._kept = bytearray()
        self._unread = bytearray()
        self._is_unread_cut = False
        self._process_bytes = 0
        self.truncated = False
        self.read_pipe: Callable[[], None] | None = None

    def start_process(self) -> None:
        """Note that a new process starts: `process_tail` returns only its own output from now on."""
        self._process_bytes = 0

    def add(self, data: bytes) -> None:
        """Append output; beyond 64 KiB the oldest is dropped."""
        self._process_bytes += len(data)
        self._kept += data
        if (excess := len(self._kept) - OUTPUT_BYTES) > 0:
            del self._kept[:excess]
            self.truncated = True
        self._unread += data[-NOTED_BYTES:]
        if (excess := len(self._unread) - NOTED_BYTES) > 0 or len(data) > NOTED_BYTES:
            del self._unread[: max(0, excess)]
            self._is_unread_cut = True

    def take_new_lines(self) -> list[str]:
        """Return the lines printed since the last call, at most their last 8 KiB, as harmless text.

        If there were more, the first line is an ellipsis.
        """
        self._read_new()
        if not self._unread:
            return []
        unread = _from_line_start(bytes(self._unread)) if self._is_unread_cut else bytes(self._unread)
        lines = [line for line in clean_bytes(unread, ESCAPE_CHARACTERS * NOTED_BYTES).split("\n") if line.strip()]
        if self._is_unread_cut:
            lines.insert(0, "…")
        self._clear_new()
        return lines

    def forget_new_lines(self) -> None:
        """Do not return what was printed until now as new lines."""
        self._read_new()
        self._clear_new()

    def _read_new(self) -> None:
        if self.read_pipe is not None:
            self.read_pipe()

    def _clear_new(self) -> None:
        self._unread.clear()
        self._is_unread_cut = False

    @property
    def process_bytes(self) -> int:
        """How much the newest process has printed, as far as it was read."""
        return self._process_bytes

    def raw_tail(self, size: int) -> bytes:
        """Return the last `size` bytes that the newest process printed."""
        size = min(size, self._process_bytes)
        return bytes(self._kept[-size:]) if size else b""

    def process_tail(self) -> tuple[str, bool]:
        """Return the last 8 KiB that the newest process printed, as harmless text, and whether it printed more."""
        tail = self.raw_tail(FAILURE_BYTES)
        is_cut = len(tail) < self._process_bytes
        if is_cut:
            tail = _from_line_start(tail)
        return clean_bytes(tail, ESCAPE_CHARACTERS * FAILURE_BYTES), is_cut

    def text(self) -> str:
        """Return all that is kept, as harmless text."""
        return clean_bytes(bytes(self._kept), OUTPUT_BYTES)


def _from_line_start(tail: bytes) -> bytes:
    """Return the end of an output from its first whole line or, if it is one line, from its first whole character."""
    _, newline, lines = tail.partition(b"\n")
    return lines if newline and lines else tail.lstrip(_CONTINUATIONS)


class DialledEndpoint(Protocol):
    """What a process needs of the endpoint that it dials (see `referee.connection.endpoints.Endpoint`)."""

    folder: str
    address: str
    token: str
    root_pid: int | None

    def restrict_to(self, user: int | None) -> None:
        """Let only the user with this number dial."""


def let_bots_hear_quit() -> None:
    """Ignore SIGQUIT by a handler, where it is ignored as in what a script starts in the background.

    What is ignored stays so in the programs that a process starts, in a shell for good: a bot that hangs could not be
    asked where it is (`BotProcess.ask_for_stacks`).
    """
    if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
        signal.signal(signal.SIGQUIT, lambda *_: None)


class BotProcess:
    """A running bot; `start` makes it.

    excess: of what it had more than granted, for which it was ended; None where it was not.
    """

    def __init__(
        self,
        popen: "subprocess.Popen[bytes]",
        output: Output,
        guardian_pipe: int | None,
        launch: sandbox.Launch,
        watched_bytes: int | None = None,
    ) -> None:
        self._popen = popen
        self._output = output
        self._guardian_pipe = guardian_pipe
        self._launch = launch
        self._watched_bytes = watched_bytes
        self.excess: Excess | None = None
        self._pidfd = os.pidfd_open(popen.pid)

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        folder: str,
        *,
        endpoint: DialledEndpoint,
        memory_bytes: int,
        confinement: sandbox.Confinement,
        output: Output,
        others: Sequence[str] = (),
        cores: Iterable[int] = (),
        grants: Grants = NOTHING,
        secrets: Mapping[str, str] = {},
        shown: sandbox.View | None = None,
    ) -> "BotProcess":
        """Start `command` in `folder`, confined.

        endpoint: the bot dials it.
        others: files and folders of other bots, which it must not see.
        cores: it is pinned to these; none: to the referee's own.
        grants, secrets: what it gets beyond other bots, and its own environment variables.
        shown: what it sees of the files of this machine, which is found now where it is None.

        Must be called in the main thread: a parent-death signal follows the thread that spawned, and trio's own
        spawning uses a worker thread that ends. It uses no preexec_fn, as gRPC has threads.

        Raises OSError where the program cannot be started, MachineError where this machine can start none.
        """
        try:
            launch = sandbox.confined(
                command,
                folder,
                sockets=endpoint.folder,
                env={**secrets, **sandbox.environment(endpoint.address, endpoint.token)},
                memory_bytes=memory_bytes,
                confinement=confinement,
                others=others,
                grants=grants,
                shown=shown,
            )
            try:
                endpoint.restrict_to(launch.user)
                popen = launch.start(folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            except OSError:
                launch.end()
                raise
            finally:
                launch.close()
        except OSError as error:
            raise_shortage(error)
            raise
        if launch.user is None and confinement.mode != "bwrap":
            endpoint.root_pid = popen.pid
        if cores := frozenset(cores):
            os.sched_setaffinity(popen.pid, cores)
        guardian_pipe = None
        if popen.stdin is not None:
            guardian_pipe = os.dup(popen.stdin.fileno())
            popen.stdin.close()
        is_watched = confinement.mode != "off" and not launch.limits_memory
        return cls(popen, output, guardian_pipe, launch, memory_bytes if is_watched else None)

    @property
    def pid(self) -> int:
        """The id of the sandbox; the bot is among its descendants."""
        return self._popen.pid

    async def collect(self) -> None:
        """Collect what the process prints until it closes its output."""
        assert self._popen.stdout is not None
        fd = self._popen.stdout.fileno()
        os.set_blocking(fd, False)
        self._output.read_pipe = self._read_pipe
        while True:
            try:
                data = os.read(fd, OUTPUT_BYTES)
            except BlockingIOError:
                await trio.lowlevel.wait_readable(fd)
                continue
            if not data:
                return
            self._output.add(data)
            # A bot that prints without end waits at its own pipe and does not take our time.
            await trio.sleep(FLOOD_PAUSE if self._output.truncated else 0)

    def _read_pipe(self) -> None:
        """Add what lies in the pipe now: output printed before an answer is there when the answer is."""
        assert self._popen.stdout is not None
        with suppress(BlockingIOError):
            self._output.add(os.read(self._popen.stdout.fileno(), OUTPUT_BYTES))

    async def wait(self) -> ExitStatus:
        """Wait for the process to end; return its exit status."""
        await trio.lowlevel.wait_readable(self._pidfd)
        return ExitStatus.of(self._popen.wait())

    def out_of_memory(self) -> bool:
        """Tell whether it ran out of memory, by the count of the kernel or of `watch_memory`, or by its last output."""
        tail = self._output.raw_tail(ERROR_BYTES)
        return (
            self.excess is Excess.MEMORY
            or self._launch.out_of_memory()
            or any(message in tail for message in OUT_OF_MEMORY)
        )

    def out_of_processes(self) -> bool:
        """Tell whether it started more processes than granted, by the count of the kernel or of `watch_memory`."""
        return self.excess is Excess.PROCESSES or self._launch.out_of_processes()

    def lacks_network(self) -> bool:
        """Tell by its last output whether it missed the network."""
        return NO_NETWORK in self._output.raw_tail(ERROR_BYTES)

    async def watch_memory(self, threads: trio.CapacityLimiter) -> None:
        """End the bot when it has more memory or processes than granted, where no control group limits the memory.

        threads: bounds the threads that look.
        """
        if self._watched_bytes is not None:
            await watch_memory(self.pid, self._watched_bytes, self._exceed, threads)

    def _exceed(self, excess: Excess) -> None:
        self.excess = excess
        self.kill()

    def ask_for_stacks(self) -> None:
        """Have what it started print where it is, as programs in Python (arena.sdk), Java and Go do at SIGQUIT.

        Other programs end.
        """
        pids = few_descendants(self.pid, FEW_THREADS) or []
        with ExitStack() as files:
            held: list[tuple[int, int]] = []
            for pid in pids:
                with suppress(OSError):
                    held.append((pid, os.pidfd_open(pid)))
                    files.callback(os.close, held[-1][1])
            left = few_descendants(self.pid, FEW_THREADS) or []  # a number may have gone to another process meanwhile
            for pid, pidfd in held:
                if pid in left:
                    with suppress(OSError):
                        signal.pidfd_send_signal(pidfd, signal.SIGQUIT)

    def kill(self) -> None:
        """End the process and everything it started, at once."""
        if self._guardian_pipe is not None:
            os.close(self._guardian_pipe)
            self._guardian_pipe = None
        elif self._popen.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._popen.pid, signal.SIGKILL)

    async def close(self, threads: trio.CapacityLimiter) -> None:
        """End what is left of the process, and release its files and control groups, even where it is cancelled.

        threads: bounds the threads that do what takes a while.
        """
        self.kill()
        with trio.CancelScope(shield=True):
            await in_background(self._launch.end, threads)
        os.close(self._pidfd)
        self._output.read_pipe = None
        if self._popen.stdout is not None:
            self._popen.stdout.close()
