"""A bot whose process the referee starts, watches and ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import trio

from referee.connection.endpoints import Door, Endpoint
from referee.match.faults import Kind
from referee.process.bot_process import BotProcess
from referee.process.cpu_fairness import Keeper
from referee.process.exit_status import ExitStatus
from referee.sandbox import Confinement
from referee.session.player import Player
from referee.session.session import Life
from referee.v1.work_pb2 import ProcessFailure

GRACE = 2.0
"""Seconds a bot has to exit by itself after its stream has ended in good order."""

LAST_WORDS = 0.5
"""Seconds to wait for the exit code of a bot whose stream broke."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is started for a player.

    command: the program and its arguments. folder: where it starts. start_time: seconds until its
    hello. memory_bytes: the most data it may hold. confinement: how it is confined.
    others: files and folders of other bots, which it must not see. cores: those it is pinned to; none: where we are.
    """

    command: Sequence[str]
    folder: str
    start_time: float
    memory_bytes: int
    confinement: Confinement
    others: Sequence[str] = ()
    cores: Sequence[int] = ()


class StartedLife(Life):
    """A life of a process of ours: its end is judged, and nothing of it is left behind."""

    def __init__(
        self, player: Player, game: str, door: Door, program: Program, keep: Callable[[int], Keeper] | None = None
    ) -> None:
        """Make one. keep: makes the keeper of a process, from its id; None: it has none."""
        super().__init__(player, game, door)
        self._keep = keep
        self._program = program
        self._exited = trio.Event()
        self._printed = trio.Event()
        self._status: ExitStatus | None = None
        self._process: BotProcess | None = None

    async def run(self) -> None:
        """Start the process, wait until it fails or is no longer needed, and leave nothing of it behind."""
        self.player.output.begin()
        await self.door.starting.acquire_on_behalf_of(self)
        try:
            self._endpoint = endpoint = await self.door.open()
        except BaseException:
            self.door.starting.release_on_behalf_of(self)
            raise
        try:
            await self._run(endpoint)
        finally:
            endpoint.close()

    async def _run(self, endpoint: Endpoint) -> None:
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
            )
        except OSError as error:
            self.door.starting.release_on_behalf_of(self)
            self.fail(Kind.START, f"it cannot be started: {error.strerror}")
            self._judge(None)
            return
        keeper = self.player.keeper = self._keep(process.pid) if self._keep is not None else None
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._collect, process)
                nursery.start_soon(self._await_exit, process)
                nursery.start_soon(self._await_hello, program.start_time)
                try:
                    await self.settled.wait()
                finally:
                    self.door.starting.release_on_behalf_of(self)
                if self.welcomed:
                    endpoint.shut()
                await self.over.wait()
                if not endpoint.was_cut:
                    with trio.move_on_after(LAST_WORDS if self.fault else GRACE):
                        await self._exited.wait()
                status = self._status  # by itself: what follows is our doing
                process.kill()
                if self.fault:
                    with trio.move_on_after(LAST_WORDS):
                        await self._printed.wait()
                self._judge(status)
                with trio.move_on_after(GRACE):
                    await self._exited.wait()
                nursery.cancel_scope.cancel()
        finally:
            process.close()
            if keeper is not None:
                self.player.waited += keeper.waited
                keeper.close()

    def _judge(self, status: ExitStatus | None) -> None:
        if self.fault is not None:
            kind, sentence = self.fault
            if kind in (Kind.CRASH, Kind.START) and self._process is not None and self._process.out_of_memory():
                kind = Kind.MEMORY if self.welcomed else kind
                sentence = f"{sentence}, out of memory: it may hold {self._program.memory_bytes >> 20} MB"
            if kind in (Kind.CRASH, Kind.START) and status is not None:
                sentence = f"{sentence}; the process {status}"
            self._describe(self.failure, kind, status)
            self.player.process_failed(kind, sentence, self.failure)
            self.door.flush()

    def _describe(self, failure: ProcessFailure, kind: Kind, status: ExitStatus | None) -> None:
        """Write into the report what the process left behind."""
        failure.output, failure.truncated = self.player.output.last_words()
        # Whoever hung or broke the protocol ends because the referee has ended the conversation.
        if status is not None and kind in (Kind.CRASH, Kind.START, Kind.MEMORY):
            if status.code is not None:
                failure.exit_code = status.code
            if status.signal is not None:
                failure.signal = status.signal

    async def _collect(self, process: BotProcess) -> None:
        await process.collect()
        self._printed.set()

    async def _await_exit(self, process: BotProcess) -> None:
        self._status = await process.wait()
        self._exited.set()
        if self.welcomed:
            self.fail(Kind.CRASH, "it ended in the middle of its matches")
        else:
            self.fail(Kind.START, "it ended before it said hello")

    async def _await_hello(self, start_time: float) -> None:
        with trio.move_on_after(start_time):
            await self.settled.wait()
        if self.welcomed:
            await self.player.watch_clock(self.door.flush)
        else:
            self.fail(Kind.START, f"it said no valid hello within {start_time:g} s")
