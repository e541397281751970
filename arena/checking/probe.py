"""One process of the bot, confined as in any match, on a stream of our own."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

import trio
from google.protobuf.message import DecodeError

from arena.checking.scripted_player import Script
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
"""More than a conversation ever has under way."""


class Threshold(Door):
    """A door that takes note of who comes to it.

    dialled: somebody opened a stream. hello: what was said first. stranger: the token in it is not ours.
    """

    dialled = False
    stranger = False
    hello: Hello | None = None

    def newcomer(self, endpoint: Endpoint, stream: Stream) -> Newcomer:
        self.dialled = True
        return Listener(self, endpoint, stream)


class Listener(Newcomer):
    """A stream on which nobody has said a valid hello yet, and on which any hello is heard."""

    def __init__(self, door: Threshold, endpoint: Endpoint, stream: Stream) -> None:
        super().__init__(endpoint, stream)
        self._threshold = door

    def received(self, payload: bytes, stamp: float) -> None:
        with suppress(DecodeError):
            request = PlayRequest.FromString(payload)
            if request.HasField("hello"):
                hello = self._threshold.hello = request.hello
                self._threshold.stranger = hello.token != self._endpoint.token
                guest = self._endpoint.guest
                # Nobody said what it is to play: whatever of its own games there is here.
                if not self._threshold.stranger and guest is not None and not guest.game:
                    guest.game = next(iter(named_in(hello)), "")
        super().received(payload, stamp)


class ProbedLife(StartedLife):
    """A life that is looked at.

    left: how the process ended where it did so by itself; empty where it had to be ended. process: once it was started.
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
    """A bot at our door. script: speaks with it. life: its process. door: where it dials. began: trio's time."""

    def __init__(self, script: Script, life: ProbedLife, door: Threshold) -> None:
        self.script = script
        self.life = life
        self.door = door
        self.began = trio.current_time()
        self.gone = trio.Event()

    async def run(self) -> None:
        """Start the process and see to it until it is gone."""
        try:
            await self.life.run()
        finally:
            self.gone.set()

    async def end(self) -> None:
        """End the stream in good order and wait until the process is gone."""
        self.life.end()
        self.door.flush()
        await self.gone.wait()

    def memory(self) -> int | None:
        """Return the most memory that the processes of the bot have held, in bytes; None where none is left."""
        if self.life.process is None:
            return None
        peaks = [_peak(pid) for pid in _family(self.life.process.pid)]
        return max(filter(None, peaks), default=None)


@asynccontextmanager
async def probing(program: Program, game: str, matches_at_once: int = 0) -> AsyncIterator[Probe]:
    """Start a bot and open the door for it; with the block all of it is gone.

    game: the id of what it is to play; empty: the first game that its hello names, or any.
    matches_at_once: how many its bot.toml wants; 0: as many as we like.
    """
    link = Link()
    door = Threshold(link, "arena-check-")
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(link.run, door.flush)
            nursery.start_soon(door.watch.run)
            script = Script(door.flush, matches_at_once or MATCHES_AT_ONCE)
            probe = Probe(script, ProbedLife(script, game, door, program), door)
            nursery.start_soon(probe.run)
            await probe.life.settled.wait()
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
    """Return how bots are confined here, one way for all probes of this process: see `referee.sandbox.choose`."""
    return sandbox.choose(mode)


def named_in(hello: Hello) -> list[str]:
    """Return the ids of the installed games that a bot names."""
    installed = names()
    return [game for game in hello.games if game in installed]


def _family(root: int) -> list[int]:
    """Return a process and all that descend from it."""
    found = [root]
    for pid in found:
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def _peak(pid: int) -> int | None:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None
