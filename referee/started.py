"""A bot whose process the referee starts, watches and ends."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import trio

from referee.bots import BotProcess
from referee.door import Door
from referee.faults import Kind
from referee.keeper import Keeper
from referee.life import Life
from referee.player import Player
from referee.sandbox import Confinement

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
        self._how = ""
        self._process: BotProcess | None = None

    async def run(self) -> None:
        """Start the process, wait until it fails or is no longer needed, and leave nothing of it behind."""
        program = self._program
        await self.door.starting.acquire_on_behalf_of(self)
        token = secrets.token_hex(16)
        self.door.tokens[token] = self
        try:
            self._process = process = BotProcess.start(
                program.command,
                program.folder,
                address=self.door.address,
                token=token,
                sockets=self.door.sockets,
                memory_bytes=program.memory_bytes,
                confinement=program.confinement,
                output=self.player.output,
                others=program.others,
                cores=program.cores,
            )
        except OSError as error:
            self.door.tokens.pop(token)
            self.door.starting.release_on_behalf_of(self)
            self.fail(Kind.START, f"it cannot be started: {error.strerror}")
            self._judge()
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
                await self.over.wait()
                with trio.move_on_after(LAST_WORDS if self.fault else GRACE):
                    await self._exited.wait()
                process.kill()
                if self.fault:
                    with trio.move_on_after(LAST_WORDS):
                        await self._printed.wait()
                self._judge()
                with trio.move_on_after(GRACE):
                    await self._exited.wait()
                nursery.cancel_scope.cancel()
        finally:
            self.door.tokens.pop(token, None)
            process.close()
            if keeper is not None:
                self.player.waited += keeper.waited
                keeper.close()

    def _judge(self) -> None:
        if self.fault is not None:
            kind, sentence = self.fault
            if kind in (Kind.CRASH, Kind.START) and self._process is not None and self._process.out_of_memory():
                kind = Kind.MEMORY if self.welcomed else kind
                sentence = f"{sentence}, out of memory: it may hold {self._program.memory_bytes >> 20} MB"
            if kind in (Kind.CRASH, Kind.START) and self._how:
                sentence = f"{sentence}; the process {self._how}"
            self.player.process_failed(kind, sentence)
            self.door.flush()

    async def _collect(self, process: BotProcess) -> None:
        await process.collect()
        self._printed.set()

    async def _await_exit(self, process: BotProcess) -> None:
        self._how = await process.wait()
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
