"""Start one process of a bot, sandboxed as in a match, and connect to it without a referee."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

import trio
from google.protobuf.message import DecodeError

from arena.checking.scripted_player import ScriptedPlayer
from referee import sandbox
from referee.connection.endpoints import Door, Endpoint, Newcomer
from referee.connection.grpc_server import Link
from referee.connection.stream import Stream
from referee.engine.registry import names
from referee.process.bot_process import BotProcess
from referee.process.exit_status import ExitStatus
from referee.session.local_session import Program, StartedLife
from referee.v1.play_pb2 import Hello, PlayRequest

MATCHES_AT_ONCE = 16
"""More matches than the script ever has under way."""


class ProbeDoor(Door):
    """A listening address that records the bot's hello.

    dialled: whether a stream was opened. hello: the first hello. stranger: whether the token in it is wrong.
    """

    dialled = False
    stranger = False
    hello: Hello | None = None

    def newcomer(self, endpoint: Endpoint, stream: Stream) -> Newcomer:
        self.dialled = True
        return HelloRecorder(self, endpoint, stream)


class HelloRecorder(Newcomer):
    """A stream without a valid hello yet; records any hello, valid or not."""

    def __init__(self, door: ProbeDoor, endpoint: Endpoint, stream: Stream) -> None:
        super().__init__(endpoint, stream)
        self._door = door

    def received(self, payload: bytes, stamp: float) -> None:
        with suppress(DecodeError):
            request = PlayRequest.FromString(payload)
            if request.HasField("hello"):
                hello = self._door.hello = request.hello
                self._door.stranger = hello.token != self._endpoint.token
                guest = self._endpoint.guest
                # No game was chosen: use the first installed game that the bot names.
                if not self._door.stranger and guest is not None and not guest.game:
                    guest.game = next(iter(installed_games(hello)), "")
        super().received(payload, stamp)


class ProbedSession(StartedLife):
    """A session with access to its process.

    left: how the process ended by itself; empty if it was killed. process: None before it is started.
    """

    left = ""
    process: BotProcess | None = None

    async def _await_exit(self, process: BotProcess) -> None:
        self.process = process
        await super()._await_exit(process)

    def _judge(self, status: ExitStatus | None) -> None:
        self.left = str(status) if status is not None else ""
        super()._judge(status)


class Probe:
    """A bot under test. script: its player. session: its process. door: its address. began: start, on trio's clock."""

    def __init__(self, script: ScriptedPlayer, session: ProbedSession, door: ProbeDoor) -> None:
        self.script = script
        self.session = session
        self.door = door
        self.began = trio.current_time()
        self.gone = trio.Event()

    async def run(self) -> None:
        """Start the process and supervise it until it has ended."""
        try:
            await self.session.run()
        finally:
            self.gone.set()

    async def end(self) -> None:
        """End the stream and wait until the process has ended."""
        self.session.end()
        self.door.flush()
        await self.gone.wait()

    def memory(self) -> int | None:
        """Return the peak memory of the largest process of the bot, in bytes; None if none is running."""
        if self.session.process is None:
            return None
        peaks = [_peak_memory(pid) for pid in _process_tree(self.session.process.pid)]
        return max(filter(None, peaks), default=None)


@asynccontextmanager
async def probing(program: Program, game: str, matches_at_once: int = 0) -> AsyncIterator[Probe]:
    """Start a bot for the duration of the context.

    game: the id of the game to play; empty: the first game that its hello names, or any.
    matches_at_once: the limit in its bot.toml; 0 for none.
    """
    link = Link()
    door = ProbeDoor(link, "arena-check-")
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(link.run, door.flush)
            nursery.start_soon(door.watch.run)
            script = ScriptedPlayer(door.flush, matches_at_once or MATCHES_AT_ONCE)
            probe = Probe(script, ProbedSession(script, game, door, program), door)
            nursery.start_soon(probe.run)
            await probe.session.settled.wait()
            door.flush()
            try:
                yield probe
            finally:
                with trio.CancelScope(shield=True):
                    await probe.end()
            nursery.cancel_scope.cancel()
    finally:
        door.close()


@cache
def confinement(mode: str) -> sandbox.Confinement:
    """Return the sandbox of this machine, chosen once per process: see `referee.sandbox.choose`."""
    return sandbox.choose(mode)


def installed_games(hello: Hello) -> list[str]:
    """Return the ids of the installed games that a hello names."""
    installed = names()
    return [game for game in hello.games if game in installed]


def _process_tree(root: int) -> list[int]:
    """Return the process ids of a process and its descendants."""
    pids = [root]
    for pid in pids:  # grows while it is read
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                pids += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return pids


def _peak_memory(pid: int) -> int | None:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None
