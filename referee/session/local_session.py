"""The session of a local bot: the referee starts its process, watches it and ends it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import trio

from referee import sandbox
from referee.connection.endpoints import Endpoint, Endpoints
from referee.match.faults import FaultKind
from referee.process.awake_clock import awake_clock
from referee.process.background import in_background
from referee.process.bot_process import BotProcess
from referee.process.cpu_accounting import use_since_start
from referee.process.cpu_fairness import BotCpu
from referee.process.exit_status import ExitStatus
from referee.sandbox import Confinement
from referee.sandbox.grants import NOTHING, Grants
from referee.sandbox.limits import PROCESSES
from referee.sandbox.shortage import raise_shortage
from referee.session.player import MIN_DELAY_SECONDS, BotPlayer
from referee.session.session import BotSession
from referee.session.silent_start import Silence
from referee.v1.work_pb2 import ProcessFailure

GRACE_SECONDS = 2.0
"""How long a bot may take to exit by itself after its stream has ended without a fault."""

FAILURE_SECONDS = 0.5
"""How long to wait for the exit status, and then for the output, of a bot whose session failed."""

NO_NETWORK = "it opened a socket of the network, which it may not; it must connect to ARENA_ADDRESS"

MOST_START_DELAY_SECONDS = 60.0
"""How much longer a bot may take to start, where waiting for a core is not charged to it."""


@dataclass(frozen=True, slots=True)
class Program:
    """The program that is started for a player, and how."""

    command: Sequence[str]
    """The program and its arguments."""
    folder: str
    """The working directory of the program."""
    start_time: float
    """The seconds that the program has until its hello."""
    memory_bytes: int
    """The most data that the program may hold, in bytes."""
    confinement: Confinement
    """How the program is confined."""
    others: Sequence[str] = ()
    """The files and folders of other bots, which the program must not see."""
    cores: Sequence[int] = ()
    """The cores to which the program is pinned; empty: the referee's own."""
    grants: Grants = NOTHING
    """What the program is granted beyond other bots."""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment variables that this bot alone gets."""
    _view: list[sandbox.View | OSError] = field(default_factory=list, repr=False)

    async def view(self, threads: trio.CapacityLimiter) -> sandbox.View:
        """Return what it is shown of the files of this machine, found once for all of its processes.

        threads: bounds the threads that read and copy what its author put there.

        Raises OSError where it cannot be shown what it needs.
        """
        if not self._view:
            find = partial(sandbox.view, self.command, self.folder, self.confinement, self.others, self.grants)
            try:
                self._view.append(await in_background(find, threads))
            except OSError as error:
                self._view.append(error)
        view = self._view[0]
        if isinstance(view, OSError):
            raise view
        return view


class LocalSession(BotSession):
    """The session of a process of ours, which is ended with everything it started.

    is_idle: the process ran, computed little and made no gRPC call for as long as it had until its hello.
    """

    def __init__(
        self,
        player: BotPlayer,
        game: str,
        endpoints: Endpoints,
        program: Program,
        control_cpu: Callable[[int], BotCpu] | None = None,
    ) -> None:
        """Make a session.

        control_cpu: returns the CPU control of a process by its id; None: it has none.
        """
        super().__init__(player, game, endpoints)
        self._control_cpu = control_cpu
        self._program = program
        self._exited = trio.Event()
        self._output_closed = trio.Event()
        self._status: ExitStatus | None = None
        self._process: BotProcess | None = None
        self._is_silent = False
        self.is_idle = False

    async def run(self) -> None:
        """Start the process, wait until it fails or is no longer needed, and end it."""
        self.player.output.start_process()
        await self.endpoints.start_limiter.acquire_on_behalf_of(self)
        try:
            shown = await self._program.view(self.endpoints.background_threads)
        except BaseException as error:
            self.endpoints.start_limiter.release_on_behalf_of(self)
            if not isinstance(error, OSError):
                raise
            raise_shortage(error)
            self._fail_start(error)
            return
        try:
            endpoint = await self.endpoints.open()
        except BaseException:
            self.endpoints.start_limiter.release_on_behalf_of(self)
            raise
        try:
            await self._run_at(endpoint, shown)
        finally:
            endpoint.close()

    async def _run_at(self, endpoint: Endpoint, shown: sandbox.View) -> None:
        program = self._program
        endpoint.expect(self)
        try:
            self._process = process = BotProcess.start(
                program.command,
                program.folder,
                endpoint=endpoint,
                memory_bytes=program.memory_bytes,
                confinement=program.confinement,
                output=self.player.output,
                others=program.others,
                cores=program.cores,
                grants=program.grants,
                secrets=program.secrets,
                shown=shown,
            )
        except OSError as error:
            self.endpoints.start_limiter.release_on_behalf_of(self)
            self._fail_start(error)
            return
        clock = awake_clock()
        if clock is not None:
            clock.watch(process.pid)
        cpu = self.player.cpu = self._control_cpu(process.pid) if self._control_cpu is not None else None
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._collect_output, process)
                nursery.start_soon(self._await_exit, process)
                nursery.start_soon(self._await_hello, program.start_time, cpu)
                nursery.start_soon(process.watch_memory, self.endpoints.background_threads)
                if cpu is not None:
                    nursery.start_soon(cpu.watch_crowd, self.endpoints.background_threads)
                try:
                    await self.settled.wait()
                finally:
                    self.endpoints.start_limiter.release_on_behalf_of(self)
                if self.is_welcomed:
                    endpoint.refuse_connections()
                await self.over.wait()
                await self._look_at_start(endpoint, process)
                is_asked = self._ask_for_stacks(process)
                if not endpoint.is_disconnected:
                    with trio.move_on_after(FAILURE_SECONDS if self.fault else GRACE_SECONDS):
                        await self._exited.wait()
                status = None if is_asked else self._status  # as it ended by itself: from here on we end it
                process.kill()
                if self.fault:
                    with trio.move_on_after(FAILURE_SECONDS):
                        await self._output_closed.wait()
                self._report_failure(status)
                with trio.move_on_after(GRACE_SECONDS):
                    await self._exited.wait()
                nursery.cancel_scope.cancel()
        finally:
            if clock is not None:
                clock.unwatch(process.pid)
            await process.close(self.endpoints.background_threads)
            if cpu is not None:
                self.player.waited += cpu.waited
                cpu.close()

    def _ask_for_stacks(self, process: BotProcess) -> bool:
        """Ask a process that was given up for its time where it is; return whether it was asked."""
        is_late = self._is_silent or (self.fault is not None and self.fault[0] is FaultKind.HUNG)
        if is_late := is_late and not self._exited.is_set():
            process.ask_for_stacks()
        return is_late

    async def _look_at_start(self, endpoint: Endpoint, process: BotProcess) -> None:
        """Add what is known to the fault of a process that said no valid hello, while it is there to be looked at."""
        if self.fault is None or not self._is_silent:
            return
        kind, sentence = self.fault
        threads = self.endpoints.background_threads
        approach = await in_background(endpoint.approach, threads)
        if self._exited.is_set():
            known = f": {approach.sentence}" if approach.is_known else ""
        else:
            use = await in_background(partial(use_since_start, process.pid), threads)
            exceeds = process.out_of_memory() or process.out_of_processes()
            seconds = self._program.start_time
            silence = Silence(approach, None if exceeds else use, seconds, self.player.output.process_bytes)
            self.is_idle, known = silence.is_idle, silence.sentence
        self.fault = kind, sentence + known

    def _fail_start(self, error: OSError) -> None:
        """Fail because the process cannot be started."""
        self.fail(FaultKind.START, f"it cannot be started: {error.strerror}")
        self._report_failure(None)

    def _report_failure(self, status: ExitStatus | None) -> None:
        """Report the fault of the session, if it has one.

        status: how the process ended by itself, or None.
        """
        if self.fault is not None:
            kind, sentence = self.fault
            if kind in (FaultKind.CRASH, FaultKind.START) and self._process and self._process.out_of_memory():
                kind = FaultKind.MEMORY if self.is_welcomed else kind
                sentence = f"{sentence}, out of memory: it may hold {self._program.memory_bytes >> 20} MB"
            elif self._process is not None and self._process.out_of_processes():
                sentence = f"{sentence}; it started more than the {PROCESSES} processes and threads that it may have"
            if self._is_silent and self._process is not None and self._process.lacks_network():
                sentence = f"{sentence}; {NO_NETWORK}"
            if kind in (FaultKind.CRASH, FaultKind.START) and status is not None:
                sentence = f"{sentence}; the process {status}"
            self._add_output(self.failure, kind, status)
            self.player.process_failed(kind, sentence, self.failure)
            self.endpoints.grpc.flush()

    def _add_output(self, failure: ProcessFailure, kind: FaultKind, status: ExitStatus | None) -> None:
        """Add the last output and the exit status of the process to the report."""
        failure.output, failure.truncated = self.player.output.process_tail()
        # A bot that hung or broke the protocol exits because the referee has ended the stream.
        if status is not None and kind in (FaultKind.CRASH, FaultKind.START, FaultKind.MEMORY):
            if status.code is not None:
                failure.exit_code = status.code
            if status.signal is not None:
                failure.signal = status.signal

    async def _collect_output(self, process: BotProcess) -> None:
        await process.collect()
        self._output_closed.set()

    async def _await_exit(self, process: BotProcess) -> None:
        self._status = await process.wait()
        self._exited.set()
        if self.is_welcomed:
            self.fail(FaultKind.CRASH, "it ended in the middle of its matches")
        else:
            self._fail_silent("it ended before it said hello")

    async def _await_hello(self, start_time: float, cpu: BotCpu | None) -> None:
        seconds, most_excused = start_time, MOST_START_DELAY_SECONDS
        while seconds > MIN_DELAY_SECONDS:
            with trio.move_on_after(seconds):
                await self.settled.wait()
            if self.settled.is_set() or cpu is None:
                break
            seconds = min(cpu.measure_start_delay(), most_excused)
            most_excused -= seconds
        if self.is_welcomed:
            await self.player.watch_clock(self.endpoints.grpc.flush)
        else:
            self._fail_silent(f"it said no valid hello within {start_time:g} s")

    def _fail_silent(self, sentence: str) -> None:
        """Fail because the bot said no valid hello; what else is known is added."""
        self._is_silent = self._is_silent or not self.over.is_set()
        self.fail(FaultKind.START, sentence)
