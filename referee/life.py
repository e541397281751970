"""One process of a player, from its start to its end."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import trio

from referee.bots import BotProcess
from referee.door import Door
from referee.faults import Kind
from referee.link import Stream
from referee.player import Player
from referee.sandbox import Confinement
from referee.v1.play_pb2 import Hello, PlayResponse, Welcome
from referee.wire import NAME_CHARACTERS, clean

GRACE = 2.0
"""Seconds a bot has to exit by itself after its stream has ended in good order."""

LAST_WORDS = 0.5
"""Seconds to wait for the exit code of a bot whose stream broke."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is started for a player.

    command: the program and its arguments. folder: where it starts. start_time: seconds until its
    hello. memory_bytes: the most data it may hold.
    """

    command: Sequence[str]
    folder: str
    start_time: float
    memory_bytes: int


class Life:
    """A process that is to play for `player`; `run` it, and `end` it when nothing is left to play.

    game: the id of the game. settled: set once it was welcomed or is over. welcomed: it said a valid
    hello. fault: what ended it too early.
    """

    def __init__(self, player: Player, game: str, door: Door) -> None:
        self.player = player
        self.game = game
        self.settled = trio.Event()
        self.welcomed = False
        self.fault: tuple[Kind, str] | None = None
        self._door = door
        self._over = trio.Event()
        self._exited = trio.Event()
        self._how = ""

    async def run(self, program: Program, confinement: Confinement) -> None:
        """Start the process, wait until it fails or is no longer needed, and leave nothing of it behind."""
        await self._door.starting.acquire_on_behalf_of(self)
        token = secrets.token_hex(16)
        self._door.tokens[token] = self
        try:
            process = BotProcess.start(
                program.command,
                program.folder,
                address=self._door.address,
                token=token,
                sockets=self._door.sockets,
                memory_bytes=program.memory_bytes,
                confinement=confinement,
                output=self.player.output,
            )
        except OSError as error:
            self._door.tokens.pop(token)
            self._door.starting.release_on_behalf_of(self)
            self.fail(Kind.START, f"it cannot be started: {error.strerror}")
            self._judge()
            return
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(process.collect)
                nursery.start_soon(self._await_exit, process)
                nursery.start_soon(self._await_hello, program.start_time)
                try:
                    await self.settled.wait()
                finally:
                    self._door.starting.release_on_behalf_of(self)
                await self._over.wait()
                with trio.move_on_after(LAST_WORDS if self.fault else GRACE):
                    await self._exited.wait()
                process.kill()
                self._judge()
                with trio.move_on_after(GRACE):
                    await self._exited.wait()
                nursery.cancel_scope.cancel()
        finally:
            self._door.tokens.pop(token, None)
            process.close()

    def welcome(self, stream: Stream, hello: Hello, protocol: int) -> None:
        """Go on with a process that said a valid hello."""
        if self._over.is_set():
            stream.close()
            return
        player = self.player
        stream.peer = self
        player.bot_name = clean(hello.name, NAME_CHARACTERS)
        player.bot_version = clean(hello.version, NAME_CHARACTERS)
        player.wants_events = hello.wants_events
        player.wants_schema = hello.wants_schema
        player.whole_batches = hello.whole_batches
        if hello.matches_at_once:
            player.matches_at_once = min(player.matches_at_once, hello.matches_at_once)
        welcome = Welcome(protocol=protocol, matches_at_once=player.matches_at_once)
        stream.send(PlayResponse(welcome=welcome).SerializeToString())
        player.connected(stream, self.fail)
        self.welcomed = True
        self.settled.set()

    def received(self, payload: bytes, stamp: float) -> None:
        """Pass a message of the bot on."""
        self.player.received(payload, stamp)

    def ended(self, reason: str) -> None:
        """The bot's side of the stream is gone."""
        self.fail(Kind.CRASH, reason)

    def fail(self, kind: Kind, sentence: str) -> None:
        """End this life for a fault; the first one counts."""
        if not self._over.is_set():
            self.fault = (kind, sentence)
            self._finish()

    def end(self) -> None:
        """End this life because nothing is left to play."""
        if not self._over.is_set():
            self._finish()

    def _finish(self) -> None:
        self.player.disconnect()
        self._over.set()
        self.settled.set()

    def _judge(self) -> None:
        if self.fault is not None:
            kind, sentence = self.fault
            if kind in (Kind.CRASH, Kind.START) and self._how:
                sentence = f"{sentence}; the process {self._how}"
            self.player.process_failed(kind, sentence)
            self._door.flush()

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
            await self.player.watch_clock(self._door.flush)
        else:
            self.fail(Kind.START, f"it said no valid hello within {start_time:g} s")
